import { existsSync, globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoleProcess } from '../../packages/devnet/test/scaleOut/roleProcess.ts';
import type { Holding } from './probe.ts';

/** What a process is seen to hold from outside and says it holds. */
export interface Sample extends Holding {
  /** Seconds since the load began. */
  second: number;
  process: string;
  pid: number;
  rssMb: number;
  descriptors: number;
  sockets: number;
}

/** @param folder - Where the processes' probes write. */
export const sampleOf = ({ name, pid }: RoleProcess, folder: string, second: number): Sample | null => {
  const id = pid();
  const file = join(folder, `${id}.jsonl`);
  if (id === null || !existsSync(file)) return null;
  const [line] = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-1);
  const open = readdirSync(`/proc/${id}/fd`).flatMap((descriptor) => leadsTo(id, descriptor));
  const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);
  return {
    ...(JSON.parse(line ?? '') as Holding),
    second,
    process: name,
    pid: id,
    rssMb: rssKb / 1024,
    descriptors: open.length,
    sockets: open.filter((target) => target.startsWith('socket:')).length,
  };
};

const looks = 5;

/**
 * What is left in every process after full collections: of several looks the least, since a process that looks for work every second
 * holds more for a moment.
 */
export const collected = async (
  processes: readonly RoleProcess[],
  folder: string,
  second: number,
): Promise<Sample[]> => {
  let least: Sample[] = [];
  for (let look = 0; look < looks; look++) {
    for (const { pid } of processes) process.kill(pid() as number, 'SIGUSR2');
    await sleep(3_000);
    const now = processes.flatMap((each) => sampleOf(each, folder, second) ?? []);
    least = look === 0 ? now : least.map((sample, i) => leastOf(sample, now[i] as Sample));
  }
  return least;
};

const leastOf = (one: Sample, other: Sample): Sample => ({
  ...one,
  heapMb: Math.min(one.heapMb, other.heapMb),
  descriptors: Math.min(one.descriptors, other.descriptors),
  sockets: Math.min(one.sockets, other.sockets),
  resources: Object.fromEntries(
    Object.entries(one.resources).map(([kind, count]) => [kind, Math.min(count, other.resources[kind] ?? 0)]),
  ),
});

const leadsTo = (id: number, descriptor: string): string[] => {
  try {
    return [readlinkSync(`/proc/${id}/fd/${descriptor}`)];
  } catch {
    return []; // closed meanwhile
  }
};

/** Every file below the folders. */
export const filesBelow = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) => globSync('**', { cwd: folder }).map((path) => join(folder, path)));
