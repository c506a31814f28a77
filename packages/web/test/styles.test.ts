import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../src/', import.meta.url);

/** Classes that begin a rule of a style sheet, so that they mean something wherever they stand. */
const ownClasses = (css: string): Set<string> => {
  const plain = css.replace(/\/\*[\s\S]*?\*\/|\([^()]*\)/g, '');
  const selectors = [...plain.matchAll(/(?:^|[{};])\s*([^{};@]+)\{/g)].flatMap(([, list = '']) => list.split(','));
  return new Set(selectors.flatMap((selector) => /^\s*(?:[a-z]+)?\.([a-z][\w-]*)\s*$/.exec(selector)?.[1] ?? []));
};

it('error: one class that two style sheets give a look', () => {
  const owners = new Map<string, string[]>();
  for (const path of globSync('{ui,features/*,shell}/*.css', { cwd: root }).toSorted())
    for (const name of ownClasses(readFileSync(new URL(path, root), 'utf8')))
      owners.set(name, [...(owners.get(name) ?? []), path]);
  expect([...owners].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
