import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../src/freePort.ts';
import { until } from '../../src/until.ts';
import { spawnGuarded } from './spawnGuarded.ts';

/**
 * PostgreSQL as an operator runs it who wants to lose nothing: one server takes writes and two follow it, and a commit waits until
 * any of them has it. Servers of Debian, each with its own folder and port.
 */
export interface PostgresServers {
  all: readonly PostgresServer[];
  /** The one that takes writes. */
  primary(): PostgresServer;
  /** Makes a standby take the writes: the one that has received most, as the operator's tools do, or another. @returns It. */
  promote(chosen?: PostgresServer): Promise<PostgresServer>;
  /** A server that was left behind begins again as a standby, with a fresh copy. */
  rejoin(server: PostgresServer): Promise<void>;
  /** A server begins again as a standby of another database, whose log is much longer. */
  estrange(server: PostgresServer): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresServer {
  name: string;
  url: string;
  /** Of the process that started all others of it. */
  pid(): number;
  /** At once, with everything that it runs: as when the machine loses its power. */
  kill(): Promise<void>;
  /** Nothing of it moves any more, and nobody is told: as when the machine is out of reach. */
  freeze(): void;
  thaw(): void;
  /** With what it held when it was killed, and as what it was then. */
  start(): Promise<void>;
  /** The answer to a question, null while it gives none. */
  ask<Row>(question: string): Promise<Row | null>;
}

const names = ['one', 'two', 'three'] as const;
type Name = (typeof names)[number];

/** The newest of Debian's versions. */
const binaries = (): string => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0];
  if (newest === undefined) throw new Error('These tests need PostgreSQL: apt-get install postgresql');
  return join(root, newest, 'bin');
};

