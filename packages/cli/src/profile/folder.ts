import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Folder of everything that is kept: XDG's, on Windows that of application data. Variables win over both. */
export const folder = (): string => {
  const base = process.env.XDG_CONFIG_HOME || (process.platform === 'win32' && process.env.APPDATA);
  return join(base || join(homedir(), '.config'), 'mintage');
};

/** Writes a file for its owner alone, whole or not at all. */
export const writePrivate = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const target = existsSync(path) ? realpathSync(path) : path; // a link to a file that is kept elsewhere stays one
  const draft = `${target}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    chmodSync(draft, 0o600); // also where the process's umask would give less, or the draft was left by another
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
};

/** @returns Null where there is no such file. */
export const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
