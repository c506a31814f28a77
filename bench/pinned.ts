import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** True where processes can be kept on one core each. */
export const canPin = availableParallelism() >= 2 && spawnSync('taskset', ['-V']).status === 0;

/** This process and whatever it starts from now on stay on this core. */
export const pinSelf = (core: number): void => {
  if (canPin) spawnSync('taskset', ['-a', '-pc', String(core), String(process.pid)]);
};

/** Runs a TypeScript file with our Node on one core. Its words are dropped, its errors are shown. */
export const startPinned = (core: number, file: URL, env: Record<string, string>): ChildProcess => {
  const [command, args] = canPin
    ? ['taskset', ['-c', String(core), process.execPath, fileURLToPath(file)]]
    : [process.execPath, [fileURLToPath(file)]];
  return spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
};

export const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

/** CPU seconds that a process used so far; null where the system does not tell. */
export const cpuSeconds = ({ pid }: ChildProcess): number | null => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
};
