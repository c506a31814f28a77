import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../testing/run.ts';

/** The compiled contracts: tests read them, and compiling takes a minute. */
const built = ['packages/contracts/out', 'packages/contracts/cache'];

/**
 * A folder with the tree as it stands, changes that are not committed included. Its packages of others are links; its own packages are
 * its own, so that a bug planted in one of them is met by all.
 */
export const copyTree = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'mintage-planted-tree-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const path of [...listed.split('\0').filter(Boolean), ...built]) {
    if (!existsSync(join(root, path))) continue; // deleted, and not committed yet
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  const own = '@mintage';
  mkdirSync(join(copy, 'node_modules', own), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== own && !name.startsWith('.vite'))
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of readdirSync(join(root, 'node_modules', own))) {
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules', own, name));
    // What npm has put beside a package, because others have another version of it.
    const beside = join('packages', name, 'node_modules');
    if (existsSync(join(root, beside))) symlinkSync(join(root, beside), join(copy, beside));
  }
  return copy;
};
