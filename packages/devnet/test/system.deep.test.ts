import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chainBySlug, type Eid } from '@mintage/protocol';
import { chainTables, openDatabase, type SignerDatabase, signerTables, tablesOfAChain } from '@mintage/server/db';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DevChain, type System, type SystemOptions, seedTokensOn, startSystem } from '../src/devnet.ts';
import { freePort } from '../src/freePort.ts';
import { testDatabase } from '../src/testDatabase.ts';
import { processesOf } from './processes.ts';

type TestDatabase = Awaited<ReturnType<typeof testDatabase>>;

const scratch = mkdtempSync(join(tmpdir(), 'mintage-system-test-'));
const databases: TestDatabase[] = [];
let running: System | null = null;

const newDatabase = async (): Promise<string> => {
  const database = await testDatabase();
  databases.push(database);
  return database.url;
};

const start = async (env: Record<string, string>, options: SystemOptions = {}): Promise<System> => {
  const quiet = { LOG_LEVEL: 'silent', CHAINS: 'base-sepolia,unichain-testnet', ...env };
  running = await startSystem({ heartbeat: false, ...options, env: quiet });
  return running;
};
const stop = async (): Promise<void> => {
  await running?.stop();
  running = null;
};

afterEach(() => vi.unstubAllEnvs());

const get = (system: System, path: string): Promise<Response> => fetch(`${system.url}/functions/v1${path}`);

interface FoundToken {
  symbol: string;
  logo: string | null;
  chain: string;
}

/** The index's tokens with what the service knows of them. */
const tokensOf = async (system: System): Promise<FoundToken[]> => {
  const { rows } = await sql<FoundToken>`
    select token.symbol, token_draft.logo, chain.slug as chain
    from token join chain using (eid) left join token_draft using (token_id)
    order by chain.slug, token.symbol`.execute(system.db);
  return rows;
};

const headsOf = (system: System): Promise<number[]> =>
  Promise.all(system.chains.map(async (chain) => Number(await chain.rpc('eth_blockNumber'))));

const expectSeeds = async (system: System): Promise<void> => {
  const tokens = await tokensOf(system);
  for (const chain of system.chains) {
    const symbols = new Set(tokens.filter((token) => token.chain === chain.chain.slug).map((token) => token.symbol));
    expect(symbols).toEqual(new Set(seedTokensOn(chain).map((token) => token.symbol)));
  }
  for (const token of tokens) {
    const picture = await fetch(token.logo as string);
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toBe('image/webp');
  }
};

