import { type DevChain, type System, seedAddress, seedTokensOn, startSystem } from '@mintage/devnet';
import { randomFrom } from '@mintage/devnet/random';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { StreamChange } from '@mintage/protocol/operations';
import { encodeFunctionData, erc20Abi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKey, createClient, createCopy, createStreams, type MintageError, session, signIn } from '../src/sdk.ts';
import { startWay } from './cuttableWay.ts';

const seed = Number(process.env.STREAM_SEED ?? Math.floor(Math.random() * 1e9));
const transports = ['socket', 'events'] as const;

let database: Awaited<ReturnType<typeof testDatabase>>;
let system: System;
let chain: DevChain;
let way: Awaited<ReturnType<typeof startWay>>;
let token: `0x${string}`;

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
}, 180_000);
afterAll(async () => {
  await way?.stop();
  await system?.stop();
  await database?.stop();
});

const clientOf = (settings: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ baseUrl: way.url, network: 'Testnet', ...settings });
/** Reads past the way, so that what is open there are streams alone. */
const reader = () => createClient({ baseUrl: system.url as string, network: 'Testnet' });
const errorOf = (promise: Promise<unknown>): Promise<MintageError> =>
  promise.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  );

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
const mine = async () => {
  await chain.rpc('evm_mine');
  await system.caughtUp();
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

describe('createCopy', () => {
  it.each(transports)(
    `default: over %s, through reorgs and cut connections it equals the list, seed ${seed}`,
    {
      timeout: 180_000,
    },
    async (transport) => {
      const random = randomFrom(seed).int;
      const ending = new AbortController();
      const options = { transport, signal: ending.signal };
      const { stream } = clientOf();
      const copy = createCopy('tokenActivity', activities);
      const balances = createCopy('walletBalances');
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
      const ended = Promise.all([errorOf(following), errorOf(holding)]);
      await expect.poll(() => begins).toBe(1);
      for (let step = 0; step < 12; step += 1) {
        for (let i = random(3); i >= 0; i -= 1) await give(1 + random(1_000));
        await mine();
        if (step % 4 === 3) {
          await chain.rpc('anvil_reorg', [1 + random(2), []]);
          await mine();
        }
        if (random(2) === 0 || step === 8) {
          // Something has come, which a stream that does not go on after it would tell again.
          await expect.poll(() => seqs.length, { timeout: 30_000 }).toBeGreaterThan(0);
          way.cut();
        }
      }
      await give(7);
      await mine();
      const truth = filled(await activities());
      await expect.poll(() => filled(copy.rows.values()), { timeout: 30_000 }).toEqual(truth);
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
      ending.abort(new Error('enough'));
      expect((await ended).map(({ message }) => message)).toEqual(['enough', 'enough']);
      await expect.poll(() => way.open(), { timeout: 20_000 }).toBe(0);
    },
  );
});

describe('createStreams', () => {
  it.each(transports)('behavior: over %s, leaving the loop closes the connection', async (transport) => {
    await expect.poll(() => way.open(), { timeout: 20_000 }).toBe(0);
    for await (const item of clientOf().stream({ topic: 'tokenActivity' }, { transport })) {
      expect(item).toMatchObject({ type: 'begin', topic: 'tokenActivity', isExpired: false });
      expect(way.open()).toBe(1);
      break;
    }
    await expect.poll(() => way.open(), { timeout: 20_000 }).toBe(0);
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
