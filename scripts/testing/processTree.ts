import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, which Linux has had fixed for every program. */
const ticks = 100;

interface Process {
  pid: number;
  parent: number;
  /** Clock ticks of CPU, of its children that ended too. */
  spent: number;
}

/** A process and all that it started, as far as they still run; none without `/proc`. */
export const processTree = (root: number): Process[] => {
  if (process.platform !== 'linux') return [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readStat);
  const children = Map.groupBy(all, ({ parent }) => parent);
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
};

/** Seconds of CPU that this process and all that it started have used so far, those that ended included. */
export const spentCpuSeconds = (): number => {
  const tree = processTree(process.pid);
  if (tree.length > 0) return tree.reduce((sum, { spent }) => sum + spent, 0) / ticks;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Nothing for a process that ended in the meantime. */
const readStat = (pid: string): Process[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // A program's name stands in brackets and may hold any character; the parent is the second field behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
    return [{ pid: Number(pid), parent: Number(fields[1]), spent: user + system + endedUser + endedSystem }];
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return [];
  }
};
