/**
 * `npm test`: every check and every test, in one run that ends with "N passed, N failed".
 *
 * The suites that touch a database run twice when a PostgreSQL server can be had (TEST_DATABASE_URL, or one on loopback
 * port 5432 that lets the current user in): on the embedded server and on that one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const root = fileURLToPath(new URL('../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mintage-test-'));
const totals = { passed: 0, failed: 0 };

interface Finished {
  code: number;
  output: string;
}

/** Runs a command from the root, shows its output and returns it. */
const run = (command: string, args: string[], options: { cwd?: string; env?: Record<string, string> } = {}) =>
  new Promise<Finished>((resolve, reject) => {
    console.log(`\n▶ ${[command, ...args].join(' ')}`);
    const child = spawn(command, args, {
      cwd: join(root, options.cwd ?? '.'),
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code: code ?? 1, output }));
  });

/** A step that is one check: it passes or fails as a whole. */
const check = async (command: string, args: string[], cwd?: string): Promise<void> => {
  const { code } = await run(command, args, cwd === undefined ? {} : { cwd });
  totals[code === 0 ? 'passed' : 'failed'] += 1;
};

const forgeTests = async (args: string[], env: Record<string, string>): Promise<void> => {
  const { code, output } = await run('forge', ['test', ...args], { cwd: 'packages/contracts', env });
  const summary = output.match(/: (\d+) tests passed, (\d+) failed/);
  totals.passed += Number(summary?.[1] ?? 0);
  totals.failed += Number(summary?.[2] ?? 0);
  if (code !== 0 && Number(summary?.[2] ?? 0) === 0) totals.failed += 1;
};

const vitest = async (name: string, paths: string[], env: Record<string, string>): Promise<void> => {
  const report = join(scratch, `${name}.json`);
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...paths];
  const { code } = await run('vitest', args, { env });
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(readFileSync(report, 'utf8'));
  totals.passed += numPassedTests;
  totals.failed += numFailedTests;
  // A suite that cannot start fails without a failed test.
  if (code !== 0 && numFailedTests === 0) totals.failed += 1;
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

/** The tests start a Redis of their own; on a machine without one the package manager has it. */
const requireRedis = async (): Promise<void> => {
  const missing = await new Promise<boolean>((resolve) => {
    spawn('redis-server', ['--version'], { stdio: 'ignore' })
      .once('error', () => resolve(true))
      .once('exit', (code) => resolve(code !== 0));
  });
  if (!missing) return;
  const { code } = await run('apt-get', ['install', '--yes', '--no-install-recommends', 'redis-server']);
  if (code !== 0) throw new Error('The tests need redis-server on the path, and apt-get could not install it.');
};

/** Minutes of processes that are killed: what they show does not depend on which PostgreSQL it is. */
const onceIsEnough = [
  'packages/devnet/test/scaleOut.test.ts',
  'packages/devnet/test/canary.test.ts',
  'packages/server/test/sign/kill/**',
];

const started = Date.now();
try {
  await requireRedis();
  await check('node', ['scripts/verify.ts', '--checks']);
  // Gas that differs from the committed snapshots fails.
  await forgeTests([], { FORGE_SNAPSHOT_CHECK: 'true' });
  // C19: the same sources through the compiler's other pipeline; the whole suite takes minutes to compile on it.
  await forgeTests(['--match-path', 'test/Story.t.sol'], { FOUNDRY_PROFILE: 'ir' });
  await vitest('embedded', [], { TEST_DATABASE_URL: '' });
  const server = await findServer();
  if (server) {
    const paths = ['packages/server', 'packages/devnet'];
    await vitest('server', [...paths, ...onceIsEnough.flatMap((path) => ['--exclude', path])], {
      TEST_DATABASE_URL: server,
    });
    console.log(`\nDatabases: embedded PostgreSQL and the server at ${new URL(server).host}.`);
  } else {
    console.log('\n!!! Databases: ONLY the embedded PostgreSQL was tested. No server on loopback port 5432 let this');
    console.log('!!! user in; set TEST_DATABASE_URL to test a server too.');
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

console.log(`\nTook ${Math.round((Date.now() - started) / 1000)} s.`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
