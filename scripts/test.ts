/**
 * `npm test`: every check and every test, in one run that ends with "N passed, N failed".
 *
 * When a server can be had (TEST_DATABASE_URL, or one on loopback port 5432 that lets the current user in), what depends on the
 * PostgreSQL it runs on (`onBothDatabases`) runs twice, on the embedded server and on that one, which reads all other statements.
 *
 * Two things run beside each other all the time, because one alone leaves cores idle: the tree's checks beside the second
 * database, then the contracts' tests, which keep one core busy, beside all others.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testTemplate } from '@mintage/devnet/testDatabase';
import { createClosers } from '@mintage/server';
import { startEmbeddedPostgres } from '@mintage/server/db';
import pg from 'pg';
import { compareStatements, notedStatements } from './statements/compare.ts';
import { testKinds } from './testKinds.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mintage-test-'));
const noted = join(scratch, 'statements');
mkdirSync(noted);
const totals = { passed: 0, failed: 0 };
/** What failed, to be said once more at the end: it stands far above by then. */
const failures: string[] = [];

interface Finished {
  code: number;
  output: string;
}

interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Show the output at the end, in one piece, because something else runs beside it. */
  beside?: boolean;
}

/**
 * Tests start hundreds of processes and chains. So they compile the same sources once, collect young objects less often, and deploy
 * to each chain once.
 */
const shared = {
  NODE_COMPILE_CACHE: join(scratch, 'compiled'),
  NODE_OPTIONS: `--max-semi-space-size=64 ${process.env.NODE_OPTIONS ?? ''}`.trim(),
  TEST_CHAIN_TEMPLATES: join(scratch, 'chains'),
};

/** Runs a command from the root, shows its output and returns it. */
const run = (command: string, args: string[], options: RunOptions = {}) =>
  new Promise<Finished>((resolve, reject) => {
    const title = `\n▶ ${[command, ...args].join(' ')}`;
    if (!options.beside) console.log(title);
    const child = spawn(command, args, {
      cwd: join(root, options.cwd ?? '.'),
      env: { ...process.env, ...shared, ...options.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (!options.beside) process.stdout.write(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (options.beside) console.log(`${title}\n${output}`);
      resolve({ code: code ?? 1, output });
    });
  });

/** They pass or fail as a whole. */
const checks = async (): Promise<void> => {
  const { code } = await run('node', ['scripts/verify.ts', '--checks'], { beside: true });
  totals[code === 0 ? 'passed' : 'failed'] += 1;
  if (code !== 0) failures.push('npm run verify');
};

const forgeTests = async (args: string[], env: Record<string, string>): Promise<void> => {
  const { code, output } = await run('forge', ['test', ...args], { cwd: 'packages/contracts', env, beside: true });
  const summary = output.match(/: (\d+) tests passed, (\d+) failed/);
  totals.passed += Number(summary?.[1] ?? 0);
  totals.failed += Number(summary?.[2] ?? 0);
  if (code !== 0 && Number(summary?.[2] ?? 0) === 0) totals.failed += 1;
  if (code !== 0) failures.push(...new Set(output.match(/^\[FAIL.*$/gm) ?? ['forge']));
};

/** What this script reads of a report in the form of Jest. */
interface Report {
  numPassedTests?: number;
  numFailedTests?: number;
  testResults?: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

const vitest = async (name: string, paths: string[], env: Record<string, string>): Promise<void> => {
  const report = join(scratch, `${name}.json`);
  const reporters = ['default', 'json', './scripts/stillRunning.ts'].map((reporter) => `--reporter=${reporter}`);
  const args = ['run', ...reporters, `--outputFile.json=${report}`, ...paths];
  const { code } = await run('vitest', args, { env });
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] }: Report = JSON.parse(readFileSync(report, 'utf8'));
  totals.passed += numPassedTests;
  totals.failed += numFailedTests;
  // A suite that cannot start fails without a failed test.
  if (code !== 0 && numFailedTests === 0) totals.failed += 1;
  for (const file of testResults.filter(({ status }) => status === 'failed')) {
    failures.push(`${relative(root, file.name)} (${name}) ${file.message}`);
    for (const { status, fullName, failureMessages } of file.assertionResults) {
      if (status === 'failed') failures.push(`  ${fullName}\n${failureMessages.join('\n').replaceAll(/^/gm, '    ')}`);
    }
  }
};

/** A server that lets us in, or null. */
const findServer = async (): Promise<string | null> => {
  const given = process.env.TEST_DATABASE_URL;
  const user = userInfo().username;
  const candidates = given ? [given] : [user, 'postgres'].map((name) => `postgres://${user}@127.0.0.1:5432/${name}`);
  for (const url of candidates) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      await client.end();
      return url;
    } catch (error) {
      if (given) throw new Error('TEST_DATABASE_URL is set, but the server lets nobody in.', { cause: error });
    }
  }
  return null;
};

