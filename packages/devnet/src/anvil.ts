import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { anvilBinary } from '@mintage/contracts/anvilBinary';
import { portOfAnvil } from '@mintage/contracts/portOfAnvil';
import { PortTakenError, requireFreePort } from './freePort.ts';
import { mineWhatWaits } from './mineWhatWaits.ts';
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
  /** Further flags of anvil. */
  flags?: readonly string[];
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

/** Far longer than it takes to read or write a chain of days; a chain that hangs would be waited for without end. */
const longestStartMs = 120_000;
const longestStopMs = 120_000;

/**
 * Starts one local chain, ready to answer. It mines at once on a transaction.
 *
 * The child is anvil itself, in its own process group, so that Ctrl-C reaches only this process, which then stops anvil
 * in order. When this process dies, even by SIGKILL, the pipe to a small watcher breaks and the watcher stops anvil.
 *
 * @throws With anvil's own words when it ends before it answers; nothing is left running. PortTakenError.
 */
export const startAnvil = async (options: AnvilOptions): Promise<Anvil> => {
  const { port: wanted } = options;
  if (wanted !== undefined) await requireFreePort(wanted.number, wanted.variable);
  const child = spawn('sh', ['-c', watched, 'sh', anvilBinary(), ...argumentsOf(options)], {
    stdio: 'pipe',
    detached: true,
  });
  child.stdin.on('error', () => {}); // the watcher may end before this process
  const ended = once(child, 'exit').then(() => {
    child.stdin.end('\n'); // lets the watcher end without stopping anything
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const byForce = setTimeout(() => child.kill('SIGKILL'), longestStopMs);
    await ended;
    clearTimeout(byForce);
  };
  const giveUp = setTimeout(() => child.kill('SIGKILL'), longestStartMs);
  try {
    const port = await portOfAnvil(child);
    const url = `http://127.0.0.1:${port}`;
    await rpcRequest(url, 'anvil_setLoggingEnabled', [false]);
    const endMining = options.heartbeat ? async () => {} : mineWhatWaits(url);
    const stop = async (): Promise<void> => {
      await endMining();
      await end('SIGTERM');
    };
    return { url, port, pid: child.pid as number, stop, ended: ended.then(endMining) };
  } catch (cause) {
    await end('SIGKILL');
    const { message } = cause as Error;
    // Another program may take the port between our check and anvil's start.
    if (wanted !== undefined && message.includes('Address already in use'))
      throw new PortTakenError(wanted.number, wanted.variable);
    throw new Error(`The local chain ${options.chainId} did not start: ${message}`, { cause });
  } finally {
    clearTimeout(giveUp);
  }
};

/**
 * Runs anvil (`$@`) in place of the shell, and leaves a watcher that stops it when our end of the pipe closes. A line
 * in the pipe tells the watcher that anvil has already ended.
 */
const watched = 'exec 3<&0; { read -r line <&3 || kill -TERM $$; } >/dev/null 2>&1 & exec "$@" 3<&- </dev/null';

const argumentsOf = (options: AnvilOptions): string[] => {
  const words = [
    `--port=${options.port?.number ?? 0}`,
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
  return [...words, ...(options.flags ?? [])];
};
