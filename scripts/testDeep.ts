/**
 * `npm run test:deep`: the deep set, by subject, with a verdict and a time for each: files whose name ends in `.deep.test.ts`, the contracts' story through
 * the compiler's other pipeline, their invariants at size, and a second PostgreSQL. With words, the subjects and files that have one of them.
 *
 * The second PostgreSQL is the server of TEST_DATABASE_URL, or one that is started from Debian's package. What depends on the version
 * (`onBothDatabases`) runs on it. It also reads every statement that tests sent to the embedded one, in CI those of both sets.
 */
import { chmodSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { testTemplate } from '@mintage/devnet/testDatabase';
import { createClosers } from '@mintage/server';
import { startEmbeddedPostgres } from '@mintage/server/db';
import { makeSysroot } from '../packages/solana/build/sysroot.ts';
import { compareStatements, notedStatements } from './statements/compare.ts';
import { startRun, withoutMissing } from './testing/run.ts';
import { postgresFolder, subjectOf, testFiles } from './testing/sets.ts';
import { reachOf, testKinds } from './testKinds.ts';

const { positionals: words } = parseArgs({ allowPositionals: true });
const isNamed = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));

const run = startRun('deep');

const contracts = async (): Promise<void> => {
  // C19: the same sources through the compiler's other pipeline; the whole suite takes minutes to compile on it.
  // Its tests are linked when they run, so forge compiles all of `src`; what the story does not deploy is left out.
  const unused = ['--skip', 'src/TokenBridge.sol', '--skip', 'src/deploy/**'];
  const story = ['--match-path', 'test/Story.t.sol', ...unused];
  await run.forge('deep', 'the story on the other pipeline', story, { FOUNDRY_PROFILE: 'ir' });
  const runs = { FOUNDRY_INVARIANT_RUNS: '8' };
  await run.forge('deep', 'invariants at size', ['--match-path', 'test/invariant/**'], runs);
  await run.forge('deep', 'random cases at size', ['--match-test', '^testFuzz'], { FOUNDRY_FUZZ_RUNS: '512' });
};

/**
 * Tests whose outcome may depend on which PostgreSQL it is: of tables, locks, copies, functions and errors, of the index and of the
 * signer, and walks through both on a chain. Statements of other tests are only compared (`compareWith`).
 */
const onBothDatabases = (): string[] => {
  const walks = /\/(index\/devnet|sign\/sending|sign\/signer)\.(deep\.)?test\.ts$/;
  const aboutTheDatabase =
    /server\/(src|test)\/(db|index|keys|sign)\/|\/(idempotency|databaseFull)\.(deep\.)?test|^scripts\/test\/upgrade/;
  return [...testKinds()]
    .filter(([path, kind]) => walks.test(path) || (kind === 'database' && aboutTheDatabase.test(path)))
    .map(([path]) => path);
};

/** Debian's PostgreSQL, the newest that is installed. */
const installedPostgres = (): string | undefined =>
  globSync(`${postgresFolder}/*/bin/postgres`)
    .map((path) => join(path, '../..'))
    .toSorted((one, other) => Number(one.split('/').at(-1)) - Number(other.split('/').at(-1)))
    .at(-1);

/** Every noted statement has to mean the same to both servers. */
const compareWith = async (server: string): Promise<void> => {
  const closers = createClosers();
  try {
    const embedded = await startEmbeddedPostgres({ home: join(run.scratch, 'embedded'), temporary: true });
    closers.add(embedded.stop);
    const one = await testTemplate(embedded.url);
    closers.add(one.stop);
    const other = await testTemplate(server);
    closers.add(other.stop);
    const { prepared, differences } = await compareStatements(one.url, other.url, notedStatements(run.statements));
    console.log(`${prepared} statements were read by both databases, ${differences.length} differently.`);
    const failures = differences.map(
      ({ statement, one: first, other: second }) => `${statement}\n    embedded: ${first}\n    other: ${second}`,
    );
    if (prepared === 0) failures.push('No statement was noted.');
    run.record({
      file: 'statements read by both databases',
      subject: 'second database',
      passed: failures.length === 0 ? 1 : 0,
      failed: failures.length === 0 ? 0 : 1,
      failures,
    });
  } finally {
    await closers.closeAll();
  }
};

/** Runs what may depend on the database on another one; once everything else has asked the embedded one, both read every statement. */
const secondDatabase = async (everythingElse: Promise<unknown>): Promise<void> => {
  const closers = createClosers();
  const given = process.env.TEST_DATABASE_URL;
  const binaries = installedPostgres();
  if (!given && binaries === undefined) return run.lacks('a second PostgreSQL', 'postgresql', 'the tests on it');
  try {
    chmodSync(run.scratch, 0o711); // the server may run under another account
    const started = given
      ? null
      : await startEmbeddedPostgres({ home: join(run.scratch, 'second'), temporary: true, binaries });
    if (started !== null) closers.add(started.stop);
    const server = given ?? (started?.url as string);
    const template = await testTemplate(server);
    closers.add(template.stop);
    const env = {
      TEST_DATABASE_URL: server,
      TEST_DATABASE_TEMPLATE: template.name,
      TEST_SUBJECT: 'second database',
      TEST_CONTRACTS: 'compiled',
    };
    await run.vitest(onBothDatabases(), env, ['--maxWorkers=2']);
    await everythingElse;
    await compareWith(server);
  } finally {
    await closers.closeAll();
  }
};

const files = withoutMissing(
  run,
  testFiles('deep').filter((path) => isNamed(path) || isNamed(subjectOf(path))),
);
await run.check('forge build', 'forge', ['build', '--quiet'], 'packages/contracts');
const deepTests = async (): Promise<void> => {
  // Before the tests, or the three files that compile Rust would each do it.
  if (files.some((path) => reachOf(path).has('packages/solana/build/sysroot.ts'))) await makeSysroot();
  await run.vitest(files, { TEST_DATABASE_URL: '', TEST_CONTRACTS: 'compiled' });
};
const everythingElse = Promise.all([
  isNamed('contracts') && run.attempt('contracts', contracts),
  files.length > 0 && run.attempt('deep tests', deepTests),
]);
const second = () => secondDatabase(everythingElse);
await Promise.all([everythingElse, isNamed('second database') && run.attempt('second database', second)]);
run.finish();
