import { type DevChain, type System, seedAddress, seedTokensOn, startSystem } from '@mintage/devnet';
import { randomFrom } from '@mintage/devnet/random';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { StreamChange } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Auth,
  apiKey,
  createClient,
  createCopy,
  createReader,
  createStreams,
  type Reader,
  session,
  signIn,
} from '../src/sdk.ts';
import { startWay } from './cuttableWay.ts';
import { errorOf } from './errorOf.ts';

const seed = Number(process.env.STREAM_SEED ?? Math.floor(Math.random() * 1e9));
const transports = ['socket', 'events'] as const;

let database: Awaited<ReturnType<typeof testDatabase>>;
let system: System;
let chain: DevChain;
let way: Awaited<ReturnType<typeof startWay>>;
let token: `0x${string}`;
/** Bob, who signed in. */
let trader: Reader;
/** Alice, who created the token. */
let creator: Auth;
/** What she had earned before anybody was told of it. */
let before: Set<string>;

beforeAll(async () => {
  database = await testDatabase();
  system = await startSystem({
    heartbeat: false,
    env: {
      ROLES: 'indexer,api',
      CHAINS: 'base-sepolia',
      NETWORK: 'Testnet',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      RATE_LIMITS: JSON.stringify({ anonymous: 1e6, authenticated: 1e6, signIn: 1e6 }),
    },
  });
  chain = system.chains[0] as DevChain;
  await chain.rpc('anvil_autoImpersonateAccount', [true]);
  await chain.rpc('evm_setAutomine', [false]);
  await chain.rpc('anvil_mine', ['0x14']); // what the chain began with cannot be undone
  await system.caughtUp();
  way = await startWay(system.url as string);
  token = await seedAddress(chain, seedTokensOn(chain).find(({ name }) => name === 'Paper Boat') as never);
  const { alice, bob } = chain.accounts;
  creator = session(await signIn(reader(), alice));
  before = new Set(await earned());
  trader = createReader({ baseUrl: system.url as string, auth: session(await signIn(reader(), bob)) });
});
afterAll(async () => {
  await way?.stop();
  await system?.stop();
  await database?.stop();
});

const clientOf = (settings: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ baseUrl: way.url, network: 'Testnet', ...settings });
/** Reads past the way, so that what is open there are streams alone. */
const reader = () => createClient({ baseUrl: system.url as string, network: 'Testnet' });

/** Waits for the next block: so much of the token goes from alice to bob. */
const give = (amount: number) =>
  chain.rpc('eth_sendTransaction', [
    {
      from: chain.accounts.alice.address,
      to: token,
      gas: '0x4c4b40',
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [chain.accounts.bob.address, BigInt(amount)],
      }),
    },
  ]);
/** Waits for the next block: bob buys, and alice, who created the token, earns of it. */
const buy = async (dollars: number) => {
  const from = chain.accounts.bob.address;
  const { transactions } = await trader.tradeToken({
    tokenId: token,
    chainSlug: 'base-sepolia',
    direction: 'buy',
    buyAmountUSD: dollars,
    userAddress: from,
    simulate: false, // what waits for the next block would be missing in it
  });
  for (const { to, data, gasLimit } of transactions)
    await chain.rpc('eth_sendTransaction', [{ from, to, data, gas: numberToHex(BigInt(gasLimit)) }]);
};
const mine = async () => {
  await chain.rpc('evm_mine');
  await system.caughtUp();
};

const newestOf = async (topic: 'tokenActivity'): Promise<number> => {
  for await (const item of reader().stream({ topic })) if (item.type === 'begin') return item.watermark;
  return expect.fail('it ended');
};

/** Keys that have something; the list has the others too. */
const filled = (rows: Iterable<object>) =>
  [...rows]
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
    .toSorted((a, b) => (String(a.pk) < String(b.pk) ? -1 : 1));

const activities = async () => {
  const all = [];
  for (let offset = 0; ; offset += 100) {
    const page = await reader().getTokenActivity({ token_id: token, limit: 100, offset });
    all.push(...page.activities);
    if (page.activities.length < 100) return all;
  }
};

/** What the creator earned, as the service lists it. */
const earned = async (): Promise<string[]> => {
  const page = await createReader({ baseUrl: system.url as string, auth: creator }).getUserFeeHistory({ limit: 100 });
  expect(page.distributions).toHaveLength(page.total_count);
  return page.distributions.map((one) => [one.transaction_hash, one.currency_address, one.amount].join(' '));
};