afterEach(stop);
afterAll(async () => {
  for (const database of databases) await database.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const laneOn = (eid: Eid) => ({ eid, wallet: '0xaa' as const, next_nonce: 7 });

describe('startSystem, kept between runs', () => {
  const home = join(scratch, 'kept');
  // The same port each time, as usual: the service stores its own address in those of the pictures.
  const env = { MINTAGE_HOME: home, PORT: '' };
  let database = '';
  let firstHeads: number[] = [];
  beforeAll(async () => {
    database = await newDatabase();
    env.PORT = String(await freePort());
  });

  it('serves seeded tokens with their pictures as soon as it returns', async () => {
    const system = await start({ ...env, DATABASE_URL: database });
    expect((await get(system, '/ready')).status).toBe(200);
    await expectSeeds(system);
    firstHeads = await headsOf(system);
  });

  it('continues with the same chains and the same database', async () => {
    const system = await start({ ...env, DATABASE_URL: database });
    expect(await headsOf(system)).toEqual(firstHeads);
    await expectSeeds(system);
  });

  it('fills a new database from kept chains', async () => {
    database = await newDatabase();
    const system = await start({ ...env, DATABASE_URL: database });
    expect(await headsOf(system)).toEqual(firstHeads);
    await expectSeeds(system);
  });

  it('I1 reads a chain anew that was deleted, and leaves the others as they are', async () => {
    rmSync(join(home, 'chains', 'base-sepolia'), { recursive: true });
    vi.stubEnv('TEST_CHAIN_TEMPLATES', ''); // another copy would be the same chain
    const db = openDatabase<SignerDatabase>(database, { maxConnections: 1 });
    await db
      .insertInto('lane')
      .values([laneOn(chainBySlug('base-sepolia').eid), laneOn(chainBySlug('unichain-testnet').eid)])
      .execute();
    await db.destroy();
    const system = await start({ ...env, DATABASE_URL: database });
    await expectSeeds(system);
    expect(await system.db.selectFrom('lane').select('eid').execute()).toEqual([
      { eid: chainBySlug('unichain-testnet').eid },
    ]);
    const [chain] = system.chains as [DevChain];
    const { rows } = await sql<{ block_number: bigint; block_hash: string }>`
      select distinct block_number, block_hash from trade where eid = ${chain.chain.eid}`.execute(system.db);
    expect(rows.length).toBeGreaterThan(0);
    for (const { block_number, block_hash } of rows) {
      const block = await chain.rpc('eth_getBlockByNumber', [`0x${block_number.toString(16)}`, false]);
      expect((block as { hash: string }).hash).toBe(block_hash);
    }
  });

  it('forgets every table that belongs to a chain', async () => {
    const system = await start({ ...env, DATABASE_URL: database });
    const { rows } = await sql<{ table_name: string }>`
      select relname as table_name from pg_class join pg_attribute on attrelid = pg_class.oid
      where attname = 'eid' and relkind in ('r', 'p') and not relispartition
        and relnamespace = current_schema()::regnamespace`.execute(system.db);
    const tables = new Set(rows.map((row) => row.table_name));
    // What people told the service, not what a chain says; and what follows the rows of `token` by itself.
    for (const other of ['token_draft', 'vote_place', 'notification', 'unlisted_token', 'token_search'])
      tables.delete(other);
    expect(new Set<string>([...tablesOfAChain(chainTables), ...tablesOfAChain(signerTables)])).toEqual(tables);
  });
});

describe('startSystem, alone', () => {
  it('needs nothing from outside, and leaves neither process nor file', async () => {
    const system = await start({ CHAINS: 'base-sepolia' });
    const { home } = system.config;
    expect((await get(system, '/ready')).status).toBe(200);
    await stop();
    expect(processesOf(home)).toEqual([]);
    expect(() => rmSync(home, { recursive: true })).toThrow('ENOENT');
  });

  it('leaves nothing behind when it cannot start, and the folder free', async () => {
    const home = join(scratch, 'failing');
    const env = { MINTAGE_HOME: home, CHAINS: 'base-sepolia', DATABASE_URL: await newDatabase() };
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await expect(start({ ...env, PORT: String(port) })).rejects.toThrow('EADDRINUSE');
    expect(processesOf(home)).toEqual([]);
    other.close();
    await start({ ...env, PORT: String(port) });
  });

  it('refuses a folder from which another one runs', async () => {
    const env = { MINTAGE_HOME: join(scratch, 'twice'), CHAINS: 'base-sepolia', DATABASE_URL: await newDatabase() };
    await start(env, { seed: false });
    const second = startSystem({ env: { ...env, LOG_LEVEL: 'silent' } });
    await expect(second).rejects.toThrow('Mintage already runs from');
  });
});

describe('npm start', () => {
  const entry = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));
  const children = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });
  const run = async (home: string) => {
    const child = spawn(process.execPath, [entry], {
      env: { ...process.env, MINTAGE_HOME: home, CHAINS: 'base-sepolia', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const exited = once(child, 'exit');
    let hasEnded = false;
    void exited.then(() => {
      hasEnded = true;
    });
    while (!said.includes('Ctrl-C stops everything')) {
      if (hasEnded) throw new Error('npm start ended by itself; why stands above.');
      await sleep(25);
    }
    return { child, exited, said: () => said };
  };

  it('error: wrong values end it, each told with its variable and what it may be', async () => {
    const wrong = { PORT: 'abc', CHAINS: 'foo', LOG_LEVEL: 'loud', MINTAGE_HOM: 'x' };
    const child = spawn(process.execPath, [entry], {
      env: { ...process.env, ...wrong },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).toBe(1);
    expect(said.split('\n')).toEqual([
      'The configuration is not valid (docs/configuration.md):',
      '  PORT is "abc": it must be a port from 0 (any free one) to 65535.',
      expect.stringMatching(/^ {2}CHAINS is "foo": it must be all, or a comma list of /),
      expect.stringMatching(/^ {2}LOG_LEVEL is "loud": it must be trace, /),
      '  MINTAGE_HOM is not a variable of ours: did you mean MINTAGE_HOME?',
      '',
    ]);
  });

  const home = join(scratch, 'started');

  it('leaves no chain behind even when it is killed', async () => {
    const { child, exited } = await run(home);
    child.kill('SIGKILL');
    await exited;
    await expect.poll(() => processesOf(join(home, 'chains'))).toEqual([]);
  });

  it('starts again in that folder, prints a request that works, stops on SIGTERM, and leaves no process', async () => {
    const { child, exited, said } = await run(home);
    const [, url = '', key = '', body = ''] =
      /curl -s (\S+) .*?Bearer (\S+)'.*?-d '(.*?)'/s.exec(said()) ?? expect.fail('no curl line');
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ success: true, transaction: { chain: 'base-sepolia' } });
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(processesOf(home)).toEqual([]);
  });
});
