import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** `demo` has a wallet in it whose money is worth nothing; `plain` is for everywhere else. */
export type Variant = 'demo' | 'plain';

const packages = fileURLToPath(new URL('../../', import.meta.url));
const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** What a build is made of: all that can change a byte of it. */
const sources = '{web/{src,build},sdk/src,protocol/src,brand/src}/**/*.{ts,tsx,css,svg,json}';

/** @param folder - Of the packages, with a slash at its end; beside it are the versions of the libraries. */
export const hashOfSources = (folder = packages): string => {
  const hash = createHash('sha256');
  const paths = globSync(sources, { cwd: folder }).filter((path) => !path.includes('.test.'));
  for (const path of paths.toSorted()) hash.update(`${path}\0`).update(readFileSync(`${folder}${path}`));
  hash.update(readFileSync(`${folder}../package-lock.json`));
  return hash.digest('hex').slice(0, 16);
};

/**
 * The folder of the built app. It is built where there is none of these sources yet, which takes seconds and a process of its own,
 * and kept beside the package.
 */
export const keptBuild = async (variant: Variant): Promise<string> => {
  const folder = `${dist}${hashOfSources()}-${variant}`;
  if (!existsSync(folder)) {
    requireBuilder();
    const script = fileURLToPath(new URL('build.ts', import.meta.url));
    await run([script, folder, variant]);
    removeOld();
  }
  return folder;
};

/**
 * In a group of its own: a Ctrl-C in the terminal is for whoever waits for it, and would end it with an error. It ends with this process.
 *
 * @throws Error with what it printed, where it fails.
 */
const run = async (words: readonly string[]): Promise<void> => {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, words, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (): void => void child.kill();
  process.once('exit', end);
  const [printed, [code]] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  process.off('exit', end);
  if (code !== 0) throw new Error(`The build of the pages failed: ${printed.join('').trim()}`);
};

const requireBuilder = (): void => {
  try {
    import.meta.resolve('vite');
  } catch (cause) {
    const instead = 'run `npm ci`, `npm run build` and `npm prune --omit=dev` (docs/running.md)';
    throw new Error(`The pages are not built, and a production install cannot build them: ${instead}.`, { cause });
  }
};

/** Builds of sources that have changed since: the newest are kept, for whoever still runs them or goes back. */
const mostKept = 6;

const removeOld = (): void => {
  const builds = readdirSync(dist).filter((name) => /^[0-9a-f]{16}-(demo|plain)$/.test(name));
  const age = (name: string): number => statSync(`${dist}${name}`).mtimeMs;
  const newestFirst = builds.toSorted((one, other) => age(other) - age(one));
  for (const name of newestFirst.slice(mostKept)) rmSync(`${dist}${name}`, { recursive: true, force: true });
};