describe('createCopy', () => {
  it.each(transports)(
    `default: over %s, through reorgs and cut connections it equals the list, seed ${seed}`,
    async (transport) => {
      const random = randomFrom(seed).int;
      const ending = new AbortController();
      const options = { transport, signal: ending.signal };
      const { stream } = clientOf();
      const copy = createCopy('tokenActivity', activities);
      const balances = createCopy('walletBalances');
      const fees = createCopy('walletFees');
      const feeKinds = new Set<string>();
      const seqs: number[] = [];
      const kinds = new Set<string>();
      let begins = 0;
      const following = (async () => {
        for await (const item of stream({ topic: 'tokenActivity', tokenId: token }, options)) {
          if (item.type === 'begin') begins += 1;
          else {
            StreamChange.parse(item);
            seqs.push(item.seq);
            kinds.add(item.type);
          }
          await copy.apply(item);
        }
      })();
      const auth = session(await signIn(reader(), privateKeyToAccount(generatePrivateKey())));
      const holding = (async () => {
        const own = createStreams({ baseUrl: way.url, auth });
        for await (const item of own.stream({ topic: 'walletBalances', cursor: 'earliest' }, options)) {
          if (item.type !== 'begin') StreamChange.parse(item);
          await balances.apply(item);
        }
      })();
      const earning = (async () => {
        const own = createStreams({ baseUrl: way.url, auth: creator });
        for await (const item of own.stream({ topic: 'walletFees', cursor: 'earliest' }, options)) {
          if (item.type !== 'begin') {
            StreamChange.parse(item);
            feeKinds.add(item.type);
          }
          await fees.apply(item);
        }
      })();
      const ended = Promise.allSettled([following, holding, earning]);
      await expect.poll(() => begins).toBe(1);
      for (let step = 0; step < 12; step += 1) {
        for (let i = random(3); i >= 0; i -= 1) await give(1 + random(1_000));
        if (step % 2 === 1) await buy(1 + random(20)); // so too in the block that a reorg takes back
        await mine();
        if (step % 4 === 3) {
          await chain.rpc('anvil_reorg', [1 + random(2), []]);
          await mine();
        }
        if (random(2) === 0 || step === 8) {
          // Something has come, which a stream that does not go on after it would tell again.
          await expect.poll(() => seqs.length).toBeGreaterThan(0);
          way.cut();
        }
      }
      await give(7);
      await mine();
      const truth = filled(await activities());
      await expect.poll(() => filled(copy.rows.values())).toEqual(truth);
      expect(kinds).toEqual(new Set(['event', 'retract']));
      expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
      expect(begins).toBe(1);
      const { holders } = await reader().getTokenHolders({ token_id: token, limit: 100 });
      const held = new Map(holders.map((one) => [String(one.wallet), one.balance_raw]));
      const told = () => [...balances.rows.values()].filter((row) => row.token_address === token);
      const bob = chain.accounts.bob.address.toLowerCase();
      await expect.poll(() => told().find(({ wallet }) => wallet === bob)?.balance_raw).toBe(held.get(bob));
      for (const { wallet, balance_raw } of told())
        expect([wallet, balance_raw]).toEqual([wallet, held.get(wallet) ?? '0']);
      const listed = (await earned()).filter((one) => !before.has(one));
      const credits = () => [...fees.rows.values()].map((one) => [one.tx_hash, one.currency, one.amount_raw].join(' '));
      await expect.poll(() => credits().toSorted()).toEqual(listed.toSorted());
      expect(feeKinds).toEqual(new Set(['event', 'retract']));
      ending.abort(new Error('enough'));
      const ends = (await ended).map((one) => one.status === 'rejected' && String(one.reason));
      expect(ends).toEqual(['Error: enough', 'Error: enough', 'Error: enough']);
      await expect.poll(() => way.open()).toBe(0);
    },
  );
});

