import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevChain, type DevChains, seedAddress, seedChain, seedTokensOn, startChains } from '@mintage/devnet';
import { keepDeployments } from '@mintage/devnet/keepDeployments';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Address, formatUnits, launchpadAbi } from '@mintage/protocol';
import { encodeFunctionData, erc20Abi, type LocalAccount } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog, type RunningApi, startApi } from '../../src/api/main.ts';
import { basePath } from '../../src/api/wire/limits.ts';
import { createEvmClient } from '../../src/chain/evm/evmClient.ts';
import { configFromEnv } from '../../src/config.ts';
import type { ServiceDatabase } from '../../src/db/serviceTables.ts';
import { type RunningDatabase } from '../../src/db/startDatabase.ts';
import { memoryKek } from '../../src/keys/fileKek.ts';
import { newIntentKeys } from '../world/intentKeys.ts';
import { type Message, StreamClient } from './testing/streamClient.ts';

/** At release 1,000. */
const steps = Number(process.env.STREAM_STEPS ?? 30);
const seed = Number(process.env.STREAM_SEED ?? Math.floor(Math.random() * 1e9));

let chains: DevChains;
let chain: DevChain;
let database: RunningDatabase;
let home: string;
let indexer: ChildProcess;
const apis: RunningApi[] = [];
const clients: StreamClient[] = [];

const startIndexer = async (): Promise<void> => {
  indexer = fork(new URL('./indexerProcess.ts', import.meta.url), {
    env: {
      ...process.env,
      MINTAGE_HOME: home,
      DATABASE_URL: database.url,
      CHAINS: chain.chain.slug,
      RPC_URL_BASE_SEPOLIA: chain.rpcUrl,
    },
  });
  await once(indexer, 'message');
};

const killIndexer = async (): Promise<void> => {
  const ended = once(indexer, 'exit');
  indexer.kill('SIGKILL');
  await ended;
};

beforeAll(async () => {
  [chains, database] = await Promise.all([
    startChains(['base-sepolia'], { heartbeat: false, seed: (fresh) => seedChain(fresh) }),
    testDatabase(),
  ]);
  chain = chains.chains[0] as DevChain;
  await chain.rpc('anvil_autoImpersonateAccount', [true]);
  await chain.rpc('evm_setAutomine', [false]);
  await chain.rpc('anvil_mine', ['0x14']); // nothing below can be undone: it came from a file
  home = mkdtempSync(join(tmpdir(), 'mintage-streams-'));
  keepDeployments(home, [chain.deployment]);
  const keys = memoryKek(randomBytes(32));
  const intentKeys = newIntentKeys();
  for (let i = 0; i < 2; i += 1) {
    const config = configFromEnv({
      PORT: '0',
      RATE_LIMITS: '{"anonymous":1000000,"signIn":1000}',
      LOG_LEVEL: 'silent',
    });
    const served = { chain: chain.chain, deployment: chain.deployment, rpcUrls: [chain.rpcUrl] };
    apis.push(
      await startApi({
        config,
        keys,
        intentKeys,
        db: database.db,
        chains: [served],
        createClient: createEvmClient,
        log: createLog('silent'),
      }),
    );
  }
  await startIndexer();
});
afterAll(async () => {
  for (const client of clients) client.close();
  if (indexer?.connected) await killIndexer();
  await Promise.all(apis.map((api) => api.stop()));
  await database?.stop();
  await chains?.stop();
  if (home) rmSync(home, { recursive: true, force: true });
});

const chainRow = () => database.db.selectFrom('chain').selectAll().executeTakeFirstOrThrow();

