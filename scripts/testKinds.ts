import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf, type Manifest } from './arrows.ts';

/**
 * What a test file needs, by what it imports, directly or through others: `alone` nothing but Node, `database` a database,
 * `system` local chains, a compiler or whole processes (with a database or without).
 */
export type TestKind = 'alone' | 'database' | 'system';

const root = fileURLToPath(new URL('../', import.meta.url));

const database = 'packages/devnet/src/testDatabase.ts';
const systems = [
  'packages/devnet/src/devnet.ts',
  'packages/devnet/src/chains.ts',
  'packages/devnet/src/solana/node.ts',
  'packages/protocol/test/foundry.ts',
  'packages/solana/test/machine/machine.ts',
  'packages/solana/build/build.ts',
];

/** Every test file and its kind, by path from the root. */
export const testKinds = (): Map<string, TestKind> => {
  const paths = globSync('{packages/*/{src,test,script},scripts}/**/*.test.ts', { cwd: root });
  return new Map(paths.map((path) => path.replaceAll('\\', '/')).map((path) => [path, kindOf(path)]));
};

const kindOf = (path: string): TestKind => {
  const reached = reachOf(path);
  if (systems.some((system) => reached.has(system))) return 'system';
  return reached.has(database) ? 'database' : 'alone';
};

/** The file, what it imports, and so on; of packages that are not ours nothing. */
export const reachOf = (path: string, reached = new Set<string>()): Set<string> => {
  if (reached.has(path)) return reached;
  reached.add(path);
  for (const target of targetsOf(path)) reachOf(target, reached);
  return reached;
};

const known = new Map<string, string[]>();

/** Files that are run in a process or worker of their own. */
const started = /new URL\(\s*'([^']+\.tsx?)',\s*import\.meta\.url/g;

/** The files of ours that a file imports or starts. */
export const targetsOf = (path: string): string[] => {
  const before = known.get(path);
  if (before) return before;
  const text = readFileSync(join(root, path), 'utf8');
  const starts = [...text.matchAll(started)].map(([, file = '']) => (file.startsWith('.') ? file : `./${file}`));
  const targets = [...importsOf(text), ...starts]
    .map((specifier) => targetOf(path, specifier))
    .filter((target): target is string => target !== undefined && /\.(tsx?|json)$/.test(target))
    .filter((target) => existsSync(join(root, target)));
  known.set(path, targets);
  return targets;
};

const targetOf = (path: string, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  const [scope, name, ...rest] = specifier.split('/');
  if (scope !== '@mintage' || name === undefined) return undefined;
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  const entry = manifest.exports?.[rest.length === 0 ? '.' : `./${rest.join('/')}`];
  return entry && posix.join('packages', name, entry);
};
