import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { until } from '@mintage/devnet/until';
import { chainBySlug, type Eid } from '@mintage/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningDatabase } from '../../src/db/startDatabase.ts';
import { chainContext } from '../../src/index/chainContext.ts';
import { createEvmFollower, followerOf } from '../../src/index/evm/evmFollower.ts';
import type { ChainSource } from '../../src/index/evm/source.ts';
import { forgetChain } from '../../src/index/forgetChain.ts';
import { startIndexer } from '../../src/index/indexer.ts';
import { registerChain } from '../../src/index/registerChain.ts';
import { ProvidersDownError } from '../../src/index/sync/poll.ts';
import { Worker } from '../../src/index/worker.ts';
import { SyntheticChain, syntheticDeployment } from './syntheticChain.ts';
import { contentOf, empty } from './tables.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const baseSepolia = chainBySlug('base-sepolia');
const chain = chainContext({ chain: baseSepolia, deployment: syntheticDeployment });
const otherDeployment = { ...syntheticDeployment, chainId: 1301 };
const otherServed = { chain: chainBySlug('unichain-testnet'), deployment: otherDeployment };
const otherChain = chainContext(otherServed);

let database: RunningDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.stop());
beforeEach(() => empty(database.db));

const finalityBlocks = { index: 10, sign: 10 };
const served = { chain: baseSepolia, deployment: syntheticDeployment };
const follower = (source: ChainSource, of: typeof served | typeof otherServed = served) =>
  followerOf({ ...of, finalityBlocks }, source);

const work = (source: ChainSource, parts: Partial<ConstructorParameters<typeof Worker>[0]> = {}) =>
  new Worker({
    db: database.db,
    chain,
    follower: follower(source),
    pollMs: 5,
    log: quiet,
    owner: 'one',
    ...parts,
  });

const rowOf = (eid: Eid) =>
  database.db.selectFrom('chain').selectAll().where('eid', '=', eid).executeTakeFirstOrThrow();

