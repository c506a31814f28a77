import { readdirSync, readFileSync } from 'node:fs';

/** CPU milliseconds that a process and its children used so far, also those that ended; Linux only, else NaN. */
export const treeCpuMs = (pid: number): number => {
  const processes = new Map(list().map((one) => [one.pid, one]));
  const sum = (id: number): number => {
    const own = processes.get(id);
    if (own === undefined) return 0;
    const children = [...processes.values()].filter((one) => one.parent === id);
    return own.cpuMs + children.reduce((total, child) => total + sum(child.pid), 0);
  };
  return processes.has(pid) ? sum(pid) : Number.NaN;
};

/** Most memory that a process ever had, MiB; Linux only, else NaN. */
export const peakRssMiB = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
};

const list = (): { pid: number; parent: number; cpuMs: number }[] => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
          const ticks = [11, 12, 13, 14].reduce((total, field) => total + Number(fields[field]), 0);
          return [{ pid: Number(name), parent: Number(fields[1]), cpuMs: ticks * 10 }];
        } catch {
          return []; // it ended while we looked
        }
      });
  } catch {
    return [];
  }
};
