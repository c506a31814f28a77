import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@mintage/devnet/freePort';
import { stopChild } from './pinned.ts';

const app = new URL('ponder/', import.meta.url);
const lock = new URL('package-lock.json', app);
/** Says which lock file the installed packages are of. */
const installed = new URL('node_modules/.mintage-lock', app);

/** Installs Ponder's own packages, which are not ours, at the first use. */
export const installPonder = (): void => {
  const wanted = readFileSync(lock, 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return;
  console.log('installing Ponder (once)');
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: app, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ci in bench/ponder failed: ${stderr}`);
  writeFileSync(installed, wanted);
};

export interface PonderOptions {
  chainId: number;
  launchpad: string;
  startBlock: number;
  rpcUrls: readonly string[];
  databaseUrl: string;
  pollMs: number;
}

export interface Ponder {
  child: ChildProcess;
  /** From the start of the process to its server being up, and to all of the history being indexed. */
  bootMs: number;
  readyMs: number;
  /** Block of the token's newest trade, by Ponder's API. */
  newestBlock(token: string): Promise<number>;
  total(): Promise<{ trades: number; grossUsd: bigint }>;
  stop(): Promise<void>;
}

/** Starts Ponder on an empty database, on the Node that runs us, and resolves when it says that it holds the history. */
export const startPonder = async (options: PonderOptions): Promise<Ponder> => {
  rmSync(new URL('.ponder', app), { recursive: true, force: true });
  const port = await freePort();
  const started = performance.now();
  const program = fileURLToPath(new URL('node_modules/ponder/dist/esm/bin/ponder.js', app));
  const words = ['--schema', 'ponder', '--port', String(port), '--hostname', '127.0.0.1', '--log-level', 'warn'];
  const child = spawn(process.execPath, [program, 'start', ...words], {
    cwd: app,
    env: {
      ...process.env,
      CHAIN_ID: String(options.chainId),
      LAUNCHPAD: options.launchpad,
      START_BLOCK: String(options.startBlock),
      RPC_URLS: options.rpcUrls.join(' '),
      DATABASE_URL: options.databaseUrl,
      POLL_MS: String(options.pollMs),
      PONDER_TELEMETRY_DISABLED: 'true',
      NODE_NO_WARNINGS: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
  const answers = (path: string): Promise<boolean> =>
    ask(path).then(
      (response) => response.ok,
      () => false,
    );
  const until = async (path: string): Promise<number> => {
    while (!(await answers(path))) {
      if (child.exitCode !== null) throw new Error(`Ponder ended with code ${child.exitCode}`);
      await sleep(20);
    }
    return performance.now() - started;
  };
  try {
    const bootMs = await until('/health');
    const readyMs = await until('/ready');
    return {
      child,
      bootMs,
      readyMs,
      newestBlock: async (token) => ((await (await ask(`/newest/${token}`)).json()) as { block: number }).block,
      total: async () => {
        const { trades, grossUsd } = (await (await ask('/total')).json()) as { trades: number; grossUsd: string };
        return { trades, grossUsd: BigInt(grossUsd) };
      },
      stop: () => end(child),
    };
  } catch (error) {
    await end(child);
    throw error;
  }
};

/** Ponder says goodbye to its providers and database first; it gets five seconds for it. */
const end = async (child: ChildProcess): Promise<void> => {
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await stopChild(child);
  clearTimeout(timer);
};
