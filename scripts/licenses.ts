/**
 * What ships under our MIT licence carries no term that contradicts it: npm packages that run in production, and the
 * Solidity files that the committed creation bytecode is made of.
 */

/** Packages of ours that run only in tests, on local chains or to deploy. All others ship with all they depend on. */
export const notShipped: readonly string[] = ['packages/contracts', 'packages/devnet'];

/** Licences that ask for a notice at most. Whatever is not listed is refused: a new line here is a decision. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]);

/** Packages with another licence that ship all the same, each with the reason. */
export const exceptions: readonly { name: RegExp; license: string; reason: string }[] = [
  {
    name: /^@img\/sharp-(?:libvips-[\w-]+|wasm32|win32-\w+)$/,
    license: 'LGPL-3.0-or-later',
    reason: 'libvips, prebuilt and unchanged, in files of its own that are loaded at run time and can be replaced',
  },
];

/** What npm's lock says of one package; the path is `node_modules/…`, nested where versions differ. */
export interface LockedPackage {
  license?: string;
  version?: string;
  /** Where it is another package than its place says. */
  name?: string;
  /** Of what is not installed in production. */
  dev?: boolean;
  /** Not installed where the platform does not fit. */
  optional?: boolean;
  link?: boolean;
  /** Where a link leads: `packages/…`. */
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

export type Lock = Record<string, LockedPackage>;

/** Paths of every package that runs in production, our own included. */
export const shippedPaths = (lock: Lock): string[] => {
  const own = Object.keys(lock).filter((path) => !path.includes('node_modules/') && !notShipped.includes(path));
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const name of namesUsedBy(lock[path] ?? {})) {
      const found = pathOf(lock, path, name);
      if (found !== null) visit(found);
    }
  };
  for (const path of own) visit(path);
  return [...seen].toSorted();
};

/** Optional dependencies are installed where the platform fits; optional peers only when another package asks for them. */
const namesUsedBy = (locked: LockedPackage): string[] => {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = locked;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
};

/** Where Node finds `name` from a package: in its own node_modules, or in those of the folders above. */
const pathOf = (lock: Lock, from: string, name: string): string | null => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const found = lock[path];
    if (found) return found.link ? (found.resolved ?? path) : path;
    if (folder === '') return null;
  }
};

/**
 * One sentence for each shipped package whose licence contradicts ours.
 *
 * @param licenseOf - The licence that the package at a path states, null when it states none.
 */
export const licenseErrors = (lock: Lock, licenseOf: (path: string) => string | null): string[] =>
  shippedPaths(lock).flatMap((path) => {
    const license = licenseOf(path);
    if (notShipped.includes(path)) return [`${path} ships, because a shipped package depends on it`];
    if (!path.includes('node_modules/'))
      return license === 'MIT'
        ? []
        : [`${path || 'package.json'} is ours and says ${license ?? 'no licence'}, not MIT`];
    if (license === null) return [`${path} ships and states no licence`];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const excepted = exceptions.filter((exception) => exception.name.test(name)).map(({ license: id }) => id);
    return isAllowed(license, excepted) ? [] : [`${path} ships and is licensed ${license}`];
  });

/** Reads an SPDX expression: one of several suffices after OR; of a mixture of AND and OR every part has to be allowed. */
const isAllowed = (expression: string, excepted: readonly string[]): boolean => {
  const isGood = (id: string) => allowed.has(id) || excepted.includes(id);
  const ids = expression.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /);
  return expression.includes(' OR ') && !expression.includes(' AND ') ? ids.some(isGood) : ids.every(isGood);
};

/** One sentence for each Solidity file in a contract's bytecode whose SPDX header contradicts our licence. */
export const sourceErrors = (contract: string, sources: Record<string, { license?: string }>): string[] =>
  Object.entries(sources).flatMap(([path, { license }]) =>
    license !== undefined && isAllowed(license, [])
      ? []
      : [`${contract} is deployed with code of ${path}, which says ${license ?? 'no licence'}`],
  );
