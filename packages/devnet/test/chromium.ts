import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The browser that `CHROMIUM` names, else the one that comes by npm, on Linux x64. */
export const chromiumPath = async (): Promise<string> => {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  // By this it lays the libraries that it needs beside itself.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x';
  const { default: packed } = await import('@sparticuz/chromium');
  const path = join(tmpdir(), 'chromium');
  if (!existsSync(path)) await unpack(packed);
  return path;
};

/**
 * The package takes a browser that is there for a whole one, also while another process writes it. So it is unpacked elsewhere, and
 * moved when it is whole, itself last.
 */
const unpack = async (packed: { executablePath(): Promise<string> }): Promise<void> => {
  const place = tmpdir();
  const workshop = mkdtempSync(join(place, 'mintage-chromium-'));
  try {
    await inFolder(workshop, () => packed.executablePath());
    const parts = readdirSync(workshop).toSorted(
      (one, other) => Number(one === 'chromium') - Number(other === 'chromium'),
    );
    for (const part of parts) moveUnlessThere(join(workshop, part), join(place, part));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
};

/** Where the package unpacks is decided by the time it returns its promise. */
const inFolder = <T>(folder: string, start: () => Promise<T>): Promise<T> => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return start();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
};

const moveUnlessThere = (from: string, to: string): void => {
  try {
    renameSync(from, to);
  } catch (error) {
    // Another process has moved the same folder first.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
};
