/** A writer of relocatable BPF objects, just as large as the packer's tests need it. */

export interface TestSection {
  name: string;
  /** 1 bytes, 4 relocations with addends, 8 zeros, 9 relocations; as in elf(5). */
  type?: number;
  /** 1 writable, 2 loaded, 4 code; summed. */
  flags: number;
  bytes: Buffer;
  /** Of relocations: index of the section that they change. */
  info?: number;
}

export interface TestSymbol {
  name: string;
  /** Index of its section; 0: defined elsewhere. */
  section: number;
  value?: number;
}

/** The table of relocations of one section; each names its symbol by index. The first symbol has the index 1. */
export const relocations = (
  section: number,
  entries: { offset: number; type: number; symbol: number }[],
  type = 9,
): TestSection => {
  const bytes = Buffer.alloc(16 * entries.length);
  for (const [index, entry] of entries.entries()) {
    bytes.writeBigUInt64LE(BigInt(entry.offset), 16 * index);
    bytes.writeUInt32LE(entry.type, 16 * index + 8);
    bytes.writeUInt32LE(entry.symbol, 16 * index + 12);
  }
  return { name: '.rel', type, flags: 0, bytes, info: section };
};

export const code = (name: string, ...instructions: Buffer[]): TestSection => ({
  name,
  flags: 2 + 4,
  bytes: Buffer.concat(instructions),
});

export const constants = (bytes: Buffer, name = '.rodata'): TestSection => ({ name, flags: 2, bytes });

/** Sections have the indexes 1, 2, … in the order of the list. */
export const objectFile = (
  sections: TestSection[],
  symbols: TestSymbol[] = [{ name: 'entrypoint', section: 1 }],
): Buffer => {
  const names = new Names();
  const all: (TestSection & { link?: number })[] = [
    { name: '', type: 0, flags: 0, bytes: Buffer.alloc(0) },
    ...sections,
    { name: '.symtab', type: 2, flags: 0, bytes: symbolTable(symbols, names), link: sections.length + 2 },
  ];
  const nameTable = { name: '.strtab', type: 3, flags: 0, bytes: null };
  const named = [...all, nameTable].map((one) => ({ info: 0, link: 0, ...one, at: names.add(one.name) }));

  const header = Buffer.alloc(64);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header.writeUInt16LE(1, 16); // relocatable
  header.writeUInt16LE(247, 18); // BPF
  const bodies = named.map(({ bytes }) => bytes ?? names.bytes());
  header.writeBigUInt64LE(BigInt(64 + Buffer.concat(bodies).length), 40);
  header.writeUInt16LE(named.length, 60);
  header.writeUInt16LE(named.length - 1, 62);

  let position = 64;
  const headers = named.map(({ type = 1, flags, info, link, at }, index) => {
    const bytes = Buffer.alloc(64);
    const size = bodies[index]?.length ?? 0;
    bytes.writeUInt32LE(at, 0);
    bytes.writeUInt32LE(type, 4);
    bytes.writeBigUInt64LE(BigInt(flags), 8);
    bytes.writeBigUInt64LE(BigInt(position), 24);
    bytes.writeBigUInt64LE(BigInt(size), 32);
    bytes.writeUInt32LE(link, 40);
    bytes.writeUInt32LE(info, 44);
    bytes.writeBigUInt64LE(1n, 48);
    position += size;
    return bytes;
  });
  return Buffer.concat([header, ...bodies, ...headers]);
};

const symbolTable = (symbols: TestSymbol[], names: Names): Buffer =>
  Buffer.concat([
    Buffer.alloc(24),
    ...symbols.map(({ name, section, value = 0 }) => {
      const bytes = Buffer.alloc(24);
      bytes.writeUInt32LE(names.add(name), 0);
      bytes.writeUInt16LE(section, 6);
      bytes.writeBigUInt64LE(BigInt(value), 8);
      return bytes;
    }),
  ]);

class Names {
  #text = '\0';
  add(name: string): number {
    const at = this.#text.length;
    this.#text += `${name}\0`;
    return at;
  }
  bytes(): Buffer {
    return Buffer.from(this.#text, 'latin1');
  }
}
