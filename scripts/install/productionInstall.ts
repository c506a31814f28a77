import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptBuild } from '../../packages/web/build/kept.ts';
import type { Lock } from '../licenses.ts';
import { copyTree } from './copyTree.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * What `npm ci`, `npm run build` and `npm prune --omit=dev` leave, in an empty folder: the project's files, and links to the files
 * of its packages in the place of a second `npm ci`.
 */
export const productionInstall = async (folder: string): Promise<void> => {
  const pages = relative(root, await keptBuild('plain'));
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  execFileSync('cp', ['--parents', '--target-directory', folder, ...namesIn(tracked)], { cwd: root });
  const linked = ['node_modules', ...globSync('packages/*/node_modules', { cwd: root }), pages];
  copyTree(root, folder, ['--parents', '--target-directory', folder, ...linked]);
  // npm writes into this one, which would reach the other.
  const hidden = 'node_modules/.package-lock.json';
  rmSync(join(folder, hidden));
  copyFileSync(join(root, hidden), join(folder, hidden));
  for (const cache of globSync('node_modules/.{*cache,vite*}', { cwd: folder }))
    rmSync(join(folder, cache), { recursive: true });
  execFileSync('npm', ['prune', '--omit=dev', '--offline', '--loglevel=error'], { cwd: folder });
};

const namesIn = (list: Buffer): string[] => list.toString().split('\0').filter(Boolean);

/** Where packages lie in an installed tree, as npm's lock names places: `node_modules/…`. Ours are links there and are left out. */
export const packagesIn = (folder: string): string[] =>
  globSync('**/node_modules/{*,@*/*}/package.json', { cwd: folder }).map(dirname).toSorted();

export const lockIn = (folder: string): Lock =>
  (JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages;

/** What a folder takes on the disk, in megabytes. */
export const megabytesOf = (folder: string): number =>
  Number(execFileSync('du', ['--summarize', '--block-size=1M', folder], { encoding: 'utf8' }).split('\t')[0]);
