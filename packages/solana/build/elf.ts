/** A relocatable ELF object of 64 bits, read as far as a program's parts need it. Names of fields and constants: elf(5), and RFC 9669. */

export const elfMagic = 0x464c457f; // 0x7f, "ELF"
export const elfClass64 = 2;
export const littleEndian = 1;
export const elfVersion = 1;
/** Of a file: not linked yet, and ready to run at fixed addresses or at any. */
export const etRel = 1;
export const etDyn = 3;
export const emBpf = 247;

export const fileHeaderSize = 64;
export const programHeaderSize = 56;
export const sectionHeaderSize = 64;
const symbolSize = 24;
const relocationSize = 16;

/** Kinds of sections. */
const shtProgbits = 1;
const shtSymtab = 2;
const shtRela = 4;
const shtNobits = 8;
const shtRel = 9;

/** Flags of a section. */
const shfWrite = 1;
const shfAlloc = 2;
const shfExecinstr = 4;

/** What stands in place of a symbol's section when it has none. */
const shnUndef = 0;

export interface Section {
  name: string;
  /** Part of the running program, not of the object's own tables. */
  isLoaded: boolean;
  isWritable: boolean;
  isCode: boolean;
  /** Its bytes stand in the file; otherwise they would be zeros, or made by a loader. */
  isPlain: boolean;
  alignment: number;
  bytes: Buffer;
}

export interface ObjectSymbol {
  name: string;
  isDefined: boolean;
  /** Undefined where the symbol is absolute or shared storage. */
  section: Section | undefined;
  /** Offset in its section. */
  value: number;
}

/** A place whose bytes depend on where a symbol will be. What is added to it stands at the place itself. */
export interface Relocation {
  section: Section;
  offset: number;
  type: number;
  symbol: ObjectSymbol;
}

export interface ElfObject {
  sections: Section[];
  symbols: ObjectSymbol[];
  relocations: Relocation[];
}

/** @throws When the file is anything but an object for BPF, or has relocations of a form that LLVM does not write for it. */
export const readObject = (file: Buffer): ElfObject => {
  const isObject =
    file.length >= fileHeaderSize &&
    file.readUInt32LE(0) === elfMagic &&
    file[4] === elfClass64 &&
    file[5] === littleEndian &&
    file.readUInt16LE(16) === etRel &&
    file.readUInt16LE(18) === emBpf;
  if (!isObject) throw new Error('This is no relocatable object of 64-bit little-endian BPF.');

  const headers = readHeaders(file);
  const sections = headers.map(({ name, type, flags, alignment, bytes }) => ({
    name,
    isLoaded: (flags & shfAlloc) !== 0 && bytes.length > 0,
    isWritable: (flags & shfWrite) !== 0,
    isCode: (flags & shfExecinstr) !== 0,
    isPlain: type === shtProgbits,
    alignment,
    bytes,
  }));
  const symbols = headers
    .filter(({ type }) => type === shtSymtab)
    .flatMap(({ bytes, link }) => readSymbols(bytes, headers[link]?.bytes ?? Buffer.alloc(1), sections));
  const relocations = headers.flatMap(({ name, type, info, bytes }) => {
    const section = sections[info];
    if (section?.isLoaded !== true) return [];
    if (type === shtRela) throw new Error(`The relocations ${name} say what to add, which BPF says at the place.`);
    return type === shtRel ? readRelocations(bytes, section, symbols) : [];
  });
  return { sections, symbols, relocations };
};

const readHeaders = (file: Buffer) => {
  const [table, count, names] = [readOffset(file, 40), file.readUInt16LE(60), file.readUInt16LE(62)];
  const headers = Array.from({ length: count }, (_, index) => {
    const header = file.subarray(table + sectionHeaderSize * index, table + sectionHeaderSize * (index + 1));
    const [type, offset, size] = [header.readUInt32LE(4), readOffset(header, 24), readOffset(header, 32)];
    return {
      nameOffset: header.readUInt32LE(0),
      type,
      flags: readOffset(header, 8),
      link: header.readUInt32LE(40),
      info: header.readUInt32LE(44),
      alignment: Math.max(readOffset(header, 48), 1),
      bytes: type === shtNobits ? Buffer.alloc(size) : file.subarray(offset, offset + size),
    };
  });
  const text = headers[names]?.bytes ?? Buffer.alloc(1);
  return headers.map((header) => ({ ...header, name: textAt(text, header.nameOffset) }));
};

const readSymbols = (table: Buffer, names: Buffer, sections: Section[]): ObjectSymbol[] =>
  Array.from({ length: table.length / symbolSize }, (_, index) => {
    const entry = table.subarray(symbolSize * index, symbolSize * (index + 1));
    const place = entry.readUInt16LE(6);
    return {
      name: textAt(names, entry.readUInt32LE(0)),
      isDefined: place !== shnUndef,
      section: sections[place],
      value: readOffset(entry, 8),
    };
  });

const readRelocations = (table: Buffer, section: Section, symbols: ObjectSymbol[]): Relocation[] =>
  Array.from({ length: table.length / relocationSize }, (_, index) => {
    const entry = table.subarray(relocationSize * index, relocationSize * (index + 1));
    const symbol = symbols[entry.readUInt32LE(12)];
    if (symbol === undefined) throw new Error(`A relocation in ${section.name} names a symbol that is not there.`);
    return { section, offset: readOffset(entry, 0), type: entry.readUInt32LE(8), symbol };
  });

const readOffset = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

const textAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, bytes.indexOf(0, at));
