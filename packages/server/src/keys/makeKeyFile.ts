import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a file with a new key, readable by its owner only. When several processes create it at once, one succeeds; an
 * existing file is kept.
 */
export const makeKeyFile = (path: string, newKey: () => string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, newKey(), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path); // atomic, and never replaces an existing file
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
};
