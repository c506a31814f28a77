import { builtinModules } from 'node:module';
import { posix } from 'node:path';

/** One TypeScript file, its path from the root with `/`. */
export interface SourceFile {
  path: string;
  text: string;
}

export interface Manifest {
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Who may import whom, by entry. Nothing points back. Tests may also import `devnet`; tools beside the contracts
 * (script/, test/) may import `protocol`, what is deployed (src/) imports nothing.
 */
const mayImport: Record<string, readonly string[]> = {
  contracts: [],
  protocol: [],
  indexer: ['@mintage/protocol'],
  signer: ['@mintage/protocol', '@mintage/indexer/db'],
  api: ['@mintage/protocol', '@mintage/indexer/db', '@mintage/signer/db', '@mintage/signer/keys'],
  sdk: ['@mintage/protocol'],
  cli: ['@mintage/sdk'],
  web: ['@mintage/sdk', '@mintage/protocol'],
  devnet: [
    '@mintage/protocol',
    '@mintage/contracts',
    '@mintage/indexer',
    '@mintage/signer',
    '@mintage/api',
    '@mintage/sdk',
  ],
};

/** What would make `protocol` depend on where and when it runs. */
const impure = /\b(process\.|fetch\(|Date\.now\(|new Date\(\)|Math\.random\(|performance\.|setTimeout\(|crypto\.)/;

/** Every import that breaks the rules, one sentence each; empty when all arrows point the right way. */
export const arrowErrors = (files: readonly SourceFile[], manifests: Record<string, Manifest>): string[] =>
  files.flatMap((file) => fileErrors(file, manifests).map((error) => `${file.path}: ${error}`));

const fileErrors = (file: SourceFile, manifests: Record<string, Manifest>): string[] => {
  const [, owner = '', ...inner] = file.path.split('/');
  const manifest = manifests[owner];
  if (!manifest || !mayImport[owner]) return [`package ${owner} is not in the table of scripts/arrows.ts`];
  const isTool = inner[0] !== 'src' || file.path.endsWith('.test.ts');
  const errors = importsOf(file.text).flatMap((specifier) => {
    if (specifier.startsWith('.')) return relativeErrors(file.path, owner, specifier);
    if (specifier.startsWith('@mintage/')) return arrowError(owner, isTool, specifier, manifests);
    return outsideErrors(owner, isTool, specifier, manifest);
  });
  const found = owner === 'protocol' && !isTool ? impure.exec(withoutComments(file.text)) : null;
  if (found) errors.push(`protocol has no clock, network, randomness or environment, but says ${found[0]}`);
  return errors;
};

const relativeErrors = (path: string, owner: string, specifier: string): string[] => {
  const target = posix.normalize(posix.join(posix.dirname(path), specifier));
  const inside = target.startsWith(`packages/${owner}/`) || !target.startsWith('packages/');
  return inside ? [] : [`reaches into another package by path: ${specifier}`];
};

const arrowError = (
  owner: string,
  isTool: boolean,
  specifier: string,
  manifests: Record<string, Manifest>,
): string[] => {
  const [, target = '', ...rest] = specifier.split('/');
  const entry = rest.length === 0 ? '.' : `./${rest.join('/')}`;
  if (!manifests[target]?.exports?.[entry]) return [`${specifier} is not an entry that ${target} exports`];
  if (target === owner) return [`imports itself by name: ${specifier}`];
  const reaches = (allowed: string) =>
    specifier === allowed || (allowed.split('/').length === 2 && specifier.startsWith(`${allowed}/`));
  const allowed = mayImport[owner]?.some(reaches);
  const allowedInTools = isTool && (target === 'devnet' || target === 'protocol' || target === 'indexer');
  return allowed || allowedInTools ? [] : [`${owner} may not import ${specifier}`];
};

const outsideErrors = (owner: string, isTool: boolean, specifier: string, manifest: Manifest): string[] => {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier))
    return owner === 'protocol' && !isTool ? [`protocol has no Node built-in, but imports ${specifier}`] : [];
  const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : (specifier.split('/')[0] ?? '');
  const declared = { ...manifest.dependencies, ...(isTool ? manifest.devDependencies : {}) };
  const known = name in declared || `@types/${name}` in declared;
  return known || isTool ? [] : [`${name} is not a dependency in packages/${owner}/package.json`];
};

/** Specifiers of static and dynamic imports and of re-exports. */
const importsOf = (text: string): string[] => {
  const code = withoutComments(text);
  const found = code.matchAll(/(?:^|[\s;}])(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g);
  return [...new Set([...found].map((match) => match[2] ?? ''))];
};

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