const postTo =
  ({ url }: RunningApi, bearer?: string) =>
  async (path: string, body: object): Promise<Message> => {
    const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) };
    return (await fetch(url + basePath + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };

const signIn = async (account: LocalAccount, api: RunningApi): Promise<string> => {
  const post = postTo(api);
  const { message } = await post('/auth/challenge', { address: account.address });
  return (await post('/auth/login', { message, signature: await account.signMessage({ message }) })).accessToken;
};

/** mulberry32 */
const randomOf = (start: number) => {
  let state = start >>> 0;
  return (most: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
};

describe('streams of a real chain', () => {
  it(`S4 drops, reorgs and kill -9 of the indexer, ${steps} steps: every client's copy equals the tables, seed ${seed}`, async () => {
    await expect.poll(async () => (await chainRow()).live_from).not.toBeNull();
    const random = randomOf(seed);
    const names = ['alice', 'bob', 'carol'] as const;
    const people = names.map((name) => chain.accounts[name]);
    const tokens = await Promise.all(seedTokensOn(chain).map((token) => seedAddress(chain, token)));
    const lists: (() => Promise<Message>)[] = [];
    for (const [i, person] of people.entries()) {
      const api = apis[i % 2] as RunningApi;
      const bearer = await signIn(person as LocalAccount, api);
      const client = new StreamClient(`${api.url.replace('http', 'ws')}/ws`, { bearer });
      clients.push(client);
      await client.connect();
      // A client that is cut off before its first event has no number to go on from: the oldest kept, not the newest.
      for (const topic of ['tokenActivity', 'walletBalances', 'walletFees', 'notifications'])
        await client.subscribe({ topic, cursor: 'earliest' }, topic);
      lists.push(() => postTo(api, bearer)('/get-notifications', { limit: 100 }));
    }
    const from = (await chainRow()).live_from as number;

    const submit = (
      who: string,
      functionName: string,
      args: readonly unknown[],
      to: string = chain.deployment.launchpad,
    ) =>
      chain.rpc('eth_sendTransaction', [
        {
          from: who,
          to,
          gas: '0x4c4b40',
          data: encodeFunctionData({ abi: [...launchpadAbi, ...erc20Abi], functionName, args } as never),
        },
      ]);
    const none = `0x${'0'.repeat(40)}`;
    let height = 0;
    for (let step = 0; step < steps; step += 1) {
      for (let i = random(4); i >= 0; i -= 1) {
        const [who, token] = [people[random(3)]?.address as string, tokens[random(tokens.length)] as string];
        const rest = { limit: 0n, recipient: who, builder: none, builderBps: 0n, referral: none, deadline: 2n ** 64n };
        if (random(4)) await submit(who, 'buyExactIn', [{ token, amount: BigInt(1 + random(30_000_000)), ...rest }]);
        else await submit(who, 'transfer', [people[random(3)]?.address, BigInt(1 + random(1_000))], token);
      }
      await chain.rpc('evm_mine');
      height += 1;
      if (random(3) === 0) clients[random(clients.length)]?.drop();
      if (random(5) === 0 && height > 3) {
        const depth = 1 + random(3);
        await chain.rpc('anvil_reorg', [depth, []]);
      }
      if (random(10) === 0) {
        await killIndexer();
        await startIndexer();
      } else if (random(2)) await new Promise((resolve) => setTimeout(resolve, random(150)));
    }
    await chain.rpc('anvil_mine', ['0x2']);
    const head = Number(await chain.rpc('eth_blockNumber'));
    await expect.poll(async () => (await chainRow()).indexed).toBe(head);

    const db = database.db.withTables<ServiceDatabase>();
    const newest = await db.selectFrom('stream_event').select(['topic', 'seq', 'wallet']).orderBy('seq').execute();
    const trades = await db.selectFrom('trade').selectAll().where('block_number', '>=', from).execute();
    const transfers = await db
      .selectFrom('transfer')
      .selectAll()
      .where('block_number', '>=', from)
      .where('is_leg', '=', false)
      .execute();
    const balances = await db.selectFrom('balance').selectAll().execute();
    const credits = await db.selectFrom('fee_credit').selectAll().where('block_number', '>=', from).execute();
    expect(trades.length).toBeGreaterThan(5);
    const created = await db.selectFrom('token').select(['address', 'creator', 'graduation']).execute();
    const graduated = created.flatMap(({ creator, graduation }) =>
      graduation === null || graduation.blockNumber < from ? [] : [{ creator, graduation }],
    );
    const { last_seq } = await db
      .selectFrom('stream_topic')
      .select('last_seq')
      .where('topic', '=', 'tokenActivity')
      .executeTakeFirstOrThrow();
    const tellerRow = () => db.selectFrom('teller').select('seq').executeTakeFirstOrThrow();
    await expect.poll(async () => (await tellerRow()).seq).toBe(last_seq);
    let told = 0;
    for (const [i, client] of clients.entries()) {
      const own = people[i]?.address.toLowerCase() as string;
      for (const topic of ['tokenActivity', 'walletBalances', 'walletFees']) {
        const end = newest.findLast(
          (event) => event.topic === topic && (topic !== 'walletFees' || event.wallet === own),
        );
        if (end !== undefined) await client.heard(({ id, seq }) => id === topic && seq === end.seq);
        const seqs = client.events(topic).map(({ seq }) => seq);
        expect(seqs, `seed ${seed}`).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
      }
      const copy = (topic: string): Message[] => {
        const held = new Map<number, Message>();
        for (const { type, seq, retracts, data } of client.events(topic)) {
          if (type === 'event') held.set(seq, data);
          else expect(held.delete(retracts), `seed ${seed}`).toBe(true);
        }
        return [...held.values()];
      };
      const lines = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.join(' ')).toSorted();
      expect(
        lines(
          copy('tokenActivity').map((one) => [one.tx_hash, one.evt_index, one.activity_type, one.token_amount_raw]),
        ),
        `seed ${seed}`,
      ).toEqual(
        lines([
          ...trades.map((one) => [one.tx_hash, one.log_index, 'trade', one.tokens]),
          ...transfers.map((one) => [one.tx_hash, one.log_index, 'transfer', one.amount]),
          ...graduated.flatMap(({ graduation: { txHash, logIndex } }) =>
            ['lifecycle', 'lp'].map((type) => [txHash, logIndex, type, null]),
          ),
        ]),
      );
      expect(
        lines(copy('walletFees').map((one) => [one.tx_hash, one.evt_index, one.distribution_type, one.amount_raw])),
        `seed ${seed}`,
      ).toEqual(
        lines(
          credits
            .filter(({ recipient }) => recipient === own)
            .map((one) => [one.tx_hash, one.log_index, one.distribution_type, one.amount]),
        ),
      );
      // What a user is told, in the list and by the stream, is what happened after all.
      const ofOthers = trades.filter(({ token, side, trader, recipient, gross_usd }) => {
        const isMine = created.some((one) => one.address === token && one.creator === own);
        return isMine && side === 'buy' && trader !== own && recipient !== own && gross_usd >= 10_000_000n;
      });
      const minutes = new Map<string, bigint>();
      for (const { token, time, gross_usd } of ofOthers) {
        const key = `${token} ${Math.floor(time.getTime() / 60_000)}`;
        minutes.set(key, (minutes.get(key) ?? 0n) + gross_usd);
      }
      const gifts = transfers.filter(({ sender, recipient }) => recipient === own && sender !== own);
      const hours = new Set(gifts.map(({ token, time }) => `${token} ${Math.floor(time.getTime() / 3_600_000)}`));
      const expected = lines([
        ...[...minutes.values()].map((sum) => ['token_bought', formatUnits(sum, 6)]),
        ...[...hours].map(() => ['transfer_received', null]),
      ]);
      const { notifications } = await (lists[i] as (typeof lists)[0])();
      // Of a graduation its creator is told, and who held some at that moment, which the tables do not say any more.
      const isGraduation = ({ type }: Message) => type === 'token_graduated';
      const graduations = notifications.filter(isGraduation).length;
      expect(graduations, `seed ${seed}`).toBeLessThanOrEqual(graduated.length);
      expect(graduations, `seed ${seed}`).toBeGreaterThanOrEqual(
        graduated.filter(({ creator }) => creator === own).length,
      );
      const said = (all: readonly Message[]) =>
        lines(all.filter((one) => !isGraduation(one)).map((one) => [one.type, one.amount_usd]));
      expect(said(notifications), `seed ${seed}`).toEqual(expected);
      told += expected.length;
      const end = await db
        .selectFrom('stream_event')
        .innerJoin('user_wallet', 'user_wallet.user_id', 'stream_event.user_id')
        .select('seq')
        .where('user_wallet.address', '=', own as Address)
        .orderBy('seq', 'desc')
        .executeTakeFirst();
      if (end !== undefined) await client.heard(({ id, seq }) => id === 'notifications' && seq === end.seq);
      const held = new Map<string, Message>();
      for (const { type, data } of client.events('notifications')) {
        if (type === 'event') held.set(data.id, data);
        else held.delete(data.id);
      }
      expect(said([...held.values()]), `seed ${seed}`).toEqual(expected);
      expect(held.size, `seed ${seed}`).toBe(expected.length + graduations);
      // With retractions, and for a client that knows nothing of them.
      for (const told of [
        copy('walletBalances'),
        client
          .events('walletBalances')
          .filter(({ type }) => type === 'event')
          .map(({ data }) => data),
      ]) {
        const held = Object.fromEntries(told.map((one) => [`${one.token_address} ${one.wallet}`, one.balance_raw]));
        expect(Object.keys(held).length).toBeGreaterThan(2);
        const now = new Map(balances.map((one) => [`${one.token} ${one.wallet}`, one.amount.toString()]));
        for (const [key, amount] of Object.entries(held))
          expect([key, now.get(key) ?? '0'], `seed ${seed}`).toEqual([key, amount]);
      }
    }
    expect(told).toBeGreaterThan(3);
  });
});
