import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { platformIdOf, tokenIdOf } from '@mintage/protocol';
import { createClosers } from '@mintage/server';
import { openDatabase, type RunningDatabase } from '@mintage/server/db';
import { makeIntentKeyFiles, makeKekFile } from '@mintage/server/keys';
import { sql } from 'kysely';
import pg from 'pg';
import { numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevChain, type SeedToken, seedAddress, seedChain, seedTokensOn, startChains } from '../src/devnet.ts';
import { freePort } from '../src/freePort.ts';
import { patientServer } from '../src/patientServer.ts';
import { type Proxy, startProxy } from '../src/proxy.ts';
import { keepDeployments } from './keepDeployments.ts';
import { createClient } from './scaleOut/client.ts';
import { newPerson, type Person } from './scaleOut/load.ts';
import { type PostgresServers, startPostgresServers } from './scaleOut/postgresServers.ts';
import { type RoleProcess, roleProcess } from './scaleOut/roleProcess.ts';
import { opsFile, type Prometheus, startPrometheus } from './watching/prometheus.ts';

/** An alert that waits for two minutes waits for one second here. */
const times = 120;
/** In the API: it keeps 800 MB when it is told to. */
const leak = `process.on('SIGUSR2', () => { globalThis.leaked = Buffer.alloc(8e8, 1); });`;

/**
 * A deployment, and Prometheus with our rules, as operators have them. Each alert is raised by what it is about, and was not raised before. What
 * takes half a minute to be noticed is broken first and looked at later.
 */
