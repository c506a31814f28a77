import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const found = (pattern: string) => globSync(pattern, { cwd: root }).map((path) => path.replaceAll('\\', '/'));

/** What people write: generated files follow by `npm run generate`. */
const sources = found('packages/{protocol,server}/src/**/*.ts').filter((path) => !path.includes('/generated/'));

/** A thing that is there already, and every hand-written file that names it: those that its recipe asks for. */
interface Sample {
  recipe: string;
  /** Placeholders of the recipe's paths, for this thing. */
  placeholders: Record<string, string>;
  named: RegExp;
  /** Tests that name it are not listed, but those that the recipe asks for. */
  files: string[];
}

const samples: Sample[] = [
  {
    recipe: 'add an operation',
    placeholders: { '<name>': 'getUserPnl' },
    named: /\bgetUserPnl\b/,
    files: [
      'packages/protocol/src/operations/getUserPnl.ts',
      'packages/protocol/src/operations/operations.ts',
      'packages/server/src/api/handlers/getUserPnl.ts',
      'packages/server/src/api/handlers/getUserPnl.test.ts',
    ],
  },
  {
    recipe: 'add an event',
    placeholders: { '<Event>': 'ReferrerSet' },
    named: /\bReferrerSet\b/,
    files: [
      'packages/protocol/src/solana/launchpad.ts',
      'packages/server/src/index/handlers/ReferrerSet.ts',
      'packages/server/src/index/handlers/events.ts',
      'packages/server/src/index/solana/decode.ts',
    ],
  },
  {
    recipe: 'add a table',
    placeholders: { '<number>_<what>': '0001_eid', '<table>': 'withdrawal' },
    named: /\bwithdrawal: table\(/,
    files: ['packages/server/src/db/chainTables.ts'],
  },
  {
    recipe: 'add a chain',
    placeholders: {},
    named: /'monad'/,
    files: ['packages/protocol/src/chains/chains.ts'],
  },
  {
    recipe: 'serve another family of chains',
    placeholders: {},
    named: /\beravm: /,
    files: ['packages/protocol/src/chains/families.ts', 'packages/server/src/families.ts'],
  },
  {
    recipe: 'add a fee recipient',
    placeholders: {},
    named: /'protocol_referral_cashback'/,
    files: ['packages/protocol/src/schemas/feeTable.ts'],
  },
  {
    recipe: "say a contract's error in words",
    placeholders: {},
    named: /\bBeyondReserve\b/,
    files: [
      'packages/protocol/src/evm/reverts.ts',
      'packages/protocol/src/solana/launchpad.ts',
      'packages/protocol/src/solana/refusals.ts',
    ],
  },
];

const contributing = read('CONTRIBUTING.md');
const recipes = new Map(
  [...contributing.matchAll(/^## Recipe: (.+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(([, title = '', text = '']) => [
    title,
    text,
  ]),
);

/** Paths in backticks, whole or from the package on; a bare file name lies beside the last folder that was named. */
const pathsIn = (text: string, placeholders: Record<string, string>): string[] => {
  let folder = '';
  return [...text.matchAll(/`([\w./<>-]+\.(?:ts|sql|sol|json))`/g)].map(([, named = '']) => {
    const path = Object.entries(placeholders).reduce((all, [from, to]) => all.replaceAll(from, to), named);
    const places = [
      path,
      `packages/${path}`,
      posix.join(folder, path),
      ...found(`packages/*/{src,src/**,test}/${path}`),
    ];
    const place = places.find((one) => existsSync(`${root}${one}`));
    if (place !== undefined) folder = posix.dirname(place);
    return place ?? `${named} is nowhere`;
  });
};

describe('the recipes of CONTRIBUTING.md', () => {
  it('each has a sample here', () => {
    expect([...recipes.keys()]).toEqual(samples.map(({ recipe }) => recipe));
  });

  it.each(samples)('$recipe: what the recipe names is there', ({ recipe, placeholders }) => {
    const paths = pathsIn(recipes.get(recipe) ?? '', placeholders);
    expect(paths.filter((path) => path.endsWith('is nowhere'))).toEqual([]);
    expect(paths.length).toBeGreaterThan(0);
  });

  it.each(samples)('$recipe: the recipe names every file that it takes', ({ recipe, placeholders, named, files }) => {
    const migrations = found('packages/server/src/db/migrations/**/*.sql');
    const naming = [...sources, ...migrations].filter((path) => named.test(read(path)));
    const asked = naming.filter((path) => !path.endsWith('.test.ts') || files.includes(path));
    expect(asked.toSorted()).toEqual(files.toSorted());
    const paths = pathsIn(recipes.get(recipe) ?? '', placeholders);
    expect(files.filter((file) => !paths.includes(file))).toEqual([]);
  });
});
