import {
  type ElfObject,
  elfClass64,
  elfMagic,
  elfVersion,
  emBpf,
  etDyn,
  fileHeaderSize,
  littleEndian,
  programHeaderSize,
  type Relocation,
  readObject,
  type Section,
  sectionHeaderSize,
} from './elf.ts';
import { call, callsFunction, checkInstructions, instructionSize, loadConstant64 } from './instructions.ts';

/** Where the machine loads data and code. */
const dataBase = 0n;
const codeBase = 2n ** 32n;
/** Nothing lies at address 0: a reference to it would be a null pointer, which Rust takes for `None`. */
const firstDataOffset = 16;

/** Relocations of BPF objects: an address in an instruction of two slots, one in data, the target of a call. */
const bpf64ToConstant = 1;
const bpf64ToData = 2;
const bpf64ToCall = 10;

/** Of a segment: loaded into memory, and what may be done with it there. */
const ptLoad = 1;
const pfExecute = 1;
const pfRead = 4;

/** The file's flags are the version of the machine. */
const sbpfVersion = 3;

interface Segment {
  base: bigint;
  flags: number;
  bytes: Buffer;
  /** Of each of its sections, from the beginning. */
  offsets: Map<Section, number>;
}

/**
 * Makes of an object that rustc or clang compiled for BPF what the cluster runs: an ELF file of sBPF v3 with a segment of constants
 * at 0, one of code at 2^32, and no sections.
 *
 * @param entry - The symbol where the program begins.
 * @throws When the object has anything that the machine does not have, or reads in another way.
 */
export const pack = (object: Buffer, entry = 'entrypoint'): Buffer => {
  const parts = readObject(object);
  const loaded = parts.sections.filter(({ isLoaded }) => isLoaded);
  for (const { name, isWritable, isPlain } of loaded) {
    if (isWritable) throw new Error(`The section ${name} is writable: a program has no memory that outlives a call.`);
    if (!isPlain) throw new Error(`The section ${name} holds something other than bytes.`);
  }
  const [codeSections, dataSections] = [loaded.filter(({ isCode }) => isCode), loaded.filter(({ isCode }) => !isCode)];
  const code = layOut(codeSections, { base: codeBase, flags: pfExecute, start: 0 });
  const data = layOut(dataSections, { base: dataBase, flags: pfRead, start: firstDataOffset });
  const segments = dataSections.length > 0 ? [data, code] : [code];

  for (const relocation of parts.relocations) apply(relocation, segments);
  checkInstructions(code.bytes);
  return write(segments, entryAddress(parts, entry, code));
};

/** Puts sections behind each other, each at a place as round as it wants. */
const layOut = (
  sections: Section[],
  { base, flags, start }: Pick<Segment, 'base' | 'flags'> & { start: number },
): Segment => {
  const offsets = new Map<Section, number>();
  let end = start;
  for (const section of sections) {
    const offset = roundUp(end, Math.max(section.alignment, instructionSize));
    offsets.set(section, offset);
    end = offset + section.bytes.length;
  }
  const bytes = Buffer.alloc(roundUp(end, instructionSize));
  for (const [section, offset] of offsets) section.bytes.copy(bytes, offset);
  return { base, flags, bytes, offsets };
};

const roundUp = (size: number, step: number): number => Math.ceil(size / step) * step;

