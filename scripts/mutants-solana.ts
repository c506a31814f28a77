/**
 * `npm run mutants:solana`: builds the Solana program with every bug of `packages/solana/test/mutations.ts`, one at a time, and shows its
 * test red. Needs the pinned compiler. Exits 1 when a bug survives or no longer fits. `-- S101` plants those whose proof says so.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../packages/solana/build/build.ts';
import { type Mutation, mutations } from '../packages/solana/test/mutations.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = join(root, 'packages/solana/program/src');

const escaped = (word: string): string => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
/** The same words, however they are broken into lines. */
const anywhere = (words: string): RegExp => new RegExp(words.split(/\s+/).map(escaped).join('\\s+'));

/** The program with the bug in it; null: it does not build, so nobody can deploy it. */
const plant = async ({ file, from, to }: Mutation, folder: string): Promise<string | null> => {
  const copy = join(folder, 'src');
  cpSync(sources, copy, { recursive: true });
  const text = readFileSync(join(copy, file), 'utf8');
  if (text.split(anywhere(from)).length !== 2) throw new Error(`${file} has not exactly once: ${from}`);
  writeFileSync(
    join(copy, file),
    text.replace(anywhere(from), () => to),
  );
  const program = join(folder, 'launchpad.so');
  return buildProgram(join(copy, 'lib.rs'), 'launchpad', program).then(
    () => program,
    (error: unknown) => {
      console.error(error);
      return null;
    },
  );
};

const isRed = ({ test }: Mutation, program: string): boolean => {
  const [file = '', ...words] = test.split(' ');
  const name = words.length > 0 ? ['-t', words.join(' ')] : [];
  const { status, error, stdout } = spawnSync('vitest', ['run', `packages/solana/test/${file}`, ...name], {
    cwd: root,
    env: { ...process.env, TEST_LAUNCHPAD: program, SEED: '1' },
    encoding: 'utf8',
  });
  if (error) throw error;
  if (/No test files found|No test found/.test(stdout)) throw new Error(`There is no test ${test}.`);
  return status !== 0;
};

const [only] = process.argv.slice(2);
let survived = 0;
for (const mutation of mutations.filter(({ proves }) => only === undefined || proves.includes(only))) {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-mutant-'));
  try {
    const program = await plant(mutation, folder);
    const verdict = program === null ? 'DOES NOT BUILD' : isRed(mutation, program) ? 'red' : 'GREEN';
    if (verdict !== 'red') survived += 1;
    console.log(`${verdict.padEnd(6)} ${mutation.proves} (${mutation.test})`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exitCode = survived === 0 ? 0 : 1;