/** PostgreSQL does not run as root. */
const asNobody = (words: string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', ['--reuid=nobody', '--regid=nogroup', '--clear-groups', '--', ...words]]
    : [words[0] as string, words.slice(1)];

const run = (words: string[]): void => {
  execFileSync(...asNobody(words), { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
};

export const startPostgresServers = async (): Promise<PostgresServers> => {
  const bin = binaries();
  const home = mkdtempSync(join(tmpdir(), 'mintage-servers-'));
  chmodSync(home, 0o755);
  const ports: Record<Name, number> = { one: await freePort(), two: await freePort(), three: await freePort() };
  const children = new Map<Name, ChildProcess>();
  let primary: Name = 'one';

  const folderOf = (name: Name): string => join(home, name);
  const urlOf = (name: Name, database = 'mintage'): string => `postgres://mintage@127.0.0.1:${ports[name]}/${database}`;
  /** Whichever of them takes writes. */
  const upstream = (name: Name): string =>
    [
      `host=${names.map(() => '127.0.0.1').join(',')}`,
      `port=${names.map((each) => ports[each]).join(',')}`,
      `user=mintage application_name=${name} target_session_attrs=read-write connect_timeout=2`,
    ].join(' ');
  const settingsOf = (name: Name): Record<string, string> => ({
    listen_addresses: '127.0.0.1',
    port: String(ports[name]),
    unix_socket_directories: '',
    synchronous_standby_names: `ANY 1 (${names.join(', ')})`,
    primary_conninfo: upstream(name),
    wal_retrieve_retry_interval: '200ms',
    wal_keep_size: '256MB',
    wal_receiver_timeout: '2s',
    hot_standby: 'on',
    max_connections: '200',
    shared_buffers: '64MB',
    dynamic_shared_memory_type: 'mmap',
    jit: 'off',
    timezone: 'UTC',
    // What a killed process wrote is still there; only a machine that dies needs it forced to its disk.
    fsync: 'off',
  });

  const ask = async <Row>(name: Name, question: string, database?: string): Promise<Row | null> => {
    const client = new pg.Client({ connectionString: urlOf(name, database), connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined); // the query rejects with it
    try {
      await client.connect();
      return (await client.query(question)).rows[0] ?? null;
    } catch {
      return null;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const start = async (name: Name): Promise<void> => {
    const settings = Object.entries(settingsOf(name)).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const child = spawnGuarded(...asNobody([join(bin, 'postgres'), '-D', folderOf(name), ...settings]));
    child.stdout.resume();
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-2_000);
    });
    children.set(name, child);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ${name} ended: ${said}`);
      return (await ask(name, 'select 1', 'postgres')) !== null;
    });
  };
  /** It and all it started, which are groups of their own. */
  const pidsOf = (name: Name): number[] => {
    const { pid } = children.get(name) as ChildProcess;
    const file = `/proc/${pid}/task/${pid}/children`;
    if (!existsSync(file)) return [];
    return [pid as number, ...readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number)];
  };
  const signal = (name: Name, which: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void => {
    for (const pid of pidsOf(name)) {
      try {
        process.kill(pid, which);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it ended by itself
      }
    }
  };
  const kill = async (name: Name): Promise<void> => {
    const child = children.get(name) as ChildProcess;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    signal(name, 'SIGKILL');
    await exited;
  };
  const follow = async (name: Name): Promise<void> => {
    rmSync(folderOf(name), { recursive: true, force: true });
    run([join(bin, 'pg_basebackup'), '-D', folderOf(name), '-d', urlOf(primary, 'postgres'), '-c', 'fast', '-R']);
    await start(name);
    const isFollowing = `select 1 from pg_stat_replication where application_name = '${name}' and state = 'streaming'`;
    await until(async () => (await ask(primary, isFollowing, 'postgres')) !== null);
  };
  const make = (name: Name): void =>
    run([join(bin, 'initdb'), '-D', folderOf(name), '-U', 'mintage', '--auth=trust', '--encoding=UTF8', '--no-sync']);
  const estrange = async (name: Name): Promise<void> => {
    await kill(name);
    rmSync(folderOf(name), { recursive: true });
    make(name);
    run([join(bin, 'pg_resetwal'), '-f', '-l', '000000010000000A00000001', '-D', folderOf(name)]);
    await start(name);
    await ask(name, 'create database mintage', 'postgres?options=-c%20synchronous_commit%3Dlocal');
    await kill(name);
    run(['touch', join(folderOf(name), 'standby.signal')]);
    await start(name);
  };
  const standbys = (): Name[] => names.filter((name) => name !== primary);

  const all = names.map(
    (name): PostgresServer => ({
      name,
      url: urlOf(name),
      pid: () => (children.get(name) as ChildProcess).pid as number,
      kill: () => kill(name),
      start: () => start(name),
      freeze: () => signal(name, 'SIGSTOP'),
      thaw: () => signal(name, 'SIGCONT'),
      ask: (question) => ask(name, question),
    }),
  );
  const named = (name: Name): PostgresServer => all.find((server) => server.name === name) as PostgresServer;
  const stop = async (): Promise<void> => {
    for (const name of children.keys()) await kill(name);
    rmSync(home, { recursive: true, force: true });
  };

  try {
    mkdirSync(folderOf('one'));
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'nobody:nogroup', home]);
    make('one');
    await start('one');
    for (const name of standbys()) await follow(name);
    await ask('one', 'create database mintage', 'postgres');
    for (const name of names) await until(async () => (await ask(name, 'select 1')) !== null);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    all,
    primary: () => named(primary),
    async promote(chosen) {
      const received = await Promise.all(
        standbys().map(async (name) => {
          const answer = await ask<{ at: string }>(name, `select pg_last_wal_receive_lsn() - '0/0' as at`);
          return { name, at: BigInt(answer?.at ?? -1) };
        }),
      );
      const [first] = received.toSorted((one, other) => Number(other.at - one.at));
      primary = (chosen ?? first)?.name as Name;
      await ask(primary, 'select pg_promote(wait => true)');
      return named(primary);
    },
    async rejoin({ name }) {
      await kill(name as Name);
      await follow(name as Name);
    },
    estrange: ({ name }) => estrange(name as Name),
    stop,
  };
};
