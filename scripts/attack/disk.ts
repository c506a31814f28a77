import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { newUser, post, send, Tally, untilSo } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { remove, startOwnDatabase, startService, temporaryFolder, unlimited } from './service.ts';

const sizeMiB = 256;

/** The disk of the tables runs full and gets room again. The tables are in a small file system of their own. */
export const attackDisk: Part = async ({ find, tell }) => {
  await using started = new AsyncDisposableStack();
  const home = started.adopt(temporaryFolder(), remove);
  const small = join(home, 'small');
  if (!mount(small)) {
    find({
      what: 'a full disk',
      figure: 'a small file system can be mounted by root on Linux only',
      bound: '',
      pass: null,
    });
    return;
  }
  const unmount = (): void => void execFileSync('umount', ['-l', small]);
  process.once('exit', unmount);
  started.defer(() => {
    process.removeListener('exit', unmount);
    unmount();
  });
  const database = started.use(await startOwnDatabase(home));
  await moveTo(database.url, home, small);
  const service = started.use(await startService({ RATE_LIMITS: unlimited }, database.url));
  const { url, process: child } = service;
  const pid = child.pid();
  const user = await newUser(service);
  let sends = 0;
  const sendOne = () => send(url, user, `0x${(0xd15c_0000 + (sends += 1)).toString(16).padStart(40, '0')}`);
  await sendOne();

  const ballast = join(small, 'ballast');
  fill(ballast);
  const [executed, read] = [new Tally(), new Tally()];
  // Pages that are begun already take some rows more.
  for (let i = 0; i < 200 && executed.of(503, 500) < 10 && child.pid() === pid; i += 1) {
    executed.add(await sendOne());
    read.add(await post(url, '/get-user-portfolio', {}, user));
    read.add(await post(url, '/search-token', { input: 'paper-boat' }));
  }
  tell(`full: executing ${executed}; reading ${read}`);
  const noRoom = executed.of(503, 500);
  find({ what: 'executing calls that found no room', figure: String(noRoom), bound: '> 0', pass: noRoom > 0 });
  find(none('of them answered otherwise than 503', noRoom - executed.of(503)));
  find(none('reads that did not go on', read.all - read.of(200)));
  rmSync(ballast);
  const back = await untilSo(async () => (await sendOne()).status === 200);
  find(atMost('executing is back after', back / 1000, 30, ' s'));
  find(none('ends of the process', child.pid() === pid ? 0 : 1));
};

const mount = (folder: string): boolean => {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** The log stays where it was: a server whose log finds no room ends, and nobody could be answered. */
const moveTo = async (url: string, home: string, small: string): Promise<void> => {
  const tables = join(small, 'tables');
  mkdirSync(tables);
  const { uid, gid } = statSync(join(home, 'postgres/data'));
  chownSync(tables, uid, gid);
  chmodSync(tables, 0o700);
  const other = new URL(url);
  other.pathname = '/postgres';
  const client = new pg.Client({ connectionString: other.href });
  await client.connect();
  try {
    await client.query(`create tablespace small location '${tables}'`);
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'mintage'`);
    await client.query('alter database mintage set tablespace small');
  } finally {
    await client.end();
  }
};

const fill = (path: string): void => {
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4_096);
  try {
    for (;;) if (writeSync(file, block) < block.length) break;
    fsyncSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
};
