import { readFileSync } from 'node:fs';
import { isOpenToOthers } from './openToOthers.ts';

/**
 * The text of a file that holds a key, without spaces around it.
 *
 * @param name - What the file is, in the middle of a sentence.
 * @throws Error, one sentence, when it cannot be read, or others on this machine may read it. It never says what the file holds.
 */
export const readKeyFile = (path: string, name: string): string => {
  try {
    if (isOpenToOthers(path)) throw new Error(`Others may read ${name}; run: chmod 600 ${path}`);
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${name.charAt(0).toUpperCase()}${name.slice(1)} cannot be read: ${code}.`, { cause: error });
  }
};
