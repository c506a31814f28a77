import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, which Linux has had fixed for every program. */
const ticks = 100;

/**
 * Seconds of CPU that this process and all that it started have used so far, those that ended included. Without `/proc` only this
 * process is counted.
 */
export const spentCpuSeconds = (): number => {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const processes = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readStat),
  );
  const children = Map.groupBy(processes.keys(), (pid) => processes.get(pid)?.parent);
  let sum = 0;
  const waiting = [process.pid];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    sum += processes.get(pid)?.spent ?? 0;
    waiting.push(...(children.get(pid) ?? []));
  }
  return sum / ticks;
};

/** Nothing for a process that ended in the meantime. */
const readStat = (pid: string): [number, { parent: number; spent: number }][] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // A program's name stands in brackets and may hold any character; the parent is the second field behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
    return [[Number(pid), { parent: Number(fields[1]), spent: user + system + endedUser + endedSystem }]];
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return [];
  }
};
