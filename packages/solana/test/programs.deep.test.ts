import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, checkStyle } from '../build/build.ts';
import { createMachine, integersOf, type Machine, type Outcome } from './machine.ts';

const source = fileURLToPath(new URL('programs/sums.rs', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mintage-programs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let machine: Machine;
let program: Buffer;
beforeAll(async () => {
  machine = await createMachine();
  const file = join(scratch, 'sums.so');
  await buildProgram(source, 'sums', file);
  program = readFileSync(file);
});

const run = (bytes: Buffer, choice: number, a: bigint, b: bigint): Promise<Outcome> => {
  const data = Buffer.alloc(17);
  data.writeUInt8(choice);
  data.writeBigUInt64LE(a, 1);
  data.writeBigUInt64LE(b, 9);
  return machine.run(bytes, data);
};

const lettersOf = (name: string): bigint => BigInt([...Buffer.from(name)].reduce((sum, letter) => sum + letter, 0));
const max = 2n ** 64n - 1n;

/** Which of the program's sums, of what, and the result. */
const sums: [string, number, bigint, bigint, bigint][] = [
  ['a loop of divisions', 0, 28n, 0n, 56n],
  ['integers of 128 bits', 1, max, max, 1n],
  ['recursion', 2, 3n * 2n ** 40n, 9n * 2n ** 38n, 3n * 2n ** 38n],
  ['the first text of a table', 3, 0n, 0n, lettersOf('one')],
  ['a hole in a table', 3, 1n, 77n, 77n],
  ['the last text of a table', 3, 3n, 0n, lettersOf('four')],
  ['a rotation', 4, 0n, 2n ** 63n + 1n, 2n ** 6n + 2n ** 7n],
  ['a swap of bytes', 4, 1n, 0x0102_0304_0506_0708n, 0x0807_0605_0403_0201n],
  ['leading zeros', 4, 2n, 0xffn, 56n],
  ['a product', 4, 3n, 2n ** 63n + 1n, 2n ** 63n + 3n],
  ['ones', 4, 4n, 0xf0f1n, 9n],
  ['a signed shift', 4, 5n, max - 15n, max - 1n],
  ['no case', 4, 6n, 1n, 0n],
  ['a sort', 5, 9n, 1n, [1n, 3n, 5n, 7n, 9n, 11n].reduce((sum, one) => sum * 31n + one, 0n)],
  ['a sum that fits', 6, max - 1n, 1n, max],
];

describe('a program in Rust', () => {
  it.each(sums)('computes %s', async (_, choice, a, b, result) => {
    expect(integersOf(await run(program, choice, a, b))).toEqual([result]);
  });

  it('ends, and takes nothing with it, where a sum or an index is beyond what there is', async () => {
    for (const outcome of [await run(program, 6, max, 1n), await machine.run(program)])
      expect(outcome).toEqual({ failed: expect.stringMatching(/Program log: sums\.rs\n[^]*panicked/) });
  });

  it('has the same bytes wherever it is built, and no folder of the machine in them', async () => {
    const elsewhere = join(scratch, 'somewhere/else');
    mkdirSync(elsewhere, { recursive: true });
    cpSync(source, join(elsewhere, 'sums.rs'));
    await buildProgram(join(elsewhere, 'sums.rs'), 'sums', join(elsewhere, 'other.so'));
    expect(readFileSync(join(elsewhere, 'other.so')).equals(program)).toBe(true);
    const texts = program.toString('latin1').match(/[\x20-\x7e]{4,}/g) ?? [];
    expect(texts).toContain('sums.rs');
    expect(texts.filter((text) => /^\/|programs|node_modules|usr|tmp|home/.test(text))).toEqual([]);
  });

  it('is formatted, and Clippy has nothing to say', () => checkStyle(source, 'sums'));

  it('error: what the compiler or the packer refuses is said', async () => {
    const broken = fileURLToPath(new URL('programs/broken.rs', import.meta.url));
    await expect(buildProgram(broken, 'broken', join(scratch, 'broken.so'))).rejects.toThrow(
      'is writable: a program has no memory that outlives a call.',
    );
  });
});
