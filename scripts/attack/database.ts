import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newUser, post, send, startLoad, Tally, untilSo } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { remove, startOwnDatabase, startService, temporaryFolder, unlimited } from './service.ts';

const terminations = 20;

/** All connections to the database ended twenty times under load, then the server frozen, killed and started again. */
export const attackDatabase: Part = async ({ find, tell }) => {
  await using started = new AsyncDisposableStack();
  const database = started.use(await startOwnDatabase(started.adopt(temporaryFolder(), remove)));
  const service = started.use(await startService({ RATE_LIMITS: unlimited }, database.url));
  const user = await newUser(service);
  const { url, process: child } = service;
  const pid = child.pid();

  const tally = new Tally();
  let sent = 0;
  const load = startLoad(8, async () => {
    sent += 1;
    const to = `0x${(0xbeef_0000 + sent).toString(16).padStart(40, '0')}`;
    tally.add(await post(url, '/search-token', { input: 'paper-boat' }));
    tally.add(await post(url, '/get-user-portfolio', {}, user));
    tally.add(await post(url, '/api-keys/list', {}, user));
    if (sent % 8 === 0) tally.add(await send(url, user, to));
    if (child.pid() !== pid) await sleep(100); // nobody is there to be asked
  });
  started.defer(() => load.stop());

  let ended = 0;
  for (let i = 0; i < terminations && child.pid() === pid; i += 1) {
    ended += await terminateAll(database.url);
    await sleep(300);
  }
  find({ what: `connections ended, in ${terminations} goes`, figure: String(ended), bound: '> 0', pass: ended > 0 });
  find(none('ends of the process by lost connections', child.pid() === pid ? 0 : 1));

  database.freeze();
  const frozen = await Promise.all(
    Array.from({ length: 20 }, () => post(url, '/search-token', { input: 'paper-boat' })),
  );
  database.thaw();
  find(none('reads of a frozen database not answered 503', frozen.filter(({ status }) => status !== 503).length));
  find(atMost('the longest of them', Math.max(...frozen.map(({ ms }) => ms)) / 1000, 3, ' s'));

  const isBack = async () => (await post(url, '/get-user-portfolio', {}, user)).status === 200;
  if (child.pid() !== pid) await child.start();
  const again = child.pid();
  database.kill(); // it is started again in place, by us, who started it
  const isAway = async () => (await post(url, '/get-user-portfolio', {}, user)).status === 503;
  const wasAway = (await untilSo(isAway, 5_000)) < Number.POSITIVE_INFINITY;
  find({ what: 'answer while the database is away', figure: wasAway ? '503' : 'another', bound: '503', pass: wasAway });
  const back = await untilSo(isBack);
  find(none('ends of the process by a killed database', child.pid() === again ? 0 : 1));
  find(atMost('reads are back after', back / 1000, 10, ' s'));
  const to = `0x${'be'.repeat(20)}`;
  const sends = await untilSo(async () => (await send(url, user, to)).status === 200);
  find(atMost('executing is back after', sends / 1000, 30, ' s'));
  await load.stop();
  tell(`answers: ${tally}`);
  for (const { msg, err } of service.errors().slice(0, 5)) tell(JSON.stringify({ msg, err }).slice(0, 400));
  find(none('answers 500', tally.of(500)));
};

const terminateAll = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
};
