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
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Who may import whom, by entry. Nothing points back. Tests may also import `devnet`; tools beside the contracts and
 * beside Solana's program (script/, test/) may import `protocol`, what is deployed (src/) imports nothing.
 */
const mayImport: Record<string, readonly string[]> = {
  contracts: [],
  protocol: [],
  solana: [],
  brand: [],
  docs: ['@mintage/protocol', '@mintage/brand'],
  server: ['@mintage/protocol', '@mintage/docs', '@mintage/brand', '@mintage/web'],
  sdk: ['@mintage/protocol'],
  cli: ['@mintage/sdk'],
  web: ['@mintage/sdk', '@mintage/protocol', '@mintage/brand'],
  devnet: ['@mintage/protocol', '@mintage/contracts', '@mintage/solana', '@mintage/server', '@mintage/sdk'],
};

/**
 * Law of folders, by the folder that holds them, lowest first: a folder imports only from itself and from those before it,
 * so no folders form a ring. A file beside the folders that is not listed comes last: it may import all of them, and none
 * of them imports it. Tests import what they like.
 */
const folderOrder: Record<string, readonly string[]> = {
  'packages/protocol/src': ['chains', 'schemas', 'maths', 'evm', 'solana', 'operations', 'tools'],
  'packages/docs/src': ['page.ts', 'deployment.ts', 'examples.ts', 'markdown', 'reference'],
  'packages/web/src': ['messages', 'lib', 'ui', 'features', 'shell', 'routes', 'app.tsx'],
  'packages/server/src': [
    'environment.ts',
    'jsonText.ts',
    'rateLimits.ts',
    'mediaQuotas.ts',
    'clientPace.ts',
    'config.ts',
    'log.ts',
    'tracing.ts',
    'bell.ts',
    'backoff.ts',
    'terminalLine.ts',
    'createLog.ts',
    'closers.ts',
    'lock.ts',
    'freePort.ts',
    'processStat.ts',
    'line.ts',
    'secp256k1.ts',
    'keys',
    'db',
    'chain',
    'index',
    'sign',
    'api',
  ],
  'packages/server/src/chain': [
    'announcements.ts',
    'answers.ts',
    'agreement.ts',
    'wire.ts',
    'provider.ts',
    'rpc.ts',
    'market.ts',
    'servedChain.ts',
    'preparedStep.ts',
    'bridge.ts',
    'chainClient.ts',
    'outcome.ts',
    'evm',
    'solana',
  ],
  'packages/server/src/index': [
    'events',
    'chainContext.ts',
    'position.ts',
    'page',
    'aggregates',
    'outbox',
    'handlers',
    'sync',
    'store',
    'follower.ts',
    'evm',
    'solana',
  ],
  'packages/server/src/api': [
    'wire',
    'limits',
    'media',
    'tokens',
    'reads',
    'accounts',
    'people',
    'notifications',
    'events',
    'trade',
    'crossing',
    'execution',
    'handlers',
    'call.ts',
    'surfaces',
    'main.ts',
  ],
};

/**
 * Walls: what no file of a folder imports, although the order would let it. What a role runs knows the others' tables only;
 * nothing but `sign` opens a wallet.
 */
const walls: Record<string, readonly string[]> = {
  'packages/server/src/sign': ['packages/server/src/index', 'packages/server/src/api'],
  'packages/server/src/api': ['packages/server/src/index', 'packages/server/src/sign'],
};

/** Folders whose folders know nothing of each other. */
const apart: readonly string[] = ['packages/web/src/features'];

/** Words of the web app: a feature takes those of its name, what every page loads takes the common ones; a page takes any. */
const words = /^packages\/web\/src\/messages\/[^/]+\/(.+)\.ts$/;
const speakers = /^packages\/web\/src\/(lib|ui|shell|features\/([^/]+))\//;

/**
 * The server's folders of one family of chains, at any depth. Only folders of the same name import from them, and those who
 * stand here, files or folders, from what lies in the folders beside them.
 */
const familyFolders = ['evm', 'solana'];
const familyDoors: readonly { who: readonly string[]; from: string }[] = [
  // The list of families.
  { who: ['packages/server/src/families.ts'], from: 'packages/server/src' },
  // An event's file says for each family how the event is read.
  { who: ['packages/server/src/index/handlers'], from: 'packages/server/src/index/events' },
  // How wallets of each family sign texts.
  { who: ['packages/server/src/api/accounts/walletTexts/walletForms.ts'], from: 'packages/server/src/api/accounts' },
  // Who registers, signs an action or authorizes an application with a wallet of their own does so as EVM wallets do.
  {
    who: [
      'main.ts',
      'handlers/platformAction.ts',
      'surfaces/rest/readBody.ts',
      'surfaces/rest/respond.ts',
      'surfaces/oauth/interaction.ts',
    ].map((file) => `packages/server/src/api/${file}`),
    from: 'packages/server/src/api/accounts',
  },
  {
    who: ['interaction.ts', 'pages/signInPage.ts'].map((file) => `packages/server/src/api/surfaces/oauth/${file}`),
    from: 'packages/server/src/api/surfaces/oauth',
  },
];

