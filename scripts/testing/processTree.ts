import { readdirSync } from 'node:fs';
import { type ProcessStat, processStat } from '../../packages/server/src/processStat.ts';

type Process = ProcessStat & { pid: number };

/** A process and all that it started, as far as they still run; none without `/proc`. */
export const processTree = (root: number): Process[] => {
  if (process.platform !== 'linux') return [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = processStat(Number(name));
      return stat === null ? [] : [{ pid: Number(name), ...stat }];
    });
  const children = Map.groupBy(all, ({ parent }) => parent);
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
};

/** CPU milliseconds that a process and all that it started have used so far, those that ended included; NaN where the system does not tell. */
export const treeCpuMs = (root: number): number => {
  const tree = processTree(root);
  return tree.length === 0
    ? Number.NaN
    : tree.reduce((sum, { spentMs, endedChildrenMs }) => sum + spentMs + endedChildrenMs, 0);
};

/** As `treeCpuMs`, of this process, in seconds; where the system does not tell, without the processes that it started. */
export const spentCpuSeconds = (): number => {
  const spentMs = treeCpuMs(process.pid);
  if (!Number.isNaN(spentMs)) return spentMs / 1_000;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
