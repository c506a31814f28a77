import { readFileSync } from 'node:fs';
import { processTree } from '../scripts/testing/processTree.ts';

/** CPU milliseconds that a process and its children used so far, also those that ended; Linux only, else NaN. */
export const treeCpuMs = (pid: number): number => {
  const tree = processTree(pid);
  return tree.length === 0
    ? Number.NaN
    : tree.reduce((sum, { spentMs, endedChildrenMs }) => sum + spentMs + endedChildrenMs, 0);
};

/** Most memory that a process ever had, MiB; Linux only, else NaN. */
export const peakRssMiB = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
};
