import { execFileSync } from 'node:child_process';

/** Processes of this machine that have the folder among their words. */
export const processesOf = (folder: string): string[] =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder) && !line.includes('ps -eo'));
