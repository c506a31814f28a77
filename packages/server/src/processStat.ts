import { readFileSync } from 'node:fs';

/** Milliseconds of a clock tick, which Linux has had fixed for every program. */
const tickMs = 10;

/** What Linux says about a process. */
export interface ProcessStat {
  parent: number;
  /** CPU time of all its threads so far, milliseconds. */
  spentMs: number;
  /** The same of its children that have ended, and of theirs. */
  endedChildrenMs: number;
}

/** Null for a process that has ended, and where the system does not tell. */
export const processStat = (pid: number): ProcessStat | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // A program's name stands in brackets and may hold any character; the parent is the second field behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
    return {
      parent: Number(fields[1]),
      spentMs: (user + system) * tickMs,
      endedChildrenMs: (endedUser + endedSystem) * tickMs,
    };
  } catch {
    return null;
  }
};
