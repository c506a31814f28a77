import type { System } from '@mintage/devnet';
import { freePort } from '@mintage/devnet/freePort';
import {
  chainBySlug,
  curveOf,
  encodeOrder,
  type PoolType,
  poolTypeById,
  quoteCurve,
  type Slug,
} from '@mintage/protocol';
import { addApiKey, handlers } from '@mintage/server/api';
import type { Database } from '@mintage/server/db';
import type { Kysely } from 'kysely';
import { otherCore, serverCore, startApiProcess, untilListening } from './apiServer.ts';
import { type BenchSystem, withBenchSystem } from './benchSystem.ts';
import type { LoadResult } from './load.ts';
import { startPinned, stopChild } from './pinned.ts';
import { connections, fireRound, measured, median, micros, microsOf, roundMs, warmUp } from './rounds.ts';

const rounds = 5;

/**
 * Requests per second of `/trade-token` without simulation, served by the API process as in production, beside a bare
 * node:http server that parses the same body and answers as many bytes: same core, same run, rounds in turn; then the time of
 * an answer at half of the rate that was reached. Everything else (load, chain, index, database) is on the other core.
 */
export const benchPrepare = (): Promise<void> => withBenchSystem('base-sepolia', run);

const run = async ({ system, databaseUrl, home, onEnd }: BenchSystem): Promise<void> => {
  const subject = await chooseSubject(system);
  await timeInProcess(system, subject);

  const api = await startApiProcess(system, databaseUrl, home);
  onEnd(() => stopChild(api.child));
  const request = requestText(api.port, subject);
  const load = startPinned(otherCore, new URL('load.ts', import.meta.url), {});
  onEnd(() => stopChild(load));
  const fire = (port: number, ms: number, perSecond?: number): Promise<LoadResult> =>
    fireRound(load, {
      host: '127.0.0.1',
      port,
      request,
      connections,
      ms,
      most: 400_000,
      ...(perSecond === undefined ? {} : { perSecond }),
    });

  const bodyLength = await warmUp((ms) => fire(api.port, ms));
  const barePort = await freePort();
  const bare = startPinned(serverCore, new URL('bareServer.ts', import.meta.url), {
    PORT: String(barePort),
    LENGTH: String(bodyLength),
  });
  onEnd(() => stopChild(bare));
  await untilListening(barePort);
  await warmUp((ms) => fire(barePort, ms));

  const rates: number[] = [];
  const ratios: number[] = [];
  const cpuRatios: number[] = [];
  console.log(`\n${connections} connections, ${roundMs / 1000} s a round, ${bodyLength} bytes an answer`);
  console.log('round       ours req/s   bare req/s   ratio   ours p50 / p99 ms   CPU µs a request: ours / bare');
  for (let round = 1; round <= rounds; round++) {
    const ours = await measured(api.child, () => fire(api.port, roundMs));
    const theirs = await measured(bare, () => fire(barePort, roundMs));
    if (ours.refused + theirs.refused > 0) throw new Error('Requests were refused: the figures mean nothing.');
    rates.push(ours.perSecond);
    ratios.push(ours.perSecond / theirs.perSecond);
    if (ours.cpuMicros !== null && theirs.cpuMicros !== null) cpuRatios.push(theirs.cpuMicros / ours.cpuMicros);
    const cells = [
      String(round).padEnd(8),
      ours.perSecond.toFixed(0).padStart(14),
      theirs.perSecond.toFixed(0).padStart(13),
      (ratios.at(-1) ?? 0).toFixed(3).padStart(8),
      `${ours.p50Ms.toFixed(2)} / ${ours.p99Ms.toFixed(2)}`.padStart(20),
      `${micros(ours.cpuMicros)} / ${micros(theirs.cpuMicros)}`.padStart(25),
    ];
    console.log(cells.join(''));
  }
  const half = median(rates) / 2;
  for (let round = 1; round <= rounds; round++) {
    const [ours, theirs] = [await fire(api.port, roundMs, half), await fire(barePort, roundMs, half)];
    const [p50, p99] = [ours.p50Ms.toFixed(2), ours.p99Ms.toFixed(2)];
    const bareP99 = theirs.p99Ms.toFixed(2);
    console.log(`half of that, ${half.toFixed(0)} a second: p50 ${p50}, p99 ${p99} ms (bare p99 ${bareP99})`);
  }
  if (cpuRatios.length > 0)
    console.log(`ratio of CPU time ${median(cpuRatios).toFixed(3)}, steadier on a busy machine`);
  console.log(`ratio ${median(ratios).toFixed(3)}`);
};