/** Writes the address of a relocation's symbol where it belongs. */
const apply = ({ section, offset, type, symbol }: Relocation, segments: Segment[]): void => {
  const where = `at ${section.name}+${offset}`;
  const { bytes, offsets } = segmentOf(section, segments) as Segment;
  const place = (offsets.get(section) ?? 0) + offset;

  if (!symbol.isDefined) throw new Error(`Nothing defines the symbol ${symbol.name}, which is used ${where}.`);
  const target = segmentOf(symbol.section, segments);
  if (symbol.section === undefined || target === undefined)
    throw new Error(`The symbol ${symbol.name}, which is used ${where}, lies in no loaded section.`);
  const address = target.base + BigInt((target.offsets.get(symbol.section) ?? 0) + symbol.value);

  if (type === bpf64ToData && !section.isCode) {
    bytes.writeBigUInt64LE(address + bytes.readBigUInt64LE(place), place);
    return;
  }
  if (type === bpf64ToConstant && section.isCode) {
    if (bytes[place] !== loadConstant64) throw new Error(`An address is wanted ${where}, where no constant is loaded.`);
    const [low, high] = [place + 4, place + instructionSize + 4];
    const added = BigInt(bytes.readUInt32LE(low)) | (BigInt(bytes.readUInt32LE(high)) << 32n);
    bytes.writeUInt32LE(Number((address + added) & 0xffffffffn), low);
    bytes.writeUInt32LE(Number((address + added) >> 32n), high);
    return;
  }
  if (type === bpf64ToCall && section.isCode) {
    if (bytes[place] !== call)
      throw new Error(`The address of a function is wanted ${where}, where nothing is called.`);
    if (!symbol.section.isCode) throw new Error(`What is called ${where}, ${symbol.name}, is no code.`);
    // A distance in slots counts from the next instruction on, so an object that means the symbol itself says -1.
    const added = BigInt((bytes.readInt32LE(place + 4) + 1) * instructionSize);
    const next = codeBase + BigInt(place + instructionSize);
    bytes.writeInt32LE(Number((address + added - next) / BigInt(instructionSize)), place + 4);
    bytes.writeUInt8((bytes.readUInt8(place + 1) & 0x0f) | (callsFunction << 4), place + 1);
    return;
  }
  throw new Error(
    `The relocation ${where} is of type ${type}, which is not known in ${section.isCode ? 'code' : 'data'}.`,
  );
};

const segmentOf = (section: Section | undefined, segments: Segment[]): Segment | undefined =>
  segments.find(({ offsets }) => section !== undefined && offsets.has(section));

const entryAddress = ({ symbols }: ElfObject, entry: string, code: Segment): bigint => {
  const symbol = symbols.find(({ name }) => name === entry);
  const section = symbol?.section && code.offsets.get(symbol.section);
  if (symbol === undefined || section === undefined)
    throw new Error(`No function ${entry} is in the object: the program would not know where to begin.`);
  return codeBase + BigInt(section + symbol.value);
};

const write = (segments: Segment[], entry: bigint): Buffer => {
  const headers = Buffer.alloc(fileHeaderSize + programHeaderSize * segments.length);
  headers.writeUInt32LE(elfMagic, 0);
  headers.writeUInt8(elfClass64, 4);
  headers.writeUInt8(littleEndian, 5);
  headers.writeUInt8(elfVersion, 6);
  headers.writeUInt16LE(etDyn, 16);
  headers.writeUInt16LE(emBpf, 18);
  headers.writeUInt32LE(elfVersion, 20);
  headers.writeBigUInt64LE(entry, 24);
  headers.writeBigUInt64LE(BigInt(fileHeaderSize), 32); // where the segments' headers begin
  headers.writeUInt32LE(sbpfVersion, 48);
  headers.writeUInt16LE(fileHeaderSize, 52);
  headers.writeUInt16LE(programHeaderSize, 54);
  headers.writeUInt16LE(segments.length, 56);
  headers.writeUInt16LE(sectionHeaderSize, 58);

  let position = headers.length;
  for (const [index, { base, flags, bytes }] of segments.entries()) {
    const header = headers.subarray(fileHeaderSize + programHeaderSize * index);
    const size = BigInt(bytes.length);
    header.writeUInt32LE(ptLoad, 0);
    header.writeUInt32LE(flags, 4);
    header.writeBigUInt64LE(BigInt(position), 8);
    header.writeBigUInt64LE(base, 16); // address, and the same again as if there were another memory below
    header.writeBigUInt64LE(base, 24);
    header.writeBigUInt64LE(size, 32); // in the file and in memory
    header.writeBigUInt64LE(size, 40);
    header.writeBigUInt64LE(BigInt(instructionSize), 48); // alignment
    position += bytes.length;
  }
  return Buffer.concat([headers, ...segments.map(({ bytes }) => bytes)]);
};
