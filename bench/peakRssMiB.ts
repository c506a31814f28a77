import { readFileSync } from 'node:fs';

/** Most memory that a process ever had, MiB; Linux only, else NaN. */
export const peakRssMiB = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
};
