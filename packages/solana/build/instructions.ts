/**
 * The instructions that a program may have: those that LLVM's BPF (`cpu: v2` in sbpf.json) and the cluster's machine (sBPF v3) read
 * alike. An opcode is its class, its operation and where its second operand stands (RFC 9669).
 *
 * Left out on purpose: all arithmetic of 32 bits, whose results LLVM extends by zeros and the machine by the sign; jumps of 32 bits,
 * which belong to `cpu: v3`; atomic operations, packet loads and the swap to little-endian, which the machine does not have.
 */

export const instructionSize = 8;

const classes = { load: 0x01, storeImmediate: 0x02, storeRegister: 0x03, jump: 0x05, arithmetic64: 0x07 };
const register = 0x08;
/** Second operand: a constant in the instruction, or a register. */
const sources = [0x00, register];

const arithmetic = {
  add: 0x00,
  sub: 0x10,
  mul: 0x20,
  div: 0x30,
  or: 0x40,
  and: 0x50,
  lsh: 0x60,
  rsh: 0x70,
  mod: 0x90,
  xor: 0xa0,
  mov: 0xb0,
  arsh: 0xc0,
};

const jumps = {
  jeq: 0x10,
  jgt: 0x20,
  jge: 0x30,
  jset: 0x40,
  jne: 0x50,
  jsgt: 0x60,
  jsge: 0x70,
  jlt: 0xa0,
  jle: 0xb0,
  jslt: 0xc0,
  jsle: 0xd0,
};

/** Bits of the operation of a load or store: memory at a register plus an offset, and how many bytes of it. */
const memory = 0x60;
const widths = { bytes4: 0x00, bytes2: 0x08, bytes1: 0x10, bytes8: 0x18 };

/** Takes two slots: the upper half of its constant stands in the second. */
export const loadConstant64 = 0x18;
export const call = 0x85;
const negate = 0x87;
const swapToBigEndian = 0xdc;
const jumpAlways = 0x05;
const callRegister = 0x8d;
const exit = 0x95;

const allowedOpcodes: ReadonlySet<number> = new Set([
  ...Object.values(arithmetic).flatMap((operation) =>
    sources.map((source) => classes.arithmetic64 | operation | source),
  ),
  ...Object.values(jumps).flatMap((operation) => sources.map((source) => classes.jump | operation | source)),
  ...Object.values(widths).flatMap((width) =>
    [classes.load, classes.storeImmediate, classes.storeRegister].map((kind) => kind | memory | width),
  ),
  loadConstant64,
  call,
  negate,
  swapToBigEndian,
  jumpAlways,
  callRegister,
  exit,
]);

/** The register field of a call says what its constant is: the hash of a system call's name, or a distance in slots. */
export const callsSystem = 0;
export const callsFunction = 1;

const isArithmetic = (opcode: number): boolean => [0x04, classes.arithmetic64].includes(opcode & 0x07);

/**
 * @param code - All code of the program, with every address in place.
 * @throws At the first instruction that the machine would not run as LLVM meant it.
 */
export const checkInstructions = (code: Buffer): void => {
  const refuse = (slot: number, why: string): never => {
    const bytes = code.subarray(slot * instructionSize, (slot + 1) * instructionSize).toString('hex');
    throw new Error(`The instruction ${bytes} in slot ${slot} ${why}.`);
  };
  for (let slot = 0; slot < code.length / instructionSize; slot++) {
    const at = slot * instructionSize;
    const [opcode, source, offset] = [code.readUInt8(at), code.readUInt8(at + 1) >> 4, code.readInt16LE(at + 2)];
    if (!allowedOpcodes.has(opcode))
      refuse(slot, `has the opcode ${hex(opcode)}, which is not among those that LLVM and the machine read alike`);
    // Newer processors of LLVM's tell signed division and moves with a sign by it; the machine does not look there.
    if (isArithmetic(opcode) && offset !== 0) refuse(slot, 'has an offset, which the machine would not read');
    if (opcode === call && source !== callsSystem && source !== callsFunction)
      refuse(slot, 'is a call of a kind that the machine does not know');
    if (opcode !== loadConstant64) continue;
    if (source !== 0) refuse(slot, 'loads something other than a constant');
    if (code[at + instructionSize] !== 0) refuse(slot, 'is not followed by the upper half of its constant');
    slot++;
  }
};

const hex = (opcode: number): string => `0x${opcode.toString(16).padStart(2, '0')}`;
