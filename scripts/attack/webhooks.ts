import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import { buyer } from './buyer.ts';
import { median, signIn, untilSo } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { type GoodReceiver, goodReceiver, type Held, slowReceiver, watch } from './receivers.ts';
import { startService, unlimited } from './service.ts';

const slowReceivers = 1_000;
/** As many as a user may have, and as an origin is sent at once: so each of them can be held. */
const perUser = 10;
const perOrigin = 4;
/** A receiver has 10 s. */
const answerAfterMs = 9_500;
/** Of the 512 turns for those who are known to be slow. */
const heldAtLeast = 400;
const tradeEveryMs = 500;
/** Three times as long as one of them holds a delivery. */
const attackMs = 30_000;
const lateS = 2;

/** A thousand receivers that say yes after 9.5 s, to every trade, beside receivers of others. */
export const attackWebhooks: Part = async ({ find, tell }) => {
  await using started = new AsyncDisposableStack();
  const service = started.use(await startService({ RATE_LIMITS: unlimited, WEBHOOKS_TO_LOOPBACK: '1' }));
  const { url, process: child } = service;
  const pid = child.pid();
  const buy = await buyer(service.chain);
  const addGood = async (): Promise<GoodReceiver> => {
    const receiver = started.use(await goodReceiver());
    await watch(url, await signIn(url), receiver.origin);
    return receiver;
  };

  const other = await addGood();
  const [alone = []] = await delaysOf(buy, [other], 5_000);

  const held: Held = { now: 0, most: 0, answered: 0 };
  const origins: string[] = [];
  for (let i = 0; i < slowReceivers / perOrigin; i += 1)
    origins.push(started.use(await slowReceiver(answerAfterMs, held)).origin);
  for (let made = 0; made < slowReceivers; made += perUser) {
    const bearer = await signIn(url);
    const own = Array.from({ length: perUser }, (_, i) => made + i);
    await Promise.all(own.map((i) => watch(url, bearer, `${origins[i % origins.length]}/${i}`)));
  }
  const newcomer = await addGood();
  const [beside = [], besideNew = []] = await delaysOf(buy, [other, newcomer], attackMs);

  tell(`${slowReceivers} slow receivers of ${slowReceivers / perUser} users at ${origins.length} origins:`);
  tell(`most held at once ${held.most}, answered after ${answerAfterMs / 1000} s each ${held.answered}`);
  tell(`another’s receiver: alone ${told(alone)}; beside them ${told(beside)}`);
  tell(`one made after them: ${told(besideNew)}`);
  for (const { msg, err } of service.errors().slice(0, 5)) tell(JSON.stringify({ msg, err }).slice(0, 400));
  find({
    what: 'slow deliveries held at once, most',
    figure: String(held.most),
    bound: `≥ ${heldAtLeast}`,
    pass: held.most >= heldAtLeast,
  });
  const before = worstS(alone).toFixed(1);
  find(atMost(`another’s delivery after its trade, at most (alone ${before} s)`, worstS(beside), lateS, ' s'));
  find(atMost('the same, to a receiver made after the slow ones', worstS(besideNew), lateS, ' s'));
  find(none('ends of the process', child.pid() === pid ? 0 : 1));
};

/** Trades for so long. @returns For each receiver the milliseconds from each trade to its delivery, infinite if it never came. */
const delaysOf = async (buy: () => Promise<Hex>, receivers: readonly GoodReceiver[], forMs: number) => {
  const sent = new Map<Hex, number>();
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const at = performance.now();
    sent.set(await buy(), at);
    await sleep(Math.max(0, at + tradeEveryMs - performance.now()));
  }
  const isDone = async () => receivers.every(({ arrived }) => [...sent.keys()].every((hash) => arrived.has(hash)));
  await untilSo(isDone, 10_000);
  return receivers.map(({ arrived }) =>
    [...sent].map(([hash, at]) => (arrived.get(hash) ?? Number.POSITIVE_INFINITY) - at),
  );
};

const worstS = (delays: readonly number[]): number => Math.max(...delays) / 1000;

const told = (delays: readonly number[]): string =>
  `${delays.length} trades, median ${median(delays).toFixed(0)} ms, most ${Math.max(...delays).toFixed(0)} ms`;
