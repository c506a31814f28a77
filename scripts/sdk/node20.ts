import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where PATH has no Node 20, this one comes from npm: the package that has nothing but the program. */
const release = '20.19.5';

/**
 * Path of a Node 20, the oldest that the SDK runs on.
 *
 * @throws Where there is none, npm's answer to fetching one.
 */
export const node20 = (): string => {
  const installed = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const found = installed.find((path) => isProgram(path) && versionOf(path).startsWith('v20.'));
  if (found !== undefined) return found;
  const name = `node-${process.platform}-${process.arch}@${release}`;
  const args = ['exec', '--yes', `--package=${name}`, '--', 'node', '-p', 'process.execPath'];
  return execFileSync('npm', args, { encoding: 'utf8' }).trim();
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not ours to run
  }
};

const versionOf = (path: string): string => spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout;
