import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { link } from '../build/link.ts';
import { pack } from '../build/pack.ts';
import {
  add,
  exit,
  instruction,
  keep,
  load64,
  move,
  returnFrame,
  returnRegister,
  set,
  toBeLinked,
} from './assembly.ts';
import { createMachine, integersOf, type Machine } from './machine.ts';
import { meanings } from './meanings.ts';
import { code, constants, objectFile, relocations, type TestSection, type TestSymbol } from './objectFile.ts';

let machine: Machine;
beforeAll(async () => {
  machine = await createMachine();
});

const hex = (opcode: number): string => `0x${opcode.toString(16).padStart(2, '0')}`;

const returnedBy = async (sections: TestSection[], symbols?: TestSymbol[]): Promise<bigint[]> =>
  integersOf(await machine.run(pack(objectFile(sections, symbols))));

/** So much of an object that packing it gets as far as looking at what is wrong with this code. */
const packCode = (...instructions: Buffer[]): Buffer => pack(objectFile([code('.text', ...instructions, exit)]));

/** Types of relocations. */
const [toConstant, toData, toCall] = [1, 2, 10];
/** Proved by tests of their own, below. */
const [callOpcode, callRegisterOpcode, exitOpcode] = [0x85, 0x8d, 0x95];
const proved = new Set([...meanings.keys(), callOpcode, callRegisterOpcode, exitOpcode]);
const others = Array.from({ length: 256 }, (_, opcode) => opcode).filter((opcode) => !proved.has(opcode));

describe('opcodes', () => {
  it.each([...meanings].map(([opcode, cases]) => [hex(opcode), cases] as const))(
    'S115 %s means to the machine what it means to LLVM',
    async (_, cases) => {
      const frame = -8 * cases.length;
      const each = cases.map((one, index) => Buffer.concat([one.code, keep(3, frame + 8 * index)]));
      const returned = await returnedBy([code('.text', ...each, returnFrame(frame, -frame))]);
      expect(returned).toEqual(cases.map(({ result }) => result));
    },
  );

  it.each(others.map(hex))('S115 %s is refused: nothing here proves its meaning', (opcode) => {
    expect(() => packCode(set(0, 0), instruction(Number(opcode)))).toThrow(
      `in slot 1 has the opcode ${opcode}, which is not among those that LLVM and the machine read alike.`,
    );
  });

  it('S115 an addition of 32 bits, which is refused, has another meaning: the machine extends the sign', async () => {
    const program = pack(objectFile([code('.text', load64(3, 0x7fff_ffffn), add(3, 1), returnRegister(3))]));
    const at = program.indexOf(add(3, 1));
    program.writeUInt8(0x04, at);
    expect(integersOf(await machine.run(program))).toEqual([0xffff_ffff_8000_0000n]);
  });

  it('S115 what newer processors say in other fields of an instruction is refused', () => {
    const signedDivision = instruction(0x3f, { to: 0, from: 1, offset: 1 });
    expect(() => packCode(signedDivision)).toThrow('has an offset, which the machine would not read.');
    const helper = instruction(0x85, { from: 2, constant: 1 });
    expect(() => packCode(helper)).toThrow('is a call of a kind that the machine does not know.');
    const map = Buffer.concat([instruction(0x18, { from: 1 }), instruction(0)]);
    expect(() => packCode(map)).toThrow('loads something other than a constant.');
    expect(() => packCode(instruction(0x18))).toThrow('is not followed by the upper half of its constant.');
  });
});

/** f(x) = 3x and g(x) = x - 1, in one section. */
const functions = code('.text.f', move(0, 1), instruction(0x27, { constant: 3 }), exit, move(0, 1), add(0, -1), exit);
const secondFunction = 24;
const f = { name: 'f', section: 1 };
const entry = { name: 'entrypoint', section: 2 };
const functionsSection = { name: '', section: 1 };

