/**
 * `npm run threats`: is every threat proved, waiting or not applicable? Reads threats.json. Fails on an id without a mark,
 * on a proved id whose test is gone or does not bear the id, and on a C or X id that waits. `-- --against <file>` also
 * compares the ids with a threat list and docs/attacks.md (rows that begin with `| C1 |`, or `| T1-T2 |` for several).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readMarks, threatIds } from './threatMarks.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const marks = readMarks();

/** A name in Solidity joins its words by underscores. */
const bears = (name: string, id: string): boolean => new RegExp(`(^|[^A-Za-z0-9])${id}([^A-Za-z0-9]|$)`).test(name);

const proofErrors = (id: string, proof: string): string[] => {
  const [path = '', ...words] = proof.split(' ');
  const name = words.join(' ');
  if (!existsSync(join(root, path))) return [`${id}: there is no ${path}`];
  const text = readFileSync(join(root, path), 'utf8');
  const found = path.endsWith('.sol') ? text.includes(`function ${name}(`) : text.includes(name);
  return [
    ...(found ? [] : [`${id}: no test "${name}" in ${path}`]),
    ...(bears(name, id) ? [] : [`${id}: the test "${name}" does not bear the id`]),
  ];
};

const errorsOf = (id: string): string[] => {
  const mark = marks[id];
  if (!mark) return [`${id}: not marked`];
  if ('waiting' in mark) return /^[CX]/.test(id) ? [`${id}: waits, but contracts must be proved`] : [];
  if ('notApplicable' in mark) return [];
  return mark.proved.length === 0
    ? [`${id}: proved by nothing`]
    : mark.proved.flatMap((proof) => proofErrors(id, proof));
};

/** Ids of a list in Markdown. */
const idsIn = (text: string): string[] =>
  [...text.matchAll(/^\| ([A-Z])(\d+)(?:-[A-Z](\d+))? \|/gm)].flatMap(([, part, first, last]) =>
    Array.from({ length: Number(last ?? first) - Number(first) + 1 }, (_, index) => `${part}${Number(first) + index}`),
  );

const { against } = parseArgs({ options: { against: { type: 'string' } } }).values;
const attacks = idsIn(readFileSync(join(root, 'docs/attacks.md'), 'utf8'));
const listed = against ? [...idsIn(readFileSync(against, 'utf8')), ...attacks] : threatIds;

const errors = [
  ...threatIds.flatMap(errorsOf),
  ...Object.keys(marks)
    .filter((id) => !threatIds.includes(id))
    .map((id) => `${id}: marked, but in no list`),
  ...listed.filter((id) => !threatIds.includes(id)).map((id) => `${id}: in ${against}, but not known here`),
  ...threatIds.filter((id) => !listed.includes(id)).map((id) => `${id}: known here, but not in ${against}`),
];
for (const error of errors) console.error(error);

const count = (kind: string) => Object.values(marks).filter((mark) => kind in mark).length;
console.log(
  `threats: ${threatIds.length} ids: ${count('proved')} proved, ${count('waiting')} waiting, ${count('notApplicable')} not applicable`,
);
for (const [id, mark] of Object.entries(marks)) if ('waiting' in mark) console.log(`  ${id} waits for ${mark.waiting}`);
if (errors.length > 0) process.exitCode = 1;
