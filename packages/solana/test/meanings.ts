import { add, instruction, keep, load64, set } from './assembly.ts';

/** Instructions that leave a result in register 3, and what it is by the manual of LLVM's BPF (RFC 9669). */
export interface Case {
  code: Buffer;
  result: bigint;
}

type Operation = (one: bigint, other: bigint) => bigint;

const bits = 64n;
const unsigned = (value: bigint): bigint => BigInt.asUintN(64, value);
const signed = (value: bigint): bigint => BigInt.asIntN(64, value);

/** Operands around the borders of 32 and 64 bits, none of them 0 at the right: the compiler divides by none. */
const pairs: [bigint, bigint][] = [
  [7n, 3n],
  [0n, 1n],
  [2n ** 64n - 1n, 2n ** 64n - 2n],
  [2n ** 63n, 5n],
  [0xffff_ffffn, 1n],
  [0x8000_0000n, 2n ** 64n - 0x8000_0000n],
  [0x0123_4567_89ab_cdefn, 0xfedc_ba98_7654_3210n],
  [41n, 41n],
];

/** Constants in an instruction have 32 bits and a sign. */
const constants = [1, 5, 63, -1, -7, 0x7fff_ffff, -0x8000_0000];

const arithmetic: Record<number, Operation> = {
  0x00: (a, b) => a + b,
  0x10: (a, b) => a - b,
  0x20: (a, b) => a * b,
  0x30: (a, b) => a / b,
  0x40: (a, b) => a | b,
  0x50: (a, b) => a & b,
  0x60: (a, b) => a << (b % bits),
  0x70: (a, b) => a >> (b % bits),
  0x90: (a, b) => a % b,
  0xa0: (a, b) => a ^ b,
  0xb0: (_, b) => b,
  0xc0: (a, b) => signed(a) >> (b % bits),
};

const jumps: Record<number, (one: bigint, other: bigint) => boolean> = {
  0x10: (a, b) => a === b,
  0x20: (a, b) => a > b,
  0x30: (a, b) => a >= b,
  0x40: (a, b) => (a & b) !== 0n,
  0x50: (a, b) => a !== b,
  0x60: (a, b) => signed(a) > signed(b),
  0x70: (a, b) => signed(a) >= signed(b),
  0xa0: (a, b) => a < b,
  0xb0: (a, b) => a <= b,
  0xc0: (a, b) => signed(a) < signed(b),
  0xd0: (a, b) => signed(a) <= signed(b),
};

/** A shift by a constant is by less than the register's width, or the machine's verifier refuses it. */
const isShift = (operation: number): boolean => [0x60, 0x70, 0xc0].includes(operation);

/** The same operation with a register and with a constant at the right. `use` is code that takes register 3 and that operand. */
const bothSources = (
  opcode: number,
  constantsOfIt: number[],
  use: (opcode: number, operand: { from?: number; constant?: number }) => Buffer,
  operation: Operation,
): [number, Case[]][] => [
  [
    opcode,
    pairs.flatMap(([a]) =>
      constantsOfIt.map((constant) => ({
        code: Buffer.concat([load64(3, a), use(opcode, { constant })]),
        result: unsigned(operation(a, unsigned(BigInt(constant)))),
      })),
    ),
  ],
  [
    opcode | 0x08,
    pairs.map(([a, b]) => ({
      code: Buffer.concat([load64(3, a), load64(4, b), use(opcode | 0x08, { from: 4 })]),
      result: unsigned(operation(a, b)),
    })),
  ],
];

const calculations = Object.entries(arithmetic).flatMap(([key, operation]) =>
  bothSources(
    0x07 | Number(key),
    constants.filter((constant) => !isShift(Number(key)) || (constant >= 0 && constant < 64)),
    (opcode, operand) => instruction(opcode, { to: 3, ...operand }),
    operation,
  ),
);

const decisions = Object.entries(jumps).flatMap(([key, holds]) =>
  bothSources(
    0x05 | Number(key),
    [...constants, 41],
    (opcode, operand) =>
      Buffer.concat([
        set(5, 1),
        instruction(opcode, { to: 3, offset: 1, ...operand }),
        set(5, 0),
        instruction(0xbf, { to: 3, from: 5 }),
      ]),
    (a, b) => (holds(a, b) ? 1n : 0n),
  ),
);

/** Offset in the frame, below all results. */
const place = -2048;
const before = 0x8182_8384_8586_8788n;

const inMemory = (value: bigint, ...code: Buffer[]): Buffer =>
  Buffer.concat([load64(3, value), keep(3, place), ...code]);
const whole = instruction(0x79, { to: 3, from: 10, offset: place });

/** Bits of a width in an opcode, and its bytes. */
const widths: [number, number][] = [
  [0x10, 1],
  [0x08, 2],
  [0x00, 4],
  [0x18, 8],
];

/** `before` with its lowest bytes replaced. */
const overwritten = (value: bigint, bytes: number): bigint =>
  ((before >> BigInt(8 * bytes)) << BigInt(8 * bytes)) | BigInt.asUintN(8 * bytes, value);

const accesses = widths.flatMap(([width, bytes]): [number, Case[]][] => [
  [
    0x61 | width,
    [0, 8 - bytes].map((offset) => ({
      code: inMemory(before, instruction(0x61 | width, { to: 3, from: 10, offset: place + offset })),
      result: BigInt.asUintN(8 * bytes, before >> BigInt(8 * offset)),
    })),
  ],
  [
    0x62 | width,
    [1, -2, 0x7654_3210].map((constant) => ({
      code: inMemory(before, instruction(0x62 | width, { to: 10, offset: place, constant }), whole),
      result: overwritten(BigInt(constant), bytes),
    })),
  ],
  [
    0x63 | width,
    [1n, 2n ** 64n - 2n, 0xfedc_ba98_7654_3210n].map((value) => ({
      code: inMemory(before, load64(4, value), instruction(0x63 | width, { to: 10, from: 4, offset: place }), whole),
      result: overwritten(value, bytes),
    })),
  ],
]);

const swapped = (value: bigint, bytes: number): bigint => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt.asUintN(8 * bytes, value));
  return BigInt.asUintN(8 * bytes, buffer.readBigUInt64LE() >> BigInt(8 * (8 - bytes)));
};

const others: [number, Case[]][] = [
  [0x18, pairs.flat().map((value) => ({ code: load64(3, value), result: value }))],
  [
    0x87,
    pairs.map(([value]) => ({
      code: Buffer.concat([load64(3, value), instruction(0x87, { to: 3 })]),
      result: unsigned(-value),
    })),
  ],
  [
    0xdc,
    [2, 4, 8].map((bytes) => ({
      code: Buffer.concat([load64(3, before), instruction(0xdc, { to: 3, constant: 8 * bytes })]),
      result: swapped(before, bytes),
    })),
  ],
  [0x05, [{ code: Buffer.concat([set(3, 7), instruction(0x05, { offset: 1 }), add(3, 2)]), result: 7n }]],
];

/** Every opcode with a meaning that can be told by one result: all but calls and the exit. */
export const meanings: ReadonlyMap<number, Case[]> = new Map([...calculations, ...decisions, ...accesses, ...others]);
