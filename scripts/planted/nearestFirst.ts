import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../testing/run.ts';
import { missingPrograms, testFiles } from '../testing/sets.ts';
import { setOf, type TestSet } from '../testing/testSet.ts';
import { targetsOf, testKinds } from '../testKinds.ts';
import type { PlantedBug } from './bug.ts';

/** Imports from a test to the file. Infinity: it reaches the file through no import, as by a process that it starts. */
const distance = (test: string, file: string): number => {
  const seen = new Set([test]);
  let here = [test];
  for (let steps = 1; here.length > 0; steps += 1) {
    const next = new Set(here.flatMap(targetsOf).filter((target) => !seen.has(target)));
    for (const target of next) seen.add(target);
    if (seen.has(file)) return steps;
    here = [...next];
  }
  return Number.POSITIVE_INFINITY;
};

/**
 * The files of a set that can run here, in the order in which they are likely to notice a bug soon: the one that did last time; those
 * that start no system before those that do; what names the changed file, as the wire names an operation, before the rest; then by the
 * imports between.
 */
export const nearestFirst = (set: TestSet, { file, noticedBy }: Pick<PlantedBug, 'file' | 'noticedBy'>): string[] => {
  const name = basename(file).replace(/\.tsx?$/, '');
  const beside = file.replace(/\.tsx?$/, '.test.ts');
  const missing = new Set(missingPrograms(testFiles(set)).flatMap(({ files }) => files));
  return [...testKinds()]
    .filter(([test]) => setOf(test) === set && !missing.has(test))
    .map(([test, kind]) => {
      const isKnown = test === noticedBy;
      const isBeside = test === beside;
      const isNamed = isBeside || readFileSync(join(root, test), 'utf8').includes(name);
      return { test, isKnown, isBeside, isNamed, isSystem: kind === 'system', far: distance(test, file) };
    })
    .toSorted(
      (a, b) =>
        Number(b.isKnown) - Number(a.isKnown) ||
        Number(b.isBeside) - Number(a.isBeside) ||
        Number(a.isSystem) - Number(b.isSystem) ||
        Number(b.isNamed) - Number(a.isNamed) ||
        (a.far === b.far ? 0 : a.far - b.far),
    )
    .map(({ test }) => test);
};