describe('addresses', () => {
  it('calls functions before and after the caller, by name and by their section', async () => {
    const bySection = instruction(callOpcode, { from: 1, constant: secondFunction / 8 - 1 });
    const text = code(
      '.text',
      set(1, 14),
      toBeLinked,
      move(1, 0),
      toBeLinked,
      move(1, 0),
      bySection,
      returnRegister(0),
    );
    const calls = relocations(2, [
      { offset: 8, type: toCall, symbol: 1 },
      { offset: 24, type: toCall, symbol: 4 },
      { offset: 40, type: toCall, symbol: 3 },
    ]);
    const after = code('.text.h', move(0, 1), instruction(0x0f, { to: 0, from: 1 }), exit);
    const symbols = [f, entry, functionsSection, { name: 'h', section: 3 }];
    expect(await returnedBy([functions, text, after, calls], symbols)).toEqual([14n * 3n * 2n - 1n]);
  });

  it('leaves a call inside a section as it is', async () => {
    const end = returnRegister(0);
    const call = instruction(callOpcode, { from: 1, constant: end.length / 8 });
    const text = code('.text', set(1, 5), call, end, move(0, 1), add(0, 100), exit);
    expect(await returnedBy([text])).toEqual([105n]);
  });

  it('calls a function by its address, from code and out of a table of constants', async () => {
    const throughRegister = instruction(callRegisterOpcode, { to: 2 });
    const text = code(
      '.text',
      set(1, 14),
      load64(2, 0n),
      throughRegister,
      move(1, 0),
      load64(2, 8n),
      instruction(0x79, { to: 2, from: 2 }),
      throughRegister,
      returnRegister(0),
    );
    const table = constants(Buffer.alloc(16));
    table.bytes.writeBigUInt64LE(BigInt(secondFunction), 8);
    const symbols = [f, entry, functionsSection, { name: 'table', section: 3 }];
    const inCode = relocations(2, [
      { offset: 8, type: toConstant, symbol: 1 },
      { offset: 40, type: toConstant, symbol: 4 },
    ]);
    const inTable = relocations(3, [
      { offset: 0, type: toData, symbol: 1 },
      { offset: 8, type: toData, symbol: 3 },
    ]);
    expect(await returnedBy([functions, text, table, inCode, inTable], symbols)).toEqual([14n * 3n - 1n]);
  });

  it('puts constants of several sections where code reads them, and none at address 0', async () => {
    const byte = (to: number) => instruction(0x71, { to, from: to });
    const text = code('.text', load64(6, 0n), load64(7, 2n), move(8, 6), byte(6), byte(7));
    const results = [keep(6, -24), keep(7, -16), keep(8, -8), returnFrame(-24, 24)];
    const inCode = relocations(1, [
      { offset: 0, type: toConstant, symbol: 2 },
      { offset: 16, type: toConstant, symbol: 3 },
    ]);
    const [first, second] = [constants(Buffer.from('abc')), constants(Buffer.from('xyz'), '.rodata.str')];
    const symbols = [
      { name: 'entrypoint', section: 1 },
      { name: 'first', section: 2 },
      { name: '', section: 3 },
    ];
    const whole = code('.text', text.bytes, ...results);
    const [a, z, address] = await returnedBy([whole, first, second, inCode], symbols);
    expect([a, z]).toEqual([97n, 122n]);
    expect(address).toBeGreaterThan(0n);
  });

  it('begins at the entry, wherever it is, and needs no constants', async () => {
    const text = code('.text', set(3, 1), returnRegister(3));
    expect(await returnedBy([functions, text], [entry])).toEqual([1n]);
  });
});