describe('Worker', () => {
  test('two workers on one chain: one writes, the other takes over when the first ends', async () => {
    await registerChain(database.db, chain, syntheticDeployment);
    const source = new SyntheticChain(1);
    source.mine(20);
    const first = work(source, { owner: 'first' });
    await first.caughtUp();
    const second = work(source, { owner: 'second' });
    source.mine(20);
    await first.caughtUp();
    expect(await rowOf(chain.eid)).toMatchObject({ lease_owner: 'first', indexed: 41 });
    await first.stop();
    source.mine(5);
    await second.caughtUp();
    expect(await rowOf(chain.eid)).toMatchObject({ lease_owner: 'second', indexed: 46 });
    await second.stop();
    expect(await rowOf(chain.eid)).toMatchObject({ lease_owner: null, lease_until: null });
    const together = await contentOf(database.db);

    await empty(database.db);
    await registerChain(database.db, chain, syntheticDeployment);
    const alone = work(source);
    await alone.caughtUp();
    await alone.stop();
    expect(together).toEqual(await contentOf(database.db));
  });

  test('behavior: the lease of a killed process runs out; that process could not write any more', async () => {
    await registerChain(database.db, chain, syntheticDeployment);
    const source = new SyntheticChain(2);
    source.mine(20);
    await sql`update chain set lease_owner = 'killed', lease_until = now() + interval '1 second'`.execute(database.db);
    const reasons: string[] = [];
    const log = { ...quiet, warn: (fields: object) => reasons.push((fields as { reason: string }).reason) };
    const worker = work(source, { log });
    await worker.caughtUp();
    const { lease_owner, indexed } = await rowOf(chain.eid);
    expect([lease_owner, indexed]).toEqual(['one', 21]);
    // Somebody else takes the lease while the worker is alive: it notices before it writes.
    await sql`update chain set lease_owner = 'usurper', lease_until = now() + interval '1 hour'`.execute(database.db);
    source.mine(3);
    await until(async () => reasons.some((reason) => reason.startsWith('another process writes chain')));
    expect((await rowOf(chain.eid)).indexed).toBe(21);
    await worker.stop();
    expect((await rowOf(chain.eid)).lease_owner).toBe('usurper');
  });

  test('I5 a chain that is down says so and recovers; the other chain does not notice', async () => {
    await registerChain(database.db, chain, syntheticDeployment);
    await registerChain(database.db, otherChain, otherDeployment);
    const source = new SyntheticChain(3);
    const other = new SyntheticChain(4);
    other.identity = async () => otherDeployment.chainId;
    source.mine(5);
    const [one, two] = [work(source), work(other, { chain: otherChain, follower: follower(other, otherServed) })];
    await Promise.all([one.caughtUp(), two.caughtUp()]);

    const { head } = source;
    source.head = () => Promise.reject(new ProvidersDownError(new Error('connection refused')));
    await until(async () => (await rowOf(chain.eid)).status === 'down');
    expect((await rowOf(chain.eid)).problem).toBe('no provider answers: connection refused');
    other.mine(7);
    await two.caughtUp();
    expect(await rowOf(otherChain.eid)).toMatchObject({ status: 'live', indexed: 8, problem: null });

    source.head = head;
    source.mine(4);
    await one.caughtUp();
    expect(await rowOf(chain.eid)).toMatchObject({ status: 'live', indexed: 10, problem: null });
    await Promise.all([one.stop(), two.stop()]);
  });

  test('error: history below finality changed: paused, with the reason, and nothing is rewritten', async () => {
    await registerChain(database.db, chain, syntheticDeployment);
    const source = new SyntheticChain(5);
    source.mine(40);
    const worker = work(source);
    await worker.caughtUp();
    const before = await contentOf(database.db);
    source.reorg(25, 30);
    await until(async () => (await rowOf(chain.eid)).status === 'paused');
    expect((await rowOf(chain.eid)).problem).toMatch(/final block \d+/);
    expect(await contentOf(database.db)).toEqual(before);
    await worker.stop();
  });

  test('behavior: paused below finality, a person has the chain forgotten, and the same process reads it anew', async () => {
    const register = () => registerChain(database.db, chain, syntheticDeployment);
    const source = new SyntheticChain(5);
    source.mine(40);
    const worker = work(source, { register });
    await worker.caughtUp();
    source.reorg(25, 30);
    await until(async () => (await rowOf(chain.eid)).status === 'paused');
    await forgetChain(database.db, chain.eid);
    await worker.caughtUp();
    expect(await rowOf(chain.eid)).toMatchObject({ status: 'live', problem: null, indexed: source.height });
    await worker.stop();
    const resumed = await contentOf(database.db);

    await empty(database.db);
    const fresh = work(source, { register });
    await fresh.caughtUp();
    await fresh.stop();
    expect(resumed).toEqual(await contentOf(database.db));
  });

  test('error: a provider of another chain', async () => {
    await registerChain(database.db, chain, syntheticDeployment);
    const source = new SyntheticChain(6);
    source.identity = async () => 1;
    const worker = work(source);
    await until(async () => (await rowOf(chain.eid)).problem === 'the provider of base-sepolia serves chain 1');
    await worker.stop();
  });
});

describe('startIndexer', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer(patientServer, (_, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });

  test('error: the database belongs to another deployment', async () => {
    await registerChain(database.db, chain, syntheticDeployment);
    const moved = { ...syntheticDeployment, launchpad: `0x${'9'.repeat(40)}` as const };
    const chains = [{ chain: baseSepolia, deployment: moved, rpcUrls: [url] }];
    await expect(
      startIndexer({ db: database.db, chains, createFollower: createEvmFollower, log: quiet }),
    ).rejects.toThrow('use another database');
  });

  test('error: a start that another deployment stops leaves no row of a chain that nobody follows', async () => {
    await registerChain(database.db, chain, syntheticDeployment);
    const moved = { ...syntheticDeployment, launchpad: `0x${'9'.repeat(40)}` as const };
    const chains = [
      { chain: chainBySlug('base'), deployment: moved, rpcUrls: [url] },
      { chain: baseSepolia, deployment: moved, rpcUrls: [url] },
    ];
    const starting = startIndexer({ db: database.db, chains, createFollower: createEvmFollower, log: quiet });
    await expect(starting).rejects.toThrow('use another database');
    expect(await database.db.selectFrom('chain').select('slug').execute()).toEqual([{ slug: baseSepolia.slug }]);
  });

  test('a chain that never answers: the start succeeds, the row says why, and it stops at once', async () => {
    const chains = [{ chain: baseSepolia, deployment: syntheticDeployment, rpcUrls: [url] }];
    const indexer = await startIndexer({ db: database.db, chains, createFollower: createEvmFollower, log: quiet });
    const problem = 'no provider answers: the provider answers with status 500';
    await until(async () => (await rowOf(chain.eid)).problem === problem);
    await indexer.stop();
  });
});
