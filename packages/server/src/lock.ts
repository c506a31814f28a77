import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes this process the only one that runs from a folder.
 *
 * @returns A function that releases the folder.
 * @throws When another living process holds it; the lock of a dead one is taken over.
 */
export const lockFolder = (folder: string): (() => void) => {
  const file = join(folder, 'lock');
  for (;;) {
    try {
      writeFileSync(file, `${process.pid} ${startedAt}`, { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const [holder = 0, since = 0] = readFileSync(file, 'utf8').split(' ').map(Number);
    const isEarlierSelf = holder === process.pid && since !== startedAt;
    if (isAlive(holder) && !isEarlierSelf)
      throw new Error(`Mintage already runs from ${folder} (process ${holder}). Stop it, or set another MINTAGE_HOME.`);
    rmSync(file, { force: true });
  }
};

/** Start time of this process; tells it from an earlier process with the same id, which is common in containers. */
const startedAt = Math.round(performance.timeOrigin);

const isAlive = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
