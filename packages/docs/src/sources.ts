import { globSync, readFileSync } from 'node:fs';
import type { Examples } from './examples.ts';
import type { ContractDoc } from './reference/contractPages.ts';

/** What the site is made of beside the lists of the protocol: files of this repository. */
export interface Sources {
  /** Text of every Markdown file of `docs/` and `docs/guides/`, and of what is published, by path from the root of the repository. */
  texts: ReadonlyMap<string, string>;
  /** Programs of `examples/`, by path like these. */
  programs: ReadonlyMap<string, string>;
  examples: Examples;
  contracts: readonly ContractDoc[];
  /** Pictures of the texts, SVG, by path like these. */
  pictures: ReadonlyMap<string, string>;
  /** Style and scripts, by name. */
  assets: ReadonlyMap<string, string>;
}

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const json = <Shape>(path: string): Shape => JSON.parse(read(path)) as Shape;

const filesOf = (pattern: string): Map<string, string> => {
  const paths = globSync(pattern, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.toSorted().map((path) => [path, read(path)]));
};

/** Reads them from this repository's folder. */
export const readSources = (): Sources => {
  const assets = ['assets/docs.css', 'generated/docs.js', 'generated/search.js'];
  return {
    texts: filesOf('{docs/{*,guides/*},packages/{sdk,cli}/README}.md'),
    programs: filesOf('examples/*.ts'),
    pictures: filesOf('docs/{*,guides/*}.svg'),
    examples: json('packages/docs/generated/examples.json'),
    contracts: json('packages/docs/generated/contracts.json'),
    assets: new Map(assets.map((path) => [path.split('/')[1] ?? path, read(`packages/docs/${path}`)])),
  };
};
