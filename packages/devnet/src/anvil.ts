import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { anvilBinary } from '@mintage/contracts/anvilBinary';
import { freePort, PortTakenError, requireFreePort } from './freePort.ts';
import { rpcRequest } from './rpc.ts';

export interface AnvilOptions {
  chainId: number;
  /** Port to listen on; absent: any free one. */
  port?: { number: number; variable: string };
  /** Loaded when it exists; written at the end and every 30 seconds. Absent: nothing is kept. */
  stateFile?: string;
  /** The state file is loaded but never written: changes of this run are lost. */
  frozen?: boolean;
  /**
   * Depth of the deepest reorg that it supports; `keptStates` when absent. Anvil also counts blocks that were rolled
   * back.
   */
  keptStates?: number;
  /** Folder for anvil's temporary files; without it anvil writes below the user's home. */
  cacheDir: string;
  /** Unix seconds of block 0. */
  genesisTime?: number;
  /** Also mine an empty block every second. */
  heartbeat: boolean;
}

export interface Anvil {
  url: string;
  port: number;
  pid: number;
  /** Ends the process; with a state file, after writing it. */
  stop(): Promise<void>;
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>;
}

/** Depth of the deepest reorg that a local chain can make as we start it: anvil forgets older states. */
export const keptStates = 64;

/** Far longer than it takes to write a chain of days; a chain that hangs would be waited for without end. */
const longestStopMs = 30_000;

/**
 * Starts one local chain, ready to answer. It mines at once on a transaction.
 *
 * The child is anvil itself, in its own process group, so that Ctrl-C reaches only this process, which then stops anvil
 * in order. When this process dies, even by SIGKILL, the pipe to a small watcher breaks and the watcher stops anvil.
 *
 * @throws With anvil's own words when it ends before it answers; nothing is left running. PortTakenError.
 */
export const startAnvil = async (options: AnvilOptions): Promise<Anvil> => {
  const attempts = 4;
  for (let attempt = 1; ; attempt++) {
    const { port } = options;
    if (port !== undefined) await requireFreePort(port.number, port.variable);
    try {
      return await launch(options, port?.number ?? (await freePort()));
    } catch (error) {
      // Another process may take the port between our check and anvil's start.
      const taken = error instanceof Error && error.message.includes('Address already in use');
      if (taken && port !== undefined) throw new PortTakenError(port.number, port.variable);
      if (!taken || attempt === attempts) throw error;
    }
  }
};

const launch = async (options: AnvilOptions, port: number): Promise<Anvil> => {
  const child = spawn('sh', ['-c', watched, 'sh', anvilBinary(), ...argumentsOf(options, port)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    words = `${words}${chunk}`.slice(-4000);
  });
  child.stdin?.on('error', () => {}); // the watcher may end before this process
  child.on('error', (error) => {
    words = `${words}${error.message}`; // anvil could not be started or stopped
  });
  const ended = once(child, 'exit').then(() => {
    child.stdin?.end('\n'); // lets the watcher end without stopping anything
  });

  const url = `http://127.0.0.1:${port}`;
  const answers = untilAnswering(child, url, options.chainId);
  const early = ended.then(() => {
    throw new Error(`The local chain ${options.chainId} did not start: ${words.trim() || 'anvil ended'}`);
  });
  early.catch(() => {}); // once anvil answers, its later end is not a failed start
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return ended;
    child.kill('SIGTERM');
    const byForce = setTimeout(() => child.kill('SIGKILL'), longestStopMs);
    await ended;
    clearTimeout(byForce);
  };
  try {
    await Promise.race([answers, early]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, port, pid: child.pid as number, stop, ended };
};

/**
 * Runs anvil (`$@`) in place of the shell, and leaves a watcher that stops it when our end of the pipe closes. A line
 * in the pipe tells the watcher that anvil has already ended.
 */
const watched = 'exec 3<&0; { read -r line <&3 || kill -TERM $$; } >/dev/null 2>&1 & exec "$@" 3<&- </dev/null';

const argumentsOf = (options: AnvilOptions, port: number): string[] => {
  const words = [
    '--quiet',
    `--port=${port}`,
    `--chain-id=${options.chainId}`,
    '--hardfork=prague',
    `--prune-history=${options.keptStates ?? keptStates}`,
    `--cache-path=${options.cacheDir}`,
  ];
  if (options.genesisTime !== undefined) words.push(`--timestamp=${options.genesisTime}`);
  if (options.stateFile !== undefined) {
    if (options.frozen) words.push(`--load-state=${options.stateFile}`);
    else words.push(`--state=${options.stateFile}`, '--state-interval=30');
  }
  if (options.heartbeat) words.push('--block-time=1', '--mixed-mining');
  return words;
};

const untilAnswering = async (child: ChildProcess, url: string, chainId: number): Promise<void> => {
  const deadline = Date.now() + 30_000;
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const answered = Number(await rpcRequest(url, 'eth_chainId', []));
      if (answered !== chainId) throw new Error(`Address already in use by chain ${answered}: ${url}`);
      return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // a TypeError of fetch means that nothing listens yet
      if (Date.now() > deadline)
        throw new Error(`The local chain ${chainId} does not answer at ${url}.`, { cause: error });
      await sleep(10);
    }
  }
  await new Promise(() => {}); // anvil has ended: the code that waits for its end reports why
};
