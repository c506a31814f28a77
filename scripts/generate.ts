/**
 * `npm run generate`: writes every generated file, by the generators beside this one; `--check` fails when a file would change. The
 * contracts are compiled where they have changed since the last time.
 */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Compiles the contracts, which others read. */
const first = 'generate-artifacts.ts';
const generators = globSync('generate-*.ts', { cwd: fileURLToPath(new URL('.', import.meta.url)) });
for (const name of [first, ...generators.filter((other) => other !== first).toSorted()]) await import(`./${name}`);
