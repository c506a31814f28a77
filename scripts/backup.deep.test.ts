import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type DevChain, seedChain, startChains } from '@mintage/devnet';
import { freePort } from '@mintage/devnet/freePort';
import { keepDeployments } from '@mintage/devnet/keepDeployments';
import { emptyDatabase, testDatabase } from '@mintage/devnet/testDatabase';
import { encodeTransfer } from '@mintage/protocol';
import { createClosers } from '@mintage/server';
import { type BackupManifest, backUp, chainTables, type RunningDatabase, restore } from '@mintage/server/db';
import { makeKekFile } from '@mintage/server/keys';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../packages/devnet/test/scaleOut/client.ts';
import { newPerson, type Person } from '../packages/devnet/test/scaleOut/load.ts';
import { type RoleProcess, roleProcess } from '../packages/devnet/test/scaleOut/roleProcess.ts';
import { contentOf } from '../packages/server/test/index/tables.ts';

/** By the command line, which hands its words to the checkout's script. */
const mintage = async (words: string[], env: Record<string, string>) => {
  const program = fileURLToPath(new URL('../packages/cli/src/mintage.ts', import.meta.url));
  const child = spawn(process.execPath, [program, ...words, '--json'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
};

/** A deployment that loses its database, and has a backup: by a server of its own, and by the embedded one. */
describe('mintage backup and restore', () => {
  const closers = createClosers();
  const folder = mkdtempSync(join(tmpdir(), 'mintage-backup-'));
  const home = join(folder, 'home');
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  let database: RunningDatabase;
  let chain: DevChain;
  let service: RoleProcess;
  let url: string;
  let person: Person;

  const serve = async (databaseUrl: string): Promise<void> => {
    const port = await freePort();
    service = roleProcess('service', {
      DEVNET: '0',
      NEW_ACCESS_DELAY_HOURS: '0',
      DATABASE_URL: databaseUrl,
      MINTAGE_HOME: home,
      CHAINS: chain.chain.slug,
      RPC_URL_BASE_SEPOLIA: chain.rpcUrl,
      PORT: String(port),
      KEK_FILE: join(home, 'wallets.kek'),
      LOG_LEVEL: 'error',
    });
    await service.start();
    url = `http://127.0.0.1:${port}/functions/v1`;
  };
  const anEmptyDatabase = async (): Promise<RunningDatabase> => {
    const empty = await emptyDatabase();
    closers.add(empty.stop);
    return empty;
  };
  const indexOf = async ({ db }: RunningDatabase) => {
    const content = await contentOf(db);
    return Object.fromEntries(Object.entries(content).filter(([name]) => Object.hasOwn(chainTables, name)));
  };
  const isAtHead = async ({ db }: RunningDatabase): Promise<boolean> => {
    const row = await db.selectFrom('chain').select(['indexed', 'rolled_block']).executeTakeFirst();
    const head = Number(await chain.rpc('eth_blockNumber'));
    return row?.indexed === head && row.rolled_block === head;
  };
  const manifest = (of: string): BackupManifest => JSON.parse(readFileSync(join(of, 'backup.json'), 'utf8'));
  const tablesIn = (of: string) => manifest(of).tables.filter(({ name }) => name !== 'signing_pause');

  beforeAll(async () => {
    chmodSync(folder, 0o711); // the server may run under another account
    closers.add(() => rmSync(folder, { recursive: true, force: true }));
    database = await testDatabase();
    closers.add(database.stop);
    const local = await startChains(['base-sepolia'], { seed: seedChain, heartbeat: false });
    closers.add(local.stop);
    chain = local.chains[0] as DevChain;
    keepDeployments(home, [chain.deployment]);
    makeKekFile(join(home, 'wallets.kek'));
    await serve(database.url);
    closers.add(async () => {
      await service.end('SIGKILL');
    });
    person = await newPerson(createClient([url, url]), [chain]);
    await sql`insert into media_block (cid, content_type, bytes)
      values ('bafy', 'image/png', ${Buffer.concat([Buffer.from('\n\\.\n\t\0'), randomBytes(200_000)])})`.execute(
      database.db,
    );
  });
  afterAll(() => closers.closeAll());

  it('all but the index comes back, into either kind of database, byte for byte', async () => {
    const taken = await mintage(['backup', first], { DATABASE_URL: database.url });
    expect(taken).toMatchObject({ code: 0, err: '' });
    expect(statSync(first).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(first)) expect(statSync(join(first, name)).mode & 0o777).toBe(0o600);
    const rowsOf = Object.fromEntries(manifest(first).tables.map(({ name, rows }) => [name, rows]));
    expect(rowsOf).toMatchObject({ app_user: 1, api_key: 1, embedded_wallet: 1, media_block: 1, signing_pause: 0 });
    expect(rowsOf.intent).toBeGreaterThan(0);
    expect(Object.keys(rowsOf)).not.toContain('trade');

    const embedded = { MINTAGE_HOME: join(folder, 'embedded') };
    expect(await mintage(['restore', first], embedded)).toMatchObject({ code: 0, err: '' });
    expect(await mintage(['backup', second], embedded)).toMatchObject({ code: 0, err: '' });
    expect(tablesIn(second)).toEqual(tablesIn(first));
    expect(manifest(second).tables.find(({ name }) => name === 'signing_pause')?.rows).toBe(1);
  });

  it('the index is read again and is the same, keys work, and wallets sign once an operator resumes', async () => {
    await expect.poll(() => isAtHead(database)).toBe(true);
    expect(await service.end('SIGTERM')).toBe(0);
    const before = await indexOf(database);
    expect(before.trade?.length).toBeGreaterThan(10);

    const other = await anEmptyDatabase();
    expect(await mintage(['restore', second], { DATABASE_URL: other.url })).toMatchObject({ code: 0, err: '' });
    await serve(other.url);
    await expect.poll(() => isAtHead(other)).toBe(true);
    expect(await indexOf(other)).toEqual(before);

    const send = async () => {
      const to = `0x${randomBytes(20).toString('hex')}` as const;
      const response = await fetch(`${url}/send-transaction`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${person.apiKey.key}`,
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify({
          to: chain.deployment.usd,
          data: encodeTransfer(to, 1n),
          chainSlug: chain.chain.slug,
        }),
      });
      const { code = 'sent' } = (await response.json()) as { code?: string };
      return code;
    };
    expect(await send()).toBe('EXECUTION_PAUSED');
    expect(await mintage(['admin', 'resume'], { DATABASE_URL: other.url })).toMatchObject({ code: 0 });
    await expect.poll(send).toBe('sent');
  });

  it('behavior: a backup that was interrupted starts anew, unless it is still under way', async () => {
    const into = join(folder, 'interrupted');
    mkdirSync(`${into}.unfinished`);
    writeFileSync(join(`${into}.unfinished`, 'token_draft.copy.gz'), 'half');
    const left: string[] = [];
    await database.db.connection().execute(async (holder) => {
      const key = `backup ${into}`;
      await sql`select pg_advisory_lock(hashtext(${key}))`.execute(holder);
      await expect(backUp(database.db, into)).rejects.toThrow('is under way');
      await sql`select pg_advisory_unlock(hashtext(${key}))`.execute(holder);
    });
    await backUp(database.db, into, (path) => left.push(path));
    expect(left).toEqual([`${into}.unfinished`]);
    expect(existsSync(`${into}.unfinished`)).toBe(false);
    expect(manifest(into).tables.length).toBeGreaterThan(0);
    rmSync(into, { recursive: true });
  });

  it('error: nothing is changed by a backup that is damaged, unknown or not alone', async () => {
    const empty = await anEmptyDatabase();
    const refused = (of: string, into = empty) =>
      restore(into.db, of).then(
        () => 'it was restored',
        ({ message }: Error) => message,
      );
    expect(await refused(first, database)).toContain('the database has tables already');
    expect(await refused(folder)).toContain('is no backup');

    const damaged = join(folder, 'damaged');
    cpSync(first, damaged, { recursive: true });
    const file = join(damaged, 'media_block.copy.gz');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 100));
    expect(await refused(damaged)).toContain('media_block in the backup is not what was written');

    const later = join(folder, 'later');
    cpSync(first, later, { recursive: true });
    const told = manifest(later);
    writeFileSync(join(later, 'backup.json'), JSON.stringify({ ...told, migrations: [...told.migrations, '9.sql'] }));
    expect(await refused(later)).toContain('this version does not have 9.sql');

    writeFileSync(join(later, 'backup.json'), '{');
    expect(await refused(later)).toContain('backup.json is not as this version writes it');

    const { rows } = await sql`select from pg_class where relnamespace = 'public'::regnamespace`.execute(empty.db);
    expect(rows).toEqual([]);
    await expect(backUp(database.db, first)).rejects.toThrow('is there already');
    await expect(backUp(empty.db, join(folder, 'none'))).rejects.toThrow('migration');

    const broken = join(folder, 'broken');
    cpSync(first, broken, { recursive: true });
    const line = 'no number\n';
    writeFileSync(join(broken, 'media_block.copy.gz'), gzipSync(line));
    const sha256 = createHash('sha256').update(line).digest('hex');
    const tables = told.tables.map((one) => (one.name === 'media_block' ? { ...one, rows: 1, sha256 } : one));
    writeFileSync(join(broken, 'backup.json'), JSON.stringify({ ...told, tables }));
    expect(await refused(broken)).toMatch(/could not be restored .*drop the database/);
    expect(await refused(first)).toContain('drop what is left');
    expect(readdirSync(folder).toSorted()).toEqual([
      'broken',
      'damaged',
      'embedded',
      'first',
      'home',
      'later',
      'second',
    ]);
  });
});