/** What would make `protocol` depend on where and when it runs. */
const impure = /\b(process\.|fetch\(|Date\.now\(|new Date\(\)|Math\.random\(|performance\.|setTimeout\(|crypto\.)/;

/** Every import that breaks the rules, one sentence each; empty when all arrows point the right way. */
export const arrowErrors = (files: readonly SourceFile[], manifests: Record<string, Manifest>): string[] => [
  ...files.flatMap((file) => fileErrors(file, manifests).map((error) => `${file.path}: ${error}`)),
  ...ringErrors(files),
];

const fileErrors = (file: SourceFile, manifests: Record<string, Manifest>): string[] => {
  const [, owner = ''] = file.path.split('/');
  const manifest = manifests[owner];
  if (!manifest || !mayImport[owner]) return [`package ${owner} is not in the table of scripts/arrows.ts`];
  const isTool = isToolFile(file.path);
  const errors = importsOf(file.text).flatMap((specifier) => {
    if (specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(file.path), specifier);
      return [
        ...relativeErrors(target, owner, specifier),
        ...(isTool
          ? []
          : [
              ...folderErrors(file.path, target),
              ...wallErrors(file.path, target),
              ...familyErrors(file.path, target),
              ...wordErrors(file.path, target),
            ]),
      ];
    }
    if (specifier.startsWith('@mintage/')) return arrowError(owner, isTool, specifier, manifests);
    return outsideErrors(owner, isTool, specifier, manifest);
  });
  const found = owner === 'protocol' && !isTool ? impure.exec(withoutComments(file.text)) : null;
  if (found) errors.push(`protocol has no clock, network, randomness or environment, but says ${found[0]}`);
  return errors;
};

/** Tests and tools, which import what they like. */
const isToolFile = (path: string): boolean => path.split('/')[2] !== 'src' || path.endsWith('.test.ts');

const relativeErrors = (target: string, owner: string, specifier: string): string[] => {
  const inside = target.startsWith(`packages/${owner}/`) || !target.startsWith('packages/');
  return inside ? [] : [`reaches into another package by path: ${specifier}`];
};

/** What the law of folders says of an import of `target` by `path`, at every root that holds both. */
const folderErrors = (path: string, target: string): string[] =>
  Object.entries(folderOrder).flatMap(([root, order]) => {
    if (!path.startsWith(`${root}/`) || !target.startsWith(`${root}/`)) return [];
    const [from, to] = [placeOf(path, root, order), placeOf(target, root, order)];
    const strange = [from, to].find(({ place }) => place === -1);
    if (strange) return [`folder ${root}/${strange.name} has no place in the order of scripts/arrows.ts`];
    return to.place <= from.place ? [] : [`${from.name} comes before ${to.name} in ${root}, so may not import it`];
  });

const wallErrors = (path: string, target: string): string[] => [
  ...Object.entries(walls)
    .filter(([folder]) => path.startsWith(`${folder}/`))
    .flatMap(([folder, closed]) =>
      closed.filter((other) => target.startsWith(`${other}/`)).map((other) => `${folder} may not import ${other}`),
    ),
  ...apart
    .filter((holder) => path.startsWith(`${holder}/`) && target.startsWith(`${holder}/`))
    .map((holder) => [path, target].map((file) => file.slice(holder.length + 1).split('/')[0]))
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${from} and ${to} know nothing of each other`),
];

const wordErrors = (path: string, target: string): string[] => {
  const said = words.exec(target)?.[1];
  const speaker = speakers.exec(path);
  if (said === undefined || speaker === null) return [];
  const own = speaker[2] ?? 'common';
  return said === own ? [] : [`its words are those of ${own}.ts, not of ${said}.ts`];
};

/** The family whose folder of the server a file lies in. */
const familyOf = (file: string): string | undefined =>
  file.startsWith('packages/server/src/') ? file.split('/').find((name) => familyFolders.includes(name)) : undefined;

const familyErrors = (path: string, target: string): string[] => {
  const family = familyOf(target);
  const isOpen = familyDoors.some(
    ({ who, from }) => target.startsWith(`${from}/`) && who.some((one) => path === one || path.startsWith(`${one}/`)),
  );
  if (family === undefined || family === familyOf(path) || isOpen) return [];
  return [`only folders called ${family} may import ${posix.dirname(target)}`];
};

/** Folders that import each other, directly or round a corner, at any depth; a file beside a folder counts as a folder here. */
const ringErrors = (files: readonly SourceFile[]): string[] => {
  /** What each folder or file imports of those beside it, by the folder that holds them. */
  const levels = new Map<string, Map<string, Set<string>>>();
  for (const { path, text } of files.filter((file) => !isToolFile(file.path))) {
    for (const target of targetsOf({ path, text })) {
      const [from, to] = [path.split('/'), target.split('/')];
      const depth = from.findIndex((name, index) => name !== to[index]);
      const [here, there] = [from[depth], to[depth]];
      if (here === undefined || there === undefined) continue;
      const holder = from.slice(0, depth).join('/');
      const level = levels.get(holder) ?? new Map<string, Set<string>>();
      levels.set(holder, level.set(here, (level.get(here) ?? new Set()).add(there)));
    }
  }
  return [...levels].flatMap(([holder, level]) =>
    [...level.keys()]
      .filter((name) => !name.includes('.') && reachable(level, name).has(name))
      .map((name) => `${holder}/${name}: is in a ring of folders: what it imports imports it`),
  );
};

/**
 * Files that import each other, directly or round a corner, types included: one sentence for each import that closes a circle.
 * Tests, tools and scripts count too.
 */
export const circleErrors = (files: readonly SourceFile[]): string[] => {
  const targets = new Map(files.map((file) => [file.path, targetsOf(file)]));
  const visited = new Set<string>();
  const errors: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) errors.push(`circle of files: ${[...trail.slice(start), path].join(' → ')}`);
    if (visited.has(path)) return;
    visited.add(path);
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
  };
  for (const path of targets.keys()) visit(path, []);
  return errors;
};

/** The files that a file imports by path, from the root. */
const targetsOf = ({ path, text }: SourceFile): string[] =>
  importsOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier));

const reachable = (level: ReadonlyMap<string, ReadonlySet<string>>, start: string): Set<string> => {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const next of level.get(name) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(start);
  return found;
};

/** The folder or file of `root` that `path` lies in, and its place in the order; -1 for an unknown folder. */
const placeOf = (path: string, root: string, order: readonly string[]): { name: string; place: number } => {
  const [name = '', ...inner] = path.slice(root.length + 1).split('/');
  const place = order.indexOf(name);
  return { name, place: place === -1 && inner.length === 0 ? order.length : place };
};

const arrowError = (
  owner: string,
  isTool: boolean,
  specifier: string,
  manifests: Record<string, Manifest>,
): string[] => {
  // What a bundler is asked to do with a file stands after `?`.
  const [, target = '', ...rest] = specifier.replace(/\?.*$/, '').split('/');
  const entry = rest.length === 0 ? '.' : `./${rest.join('/')}`;
  if (!manifests[target]?.exports?.[entry]) return [`${specifier} is not an entry that ${target} exports`];
  if (target === owner) return [`imports itself by name: ${specifier}`];
  const reaches = (allowed: string) =>
    specifier === allowed || (allowed.split('/').length === 2 && specifier.startsWith(`${allowed}/`));
  const allowed = mayImport[owner]?.some(reaches);
  const allowedInTools = isTool && (target === 'devnet' || target === 'protocol' || target === 'server');
  return allowed || allowedInTools ? [] : [`${owner} may not import ${specifier}`];
};

const outsideErrors = (owner: string, isTool: boolean, specifier: string, manifest: Manifest): string[] => {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier))
    return owner === 'protocol' && !isTool ? [`protocol has no Node built-in, but imports ${specifier}`] : [];
  const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : (specifier.split('/')[0] ?? '');
  const declared = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    // Local chains are for development in whole: what they need is left out of a production install.
    ...(isTool || owner === 'devnet' ? manifest.devDependencies : {}),
  };
  const known = name in declared || `@types/${name}` in declared;
  return known || isTool ? [] : [`${name} is not a dependency in packages/${owner}/package.json`];
};

/** Specifiers of static and dynamic imports and of re-exports. */
export const importsOf = (text: string): string[] => {
  const code = withoutComments(text);
  const found = code.matchAll(/(?:^|[\s;}([])(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g);
  return [...new Set([...found].map((match) => match[2] ?? ''))];
};

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