/** What tests start or ask beside Node; on a machine without it the package manager has it. */
const requireProgram = async (program: string, packageName: string): Promise<void> => {
  const missing = await new Promise<boolean>((resolve) => {
    spawn(program, ['--version'], { stdio: 'ignore' })
      .once('error', () => resolve(true))
      .once('exit', () => resolve(false));
  });
  if (!missing) return;
  const { code } = await run('apt-get', ['install', '--yes', '--no-install-recommends', packageName]);
  if (code !== 0) throw new Error(`The tests need ${program} on the path, and apt-get could not install it.`);
};

/**
 * Tests whose outcome may depend on which PostgreSQL it is: of tables, locks, copies, functions and errors, of the index and of the
 * signer, and walks through both on a chain. What other tests ask of it is only read by it (`statementsOn`).
 */
const onBothDatabases = (): string[] => {
  const walks = [
    'packages/server/test/index/devnet.test.ts',
    'packages/server/test/sign/sending.test.ts',
    'packages/server/test/sign/signer.test.ts',
  ];
  const small = [...testKinds()].filter(([path, kind]) => kind === 'database' && aboutTheDatabase.test(path));
  return [...small.map(([path]) => path), ...walks];
};

const aboutTheDatabase =
  /server\/(src\/(db|index|keys|sign)\/|test\/index\/)|\/(idempotency|databaseFull)\.test|^scripts\/upgrade/;

/** Every statement that a test sent to the embedded server has to mean the same to the other one. */
const statementsOn = async (server: string): Promise<void> => {
  chmodSync(scratch, 0o711); // the server may run under another account
  const closers = createClosers();
  try {
    const embedded = await startEmbeddedPostgres({ home: scratch, temporary: true });
    closers.add(embedded.stop);
    const one = await testTemplate(embedded.url);
    closers.add(one.stop);
    const other = await testTemplate(server);
    closers.add(other.stop);
    const { prepared, differences } = await compareStatements(one.url, other.url, notedStatements(noted));
    totals[differences.length === 0 && prepared > 0 ? 'passed' : 'failed'] += 1;
    console.log(`\n${prepared} statements were read by both databases, ${differences.length} differently.`);
    for (const difference of differences)
      failures.push(
        `${difference.statement}\n  embedded: ${difference.one}\n  ${new URL(server).host}: ${difference.other}`,
      );
    if (prepared === 0) failures.push('No statement was noted.');
  } finally {
    await closers.closeAll();
  }
};

const contracts = async (): Promise<void> => {
  // Gas that differs from the committed snapshots fails.
  await forgeTests([], { FORGE_SNAPSHOT_CHECK: 'true' });
  // C19: the same sources through the compiler's other pipeline; the whole suite takes minutes to compile on it.
  // Its tests are linked when they run, so forge compiles all of `src`; what the story does not deploy is left out.
  const unused = ['--skip', 'src/TokenBridge.sol', '--skip', 'src/deploy/**'];
  await forgeTests(['--match-path', 'test/Story.t.sol', ...unused], { FOUNDRY_PROFILE: 'ir' });
};

/** They read no compiled contracts, so they need not wait for them. */
const onServer = async (server: string): Promise<void> => {
  const { name, stop } = await testTemplate(server);
  try {
    await vitest('server', onBothDatabases(), { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: name });
  } finally {
    await stop();
  }
};

const started = Date.now();
try {
  await requireProgram('redis-server', 'redis-server');
  await requireProgram('prometheus', 'prometheus');
  await requireProgram('pg_lsclusters', 'postgresql');
  await requireProgram('systemd-analyze', 'systemd');
  const server = await findServer();
  await Promise.all([checks(), server && onServer(server)]);
  // Some of them read the compiled contracts, which the checks make.
  await Promise.all([contracts(), vitest('embedded', [], { TEST_DATABASE_URL: '', TEST_STATEMENTS: noted })]);
  if (server) await statementsOn(server);
  else {
    console.log('\n!!! Databases: ONLY the embedded PostgreSQL was tested. No server on loopback port 5432 let this');
    console.log('!!! user in; set TEST_DATABASE_URL to test a server too.');
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

console.log(`\nTook ${Math.round((Date.now() - started) / 1000)} s.`);
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}\n`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