describe('alerts', () => {
  const closers = createClosers();
  const home = mkdtempSync(join(tmpdir(), 'mintage-alerts-'));
  let servers: PostgresServers;
  let database: Pick<RunningDatabase, 'url' | 'db'>;
  /** Its blocks are final after eight. */
  let quick: DevChain;
  /** With tokens, and behind a second provider. */
  let seeded: DevChain;
  let second: Proxy;
  let url: string;
  let person: Person;
  let prometheus: Prometheus;
  let api: RoleProcess;
  let signer: RoleProcess;
  let seededIndexer: RoleProcess;

  const call = (path: string, body: object = {}, bearer = person.accessToken): Promise<Response> =>
    fetch(`${url}/functions/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      body: JSON.stringify(body),
    });
  /** Asks the providers of the seeded chain. */
  const readBooks = (): Promise<Response> => fetch(`${url}/functions/v1/solvency?chainSlug=${seeded.chain.slug}`);
  /** Sends nothing to itself from the embedded wallet. */
  const execute = (): Promise<Response> =>
    call('/send-transaction', { to: person.wallet, amount: '0', data: '0x', chainSlug: quick.chain.slug });
  /** Does something again and again until the alert fires. */
  const until = async (alert: string, again: () => Promise<unknown>): Promise<void> => {
    const stopping = new AbortController();
    const running: Promise<unknown>[] = [];
    const loop = (async () => {
      for (; !stopping.signal.aborted; await sleep(200)) running.push(again().catch(() => undefined));
    })();
    try {
      await expectFiring(alert);
    } finally {
      stopping.abort();
      await loop;
    }
  };
  const fired = new Set<string>();
  const expectFiring = async (alert: string): Promise<void> => {
    await expect.poll(() => prometheus.firing()).toContain(alert);
    fired.add(alert.split(' ')[0] as string);
  };
  /** What was broken before may have raised the alert too (a locked table makes calls slow): it must end before it is raised on purpose. */
  const expectQuiet = async (...alerts: string[]): Promise<void> => {
    const ours = async () => (await prometheus.firing()).filter((one) => alerts.includes(one));
    await expect.poll(ours).toEqual([]);
  };
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined); // the database is stopped while it may be open
    await client.connect();
    return client;
  };
  const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();

  beforeAll(async () => {
    closers.add(() => rmSync(home, { recursive: true, force: true }));
    servers = await startPostgresServers();
    closers.add(servers.stop);
    const { url: address } = servers.primary();
    database = { url: address, db: openDatabase(address, { onConnectionLost() {} }) };
    closers.add(() => database.db.destroy());
    const [one, other] = await Promise.all([
      startChains(['monad']),
      startChains(['base-sepolia'], { seed: seedChain }),
    ]);
    closers.add(one.stop);
    closers.add(other.stop);
    [quick, seeded] = [one.chains[0] as DevChain, other.chains[0] as DevChain];
    second = await startProxy(seeded.rpcUrl);
    closers.add(() => second.stop().catch(() => undefined));
    keepDeployments(home, [quick.deployment, seeded.deployment]);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const start = (ROLES: string, env: Record<string, string> = {}): RoleProcess => {
      const kek = join(home, `${ROLES}.kek`);
      if (ROLES !== 'indexer') makeKekFile(kek);
      const made = roleProcess(ROLES, {
        DEVNET: '0',
        NEW_ACCESS_DELAY_HOURS: '0',
        DATABASE_URL: database.url,
        MINTAGE_HOME: home,
        CHAINS: 'monad,base-sepolia',
        RPC_URL_MONAD: quick.rpcUrl,
        RPC_URL_BASE_SEPOLIA: `${second.url},${seeded.rpcUrl}`,
        LOG_LEVEL: 'fatal',
        PORT: String(port),
        WEBHOOKS_TO_LOOPBACK: '1',
        RATE_LIMITS: JSON.stringify({ anonymous: 1e6, authenticated: 1e6, signIn: 1e6, writeDivisor: 1 }),
        KEK_FILE: kek,
        ...makeIntentKeyFiles(home),
        ROLES,
        ...env,
      });
      closers.add(async () => {
        await made.end('SIGKILL');
      });
      return made;
    };
    const named = servers.all.map(({ url: of }) => `${of}?application_name=api`);
    api = start('api', {
      DATABASE_URL: named[0] as string,
      DATABASE_REPLICA_URLS: named.slice(1).join(','),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(leak)}`,
    });
    signer = start('signer');
    seededIndexer = start('indexer', { CHAINS: 'base-sepolia' });
    const processes = [api, signer, seededIndexer, start('indexer', { CHAINS: 'monad' })];
    await Promise.all(processes.map((process) => process.start()));
    prometheus = await startPrometheus(port, times);
    closers.add(prometheus.stop);
    person = await newPerson(createClient([`${url}/functions/v1`, `${url}/functions/v1`]), [seeded]);
    await quick.rpc('anvil_setBalance', [person.wallet, numberToHex(10n ** 24n)]);
  });
  afterAll(() => closers.closeAll());

  it('the files are as Prometheus wants them', async () => {
    const promtool = (words: string[], input = ''): string =>
      execFileSync('promtool', words, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
    expect(promtool(['check', 'config', '--lint-fatal', opsFile('prometheus/prometheus.yaml')])).toContain('SUCCESS');
    // What is checked there of names and words; the names that begin with `nodejs` are a library's.
    const ours = (await metrics()).split('\n').filter((line) => !/^(# \w+ )?nodejs/.test(line));
    promtool(['check', 'metrics'], ours.join('\n'));
  });

  it('rules and dashboard name only metrics that there are, and every alert stands in the documentation', async () => {
    const shown = await metrics();
    const rules = await prometheus.rules();
    const dashboard = readFileSync(opsFile('grafana/mintage.json'), 'utf8');
    const named = [...rules.map(({ query }) => query), dashboard].flatMap((text) => [
      ...text.matchAll(/\b(?:mintage|process|nodejs)_[a-z0-9_]+/g),
    ]);
    const missing = named.filter(([name]) => !shown.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `));
    expect(missing.map(([name]) => name)).toEqual([]);
    expect(named.length).toBeGreaterThan(rules.length);

    const docs = readFileSync(new URL('../../../docs/running.md', import.meta.url), 'utf8');
    const described = [...docs.matchAll(/^\| `(Mintage\w+)` \|/gm)].map(([, name]) => name);
    expect(described.toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
    for (const { labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(critical|warning)$/);
      expect(Object.keys(annotations).toSorted()).toEqual(['description', 'runbook', 'summary']);
    }
  });

  it('nothing fires while all is well', async () => {
    await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(200);
    await expect.poll(() => prometheus.firing()).toEqual([]);
  });

  it('webhooks: two receivers answer with errors', async () => {
    const subscription = { topic: 'tokenActivity', chains: [seeded.chain.slug], cursor: 'latest' };
    for (let i = 0; i < 2; i++) {
      const receiver = createServer(patientServer, (_request, response) => response.writeHead(500).end());
      await once(receiver.listen(0, '127.0.0.1'), 'listening');
      closers.add(() => void receiver.close());
      const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
      expect((await call('/create-webhook', { url: address, subscription })).status).toBe(200);
    }
    const token = seedTokensOn(seeded).find(({ symbol }) => symbol === 'BOAT') as SeedToken;
    const tokenId = tokenIdOf(platformIdOf(await seedAddress(seeded, token), seeded.chain.eid));
    const order = { direction: 'buy', buyAmountUSD: 5, slippageBps: 1_000, execute: true };
    expect((await call('/trade-token', { tokenId, chainSlug: seeded.chain.slug, ...order })).status).toBe(200);
    await expectFiring('MintageWebhooksFail');
  });

  it('breaks what takes half a minute to be noticed: blocks, an indexer, a provider, and signing', async () => {
    await expectQuiet('MintageNotMined monad', 'MintageIndexLags base-sepolia', 'MintageOneProvider base-sepolia');
    await expectQuiet('MintageSigningPaused');
    await quick.rpc('evm_setAutomine', [false]);
    await quick.rpc('evm_setIntervalMining', [0]);
    expect((await execute()).status).toBe(200);
    await seededIndexer.end('SIGKILL');
    await second.stop();
    for (let i = 0; i < 3; i++) await readBooks();
    await sql`insert into signing_pause (reason) values ('a test')`.execute(database.db);
    await expect.poll(metrics).toMatch(/^mintage_signing_paused 1$/m);
  });

  it('database: a lock holds up every connection, and statements run out of time', async () => {
    await expectQuiet('MintageDatabaseBusy', 'MintageDatabaseSlow');
    const holder = await connect();
    await holder.query('begin; lock table referral_code');
    const read = () => call('/get-referral-code', { code: 'ALICE' });
    await until('MintageDatabaseBusy', read);
    await until('MintageDatabaseSlow', read);
    await holder.end();
  });

  it.each([
    ['MintageIndexLags base-sepolia', 'its indexer was killed'],
    ['MintageOneProvider base-sepolia', 'one of two is gone'],
    ['MintageSigningPaused', 'nobody resumed it'],
    ['MintageNotMined monad', 'the chain makes no block'],
  ])('%s: %s', (alert) => expectFiring(alert));

  it('signers and memory: the only signer was killed, so requests wait and fail; the API keeps 800 MB', async () => {
    await sql`delete from signing_pause`.execute(database.db);
    await quick.rpc('evm_setIntervalMining', [1]);
    await expectQuiet('MintageNoSigner', 'MintageErrors', 'MintageSlow', 'MintageMemoryGrows');
    process.kill(api.pid() as number, 'SIGUSR2');
    const grown = expectFiring('MintageMemoryGrows');
    await signer.end('SIGKILL');
    await expectFiring('MintageNoSigner');
    await Promise.all([until('MintageErrors', execute), until('MintageSlow', execute), grown]);
  });

  it('index: the chain changes below its final block', async () => {
    await expectQuiet('MintageIndexPaused monad');
    await quick.rpc('anvil_reorg', [20, []]);
    await expectFiring('MintageIndexPaused monad');
  });

  it('chain: its last provider is gone', async () => {
    await expectQuiet('MintageChainDown base-sepolia');
    await seeded.stop();
    await until('MintageChainDown base-sepolia', readBooks);
  });

  it('database: one of its standbys is gone', async () => {
    await expectQuiet('MintageDatabaseServerAway');
    const standby = servers.all.find((server) => server !== servers.primary());
    await standby?.kill();
    await expectFiring('MintageDatabaseServerAway');
  });

  it('database: others have all of its connections', async () => {
    await expectQuiet('MintageDatabaseFull');
    const others: pg.Client[] = [];
    const takeAll = async (): Promise<void> => {
      for (let one = await connect().catch(() => null); one !== null; one = await connect().catch(() => null))
        others.push(one);
    };
    await takeAll();
    await until('MintageDatabaseFull', async () => {
      await others[0]?.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'api'`);
      await takeAll();
      await call('/me');
    });
    await Promise.all(others.map((client) => client.end()));
  });

  it('database: it is gone', async () => {
    await expectQuiet('MintageDatabaseAway');
    await servers.primary().kill();
    await until('MintageDatabaseAway', () => call('/me'));
  });

  it('API: it was killed', async () => {
    await expectQuiet('MintageApiDown');
    await api.end('SIGKILL');
    await expectFiring('MintageApiDown');
  });

  it('there is no rule that was not fired', async () => {
    expect([...fired].toSorted()).toEqual((await prometheus.rules()).map(({ name }) => name).toSorted());
  });
});