/** What is asked again and again: a buy on the curve of a seeded token, by somebody with an API key. */
interface Subject {
  key: string;
  body: Parameters<typeof handlers.tradeToken.handle>[1] & { userAddress: `0x${string}` };
}

export const meme = poolTypeById(7) as PoolType;

const chooseSubject = async (system: System): Promise<Subject> => ({
  key: await newKey(system),
  body: {
    tokenId: await curveTokenOn(system, 'base-sepolia'),
    chainSlug: 'base-sepolia',
    direction: 'buy',
    buyAmountUSD: 25,
    userAddress: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    builder: { code: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc', fee: 50 },
    simulate: false,
  },
});

/** Id of a token on its curve. @throws Error while the index has none. */
export const curveTokenOn = async ({ db }: System, slug: Slug): Promise<string> => {
  const tables: Kysely<Database> = db.withTables();
  const { token_id } = await tables
    .selectFrom('token')
    .select('token_id')
    .where('eid', '=', chainBySlug(slug).eid)
    .where('pool_type', '=', meme.id)
    .where('completed', '=', false)
    .where('graduated_at', 'is', null)
    .executeTakeFirstOrThrow();
  return token_id;
};

/** An API key that may prepare. */
export const newKey = async ({ db, api }: System): Promise<string> => {
  if (!api) throw new Error('The system has no API.');
  const userId = '00000000-0000-4000-8000-00000000be0c';
  await db.insertInto('app_user').values({ user_id: userId }).execute();
  const { key } = await addApiKey(api.context, api.context.auth.apiKeyBrand, {
    userId,
    name: 'bench',
    scopes: ['prepare'],
    createdAt: new Date(),
    expiresAt: null,
    actsFrom: null,
  });
  return key;
};

/** Microseconds of the computation alone: the curve's answer, the call's bytes, and the whole handler. */
const timeInProcess = async ({ api }: System, { body }: Subject): Promise<void> => {
  if (!api) return;
  const { context } = api;
  const call = {
    caller: {
      userId: '',
      wallets: [],
      embedded: {},
      credential: null,
      session: null,
      waitsUntilMs: null,
      newUntilMs: null,
      method: 'apiKey',
      premium: false,
      scopes: ['prepare'],
    },
    requestId: 'bench',
    address: '',
  } as const;
  const terms = { feeBps: 100n, builderBps: 50n, hasReferral: false, hasReferrer: false };
  const order = { kind: 'buyExactIn', amount: 25_000_000n, ...terms } as const;
  const curve = curveOf(meme, { token: 18, usd: 6 });
  const wallet = body.userAddress;
  const bytes = {
    token: wallet,
    amount: order.amount,
    limit: 1n,
    recipient: wallet,
    builder: wallet,
    builderBps: 50n,
    referral: wallet,
    deadline: 2_000_000_000n,
  } as const;
  const quoteMicros = await microsOf(200_000, () => quoteCurve(curve, order));
  const bytesMicros = await microsOf(200_000, () => encodeOrder('buyExactIn', bytes));
  const prepareMicros = await microsOf(20_000, () => handlers.tradeToken.handle(context, body, call));
  console.log(`curve quote                            ${quoteMicros.toFixed(2).padStart(8)} µs`);
  console.log(`bytes of the call                      ${bytesMicros.toFixed(2).padStart(8)} µs`);
  console.log(`prepare (the whole handler)            ${prepareMicros.toFixed(2).padStart(8)} µs`);
};

export const requestText = (port: number, { key, body }: { key: string; body: object }): string => {
  const text = JSON.stringify(body);
  return [
    'POST /functions/v1/trade-token HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `Authorization: Bearer ${key}`,
    '',
    text,
  ].join('\r\n');
};