describe('createStreams', () => {
  it.each(transports)('behavior: over %s, leaving the loop closes the connection', async (transport) => {
    await expect.poll(() => way.open()).toBe(0);
    for await (const item of clientOf().stream({ topic: 'tokenActivity' }, { transport })) {
      expect(item).toMatchObject({ type: 'begin', topic: 'tokenActivity', isExpired: false });
      expect(way.open()).toBe(1);
      break;
    }
    await expect.poll(() => way.open()).toBe(0);
  });

  it.each(transports)(
    'behavior: over %s, a number that is not kept is told, and the oldest kept follow',
    async (transport) => {
      const seen = [];
      for await (const item of clientOf().stream({ topic: 'tokenActivity', cursor: 5 }, { transport })) {
        seen.push(item.type === 'begin' ? item.isExpired : item.type);
        if (seen.length === 3) break;
      }
      expect(seen).toEqual([false, true, 'event']);
    },
  );

  it.each(transports)('behavior: over %s, a session that was refused is renewed', async (transport) => {
    const first = await signIn(reader(), privateKeyToAccount(generatePrivateKey()));
    const auth = session({ ...first, accessToken: 'ended' });
    for await (const item of clientOf({ auth }).stream({ topic: 'walletFees' }, { transport })) {
      expect(item.type).toBe('begin');
      break;
    }
  });

  it.each(transports)(
    'behavior: over %s, an API key opens it, and `use` changes who opens the next connection',
    async (transport) => {
      const owner = reader();
      owner.use(session(await signIn(owner, privateKeyToAccount(generatePrivateKey()))));
      const { key } = await owner.createApiKey({ name: 'stream', scopes: ['read'] });
      const nobody = createStreams({ baseUrl: way.url });
      const refused = nobody.stream({ topic: 'walletFees' }, { transport });
      expect((await errorOf(refused.next())).code).toBe('AUTHENTICATION_FAILED');
      nobody.use(apiKey(key));
      const opened = nobody.stream({ topic: 'walletFees' }, { transport });
      expect((await opened.next()).value).toMatchObject({ type: 'begin' });
      nobody.use(null);
      const next = errorOf(opened.next());
      way.cut();
      expect((await next).code).toBe('AUTHENTICATION_FAILED');
    },
  );

  it.each(transports)(
    'behavior: over %s, a connection that fell silent is given up, and nothing is lost',
    async (transport) => {
      const items = clientOf({ silenceMs: 1_500 }).stream({ topic: 'tokenActivity' }, { transport });
      await items.next();
      way.silence();
      await give(5);
      await mine();
      expect((await items.next()).value).toMatchObject({ type: 'event', data: { token_amount_raw: '5' } });
      await items.return();
    },
  );

  it.each(transports)(
    'error: over %s, no JSON ends a stream that has not begun, and later is a connection that was lost',
    async (transport) => {
      const broken = (said: string) => said.replace('{"type"', '[[type"');
      way.garbleOnce(broken);
      const { stream } = clientOf();
      expect((await errorOf(stream({ topic: 'tokenActivity' }, { transport }).next())).code).toBe('UNEXPECTED_ANSWER');
      const items = stream({ topic: 'tokenActivity' }, { transport });
      await items.next();
      way.garbleOnce(broken);
      await give(6);
      await mine();
      expect((await items.next()).value).toMatchObject({ type: 'event', data: { token_amount_raw: '6' } });
      await items.return();
    },
  );

  it.each(transports)('error: over %s, a refusal ends it with the code of the service', async (transport) => {
    const first = (settings: Parameters<typeof clientOf>[0], subscription: object) =>
      errorOf(
        clientOf(settings)
          .stream({ topic: 'walletFees', ...subscription }, { transport })
          .next(),
      );
    expect((await first({}, {})).code).toBe('AUTHENTICATION_FAILED');
    expect((await first({ auth: apiKey('mintage_test_nothing') }, {})).code).toBe('AUTHENTICATION_FAILED');
    expect((await first({}, { topic: 'tokenActivity', activityTypes: ['theft'] })).code).toBe('INVALID_PARAMETERS');
  });

  it.each(transports)('error: over %s, nobody there', async (transport) => {
    const gone = await startWay(system.url as string);
    await gone.stop();
    const { stream } = clientOf({ baseUrl: gone.url, retries: 1 });
    expect((await errorOf(stream({ topic: 'tokenActivity' }, { transport }).next())).code).toBe('UNREACHABLE');
  });

  it('behavior: of a slow reader a socket holds a thousand messages and events next to none; neither loses any', async () => {
    const [count, size] = [4_000, 8_000];
    const topic = 'tokenActivity';
    const start = await newestOf(topic);
    await sql`WITH told AS (UPDATE stream_topic SET last_seq = last_seq + ${count} WHERE topic = ${topic} RETURNING last_seq)
      INSERT INTO stream_event (topic, seq, eid, block_number, time, data)
      SELECT ${topic}, last_seq - ${count} + n, ${chain.chain.eid}, 1, now(), jsonb_build_object('pad', repeat('x', ${size}))
      FROM told, generate_series(1, ${count}) AS n`.execute(system.db);
    const rest = async (items: ReturnType<ReturnType<typeof clientOf>['stream']>, seqs: number[]) => {
      while (seqs.length < count) seqs.push(((await items.next()).value as { seq: number }).seq);
      await items.return();
      expect(seqs).toEqual(Array.from({ length: count }, (_, index) => start + 1 + index));
    };
    const slowly = async (transport: (typeof transports)[number]) => {
      const own = await startWay(system.url as string);
      const items = clientOf({ baseUrl: own.url }).stream({ topic, cursor: start }, { transport });
      await items.next();
      const first = (await items.next()).value as { seq: number };
      return { own, items, seqs: [first.seq] };
    };
    const [socket, events] = [await slowly('socket'), await slowly('events')];
    const quick = clientOf().stream({ topic, cursor: start }, { transport: 'events' });
    await quick.next();
    await rest(quick, []);
    expect(events.own.passed()).toBeLessThan((count * size) / 2);
    await expect.poll(() => socket.own.open()).toBe(0);
    for (const { own, items, seqs } of [socket, events]) {
      await rest(items, seqs);
      await own.stop();
    }
  });

  it('error: a socket is wanted where there is none', async () => {
    const { stream } = clientOf({ WebSocket: null as never });
    const there = globalThis.WebSocket;
    Object.assign(globalThis, { WebSocket: undefined });
    try {
      const asked = errorOf(stream({ topic: 'tokenActivity' }, { transport: 'socket' }).next());
      expect((await asked).code).toBe('INVALID_PARAMETERS');
      // And by itself it takes the other way.
      for await (const item of stream({ topic: 'tokenActivity' })) {
        expect(item.type).toBe('begin');
        break;
      }
    } finally {
      Object.assign(globalThis, { WebSocket: there });
    }
  });
});
