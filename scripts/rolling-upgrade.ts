/**
 * `npm run rolling-upgrade -- --from REVISION [--calls N]`: a deployment of an earlier revision of this repository is replaced by this checkout,
 * process by process and in the order of docs/running.md, under load. Exits 1 unless every call was answered, what was accepted is on
 * its chain once, and the index is what a fresh one reads. Between two processes `calls` executed calls are made.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createClosers } from '@mintage/server';
import { unappliedMigrations } from '@mintage/server/db';
import { allEffects, isAtHeads, notFinal, openSteps, wrongWishes } from '../packages/devnet/test/scaleOut/aftermath.ts';
import { type Client, createClient } from '../packages/devnet/test/scaleOut/client.ts';
import { startCluster } from '../packages/devnet/test/scaleOut/cluster.ts';
import { newPerson, type Person, startLoad } from '../packages/devnet/test/scaleOut/load.ts';
import { indexOf, rebuiltIndex } from '../packages/devnet/test/scaleOut/rebuild.ts';
import { copyTree } from './install/copyTree.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({ options: { from: { type: 'string' }, calls: { type: 'string', default: '5' } } });
const { from } = values;
if (from === undefined) {
  console.error('Say which revision is replaced: npm run rolling-upgrade -- --from v0.1.0');
  process.exit(1);
}

/** The revision's files beside our packages, which are linked and not copied: the revision has to get along with them. */
const checkOut = (revision: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-earlier-'));
  const archive = execFileSync('git', ['archive', revision], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  for (const packages of ['node_modules', ...globSync('packages/*/node_modules', { cwd: root })])
    if (existsSync(join(root, packages))) copyTree(root, folder, [packages, join(folder, packages)]);
  return folder;
};

const problems = new Set<string>();
const require = (isSo: boolean, problem: string): void => {
  if (!isSo) problems.add(problem);
};
/** @throws When it takes longer than five minutes. */
const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 300_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`After five minutes: ${what}`);
    await sleep(200);
  }
};

/** A line of a log that tells of something that nobody foresaw; what is refused in words is no defect. */
const isDefect = (line: string): boolean =>
  line.includes('"type":"DatabaseError"') || (/^{"level":[56]0/.test(line) && !line.includes('"type":"MintageError"'));

/** What pages and lists ask, through both APIs; an answer that is neither one nor "not now" is a problem. */
const startReading = (client: Client, bearer: string): (() => Promise<number>) => {
  const token = { token_id: 'paper-boat' };
  const asked: [path: string, input: object][] = [
    ['/get-tokens-v2', { order_by: 'market_cap' }],
    ['/get-tokens-v2', { order_by: 'volume_1h' }],
    ['/get-tokens', { filter: 'new' }],
    ['/get-sparklines', { token_ids: ['paper-boat'] }],
    ['/get-market-summary', {}],
    ...['about', 'stats', 'candles', 'trades', 'transfers', 'activity', 'holders'].map((what): [string, object] => [
      `/get-token-${what}`,
      token,
    ]),
    ['/get-user-portfolio', {}],
    ['/get-user-pnl', {}],
    ['/get-user-fees', {}],
    ['/get-leaderboard', { network_mode: 'testnet' }],
  ];
  const over = new AbortController();
  let answered = 0;
  const reading = [0, 1].map(async (api) => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      const [path, input] = asked[turn % asked.length] as (typeof asked)[number];
      const answer = await client.once(api, path, input, { bearer }).catch(() => null); // it is being replaced
      if (answer?.status === 200) answered += 1;
      else if (answer !== null && answer.status !== 503) problems.add(`${path}: ${answer.status} ${answer.body.code}`);
      await sleep(100);
    }
  });
  return async () => {
    over.abort();
    await Promise.all(reading);
    return answered;
  };
};

const closers = createClosers();
try {
  const earlier = checkOut(from);
  closers.add(() => rmSync(earlier, { recursive: true, force: true }));
  const cluster = await startCluster({ checkout: earlier });
  closers.add(cluster.stop);
  const added = await unappliedMigrations(cluster.db);
  console.log(`${from} serves; this checkout adds ${added.length === 0 ? 'no migration' : added.join(', ')}.`);
  const client = createClient(cluster.apis);
  const people = [await newPerson(client, cluster.chains), await newPerson(client, cluster.chains)];
  const load = startLoad(client, cluster.chains, people, (below) => Math.floor(Math.random() * below));
  load.expectNoCuts();
  const stopReading = startReading(client, (people[0] as Person).accessToken);
  const more = async (when: string): Promise<void> => {
    const wanted = load.accepted() + Number(values.calls);
    await until(`too few calls were executed ${when}`, async () => load.accepted() >= wanted);
  };
  await more('by the earlier revision');

  const ofRole = (role: string) => cluster.processes.filter(({ name }) => name.startsWith(role));
  for (const each of ['indexer', 'signer', 'api'].flatMap(ofRole)) {
    const code = await each.end('SIGTERM');
    require(code === 0, `${each.name} of the earlier revision ended with ${code}`);
    await each.start(root);
    console.log(`${each.name} is replaced, after ${load.wishes.length} executed calls.`);
    await more(`after ${each.name} was replaced`);
  }
  await load.stop();
  const lists = await stopReading();
  for (const { name, said } of cluster.processes) {
    const errors = said().split('\n').filter(isDefect);
    require(errors.length === 0, `${name} met ${errors.length} errors, the first: ${errors[0]?.slice(0, 500)}`);
  }

  await until('intents are not mined', async () => (await openSteps(cluster)) === 0);
  await until('intents are not final', async () => (await notFinal(cluster)) === 0);
  const wrong = wrongWishes(load, await allEffects(cluster));
  require(wrong.length === 0, `${wrong.length} executed calls are not on their chain once: ${JSON.stringify(wrong)}`);
  await until('the index is behind', () => isAtHeads(cluster));
  const isSame = isDeepStrictEqual(await indexOf(cluster.db), await rebuiltIndex(cluster.chains));
  require(isSame, 'the index is not what a fresh one reads');
  const { reads, signIns } = load.counts;
  console.log(
    `${load.wishes.length} executed calls, ${reads + lists} reads, ${signIns} sign-ins, ${load.keysMade.length} keys.`,
  );
} catch (error) {
  problems.add((error as Error).message);
} finally {
  await closers.closeAll();
}
console.log(problems.size === 0 ? 'Nothing was refused, lost or doubled.' : [...problems].join('\n'));
process.exitCode = problems.size === 0 ? 0 : 1;