describe('what a program cannot have', () => {
  const text = code('.text', load64(1, 0n), toBeLinked, exit);
  const refused = (sections: TestSection[], symbols?: TestSymbol[]) => () =>
    pack(objectFile([text, ...sections], symbols));
  const start = { name: 'entrypoint', section: 1 };

  it('error: memory that outlives a call', () => {
    const data = { name: '.data', flags: 1 + 2, bytes: Buffer.alloc(8) };
    const why = 'is writable: a program has no memory that outlives a call.';
    expect(refused([data])).toThrow(`The section .data ${why}`);
    expect(refused([{ ...data, name: '.bss', type: 8 }])).toThrow(`The section .bss ${why}`);
    expect(refused([{ ...data, name: '.zeros', flags: 2, type: 8 }])).toThrow(
      '.zeros holds something other than bytes.',
    );
    expect(refused([{ ...data, bytes: Buffer.alloc(0) }])).not.toThrow();
  });

  it('error: a symbol that nothing defines, or that is not loaded', () => {
    const call = relocations(1, [{ offset: 16, type: toCall, symbol: 2 }]);
    expect(refused([call], [start, { name: 'memcpy', section: 0 }])).toThrow(
      'Nothing defines the symbol memcpy, which is used at .text+16.',
    );
    const notes = { name: '.comment', flags: 0, bytes: Buffer.from('notes') };
    expect(refused([call, notes], [start, { name: 'notes', section: 3 }])).toThrow(
      'The symbol notes, which is used at .text+16, lies in no loaded section.',
    );
    const absolute = 0xfff1;
    expect(refused([call], [start, { name: 'fixed', section: absolute }])).toThrow('lies in no loaded section.');
  });

  it('error: a relocation of another type, or in another place', () => {
    const inCode = (type: number, offset: number) => relocations(1, [{ offset, type, symbol: 1 }]);
    for (const type of [toData, 3, 4])
      expect(refused([inCode(type, 0)])).toThrow(
        `The relocation at .text+0 is of type ${type}, which is not known in code.`,
      );
    const table = constants(Buffer.alloc(8));
    for (const type of [toConstant, 3, toCall])
      expect(refused([table, relocations(2, [{ offset: 0, type, symbol: 1 }])])).toThrow(
        `The relocation at .rodata+0 is of type ${type}, which is not known in data.`,
      );
    expect(refused([inCode(toConstant, 16)])).toThrow('An address is wanted at .text+16, where no constant is loaded.');
    expect(refused([inCode(toCall, 0)])).toThrow(
      'The address of a function is wanted at .text+0, where nothing is called.',
    );
    const toConstants = relocations(1, [{ offset: 16, type: toCall, symbol: 2 }]);
    expect(refused([table, toConstants], [start, { name: 'table', section: 2 }])).toThrow(
      'What is called at .text+16, table, is no code.',
    );
    expect(refused([relocations(1, [{ offset: 16, type: toCall, symbol: 9 }])])).toThrow(
      'A relocation in .text names a symbol that is not there.',
    );
    expect(refused([relocations(1, [{ offset: 16, type: toCall, symbol: 1 }], 4)])).toThrow(
      'The relocations .rel say what to add, which BPF says at the place.',
    );
  });

  it('error: no beginning, or no object', () => {
    expect(refused([], [{ name: 'main', section: 1 }])).toThrow('No function entrypoint is in the object');
    expect(refused([constants(Buffer.alloc(8))], [{ name: 'entrypoint', section: 2 }])).toThrow(
      'No function entrypoint',
    );
    for (const bytes of [Buffer.from('#!/bin/sh'), packCode(set(0, 0))])
      expect(() => pack(bytes)).toThrow('This is no relocatable object of 64-bit little-endian BPF.');
  });
});

describe('link', () => {
  it('packs the one object that it is given, and leaves libraries alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintage-link-'));
    try {
      const [object, program] = [join(folder, 'one.o'), join(folder, 'one.so')];
      const bytes = objectFile([code('.text', set(0, 0), exit)]);
      writeFileSync(object, bytes);
      link(['--export-symbols', 'symbols', object, 'libcore.rlib', '-o', program, '-O3']);
      expect(readFileSync(program).equals(pack(bytes))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('error: two objects, none, or no place for the program', () => {
    expect(() => link(['one.o', 'two.o', '-o', 'out.so'])).toThrow('2 objects are to be linked, not one');
    expect(() => link(['-o', 'out.so'])).toThrow('0 objects are to be linked, not one');
    expect(() => link(['one.o'])).toThrow('Where the program is to be written (-o) is not said.');
  });
});
