/** Instructions as LLVM would write them, for tests that have no compiler. */

export interface Operands {
  /** Number of the register that takes the result, or that holds an address. */
  to?: number;
  from?: number;
  offset?: number;
  constant?: number;
}

export const instruction = (opcode: number, { to = 0, from = 0, offset = 0, constant = 0 }: Operands = {}): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt8(opcode, 0);
  bytes.writeUInt8((from << 4) | to, 1);
  bytes.writeInt16LE(offset, 2);
  bytes.writeInt32LE(constant, 4);
  return bytes;
};

export const load64 = (to: number, value: bigint): Buffer => {
  const [low, high] = [BigInt.asIntN(32, value), BigInt.asIntN(32, value >> 32n)].map(Number);
  return Buffer.concat([instruction(0x18, { to, constant: low }), instruction(0, { constant: high })]);
};

export const move = (to: number, from: number): Buffer => instruction(0xbf, { to, from });
export const set = (to: number, constant: number): Buffer => instruction(0xb7, { to, constant });
export const add = (to: number, constant: number): Buffer => instruction(0x07, { to, constant });
/** Eight bytes at a place in the frame of the function, which register 10 ends. */
export const keep = (from: number, offset: number): Buffer => instruction(0x7b, { to: 10, from, offset });
export const exit = instruction(0x95);

/** What a call names where a relocation will say more. */
export const toBeLinked = instruction(0x85, { from: 1, constant: -1 });

/** Of `sol_set_return_data`: the machine knows its calls by the hash of their names. */
const setReturnData = 0xa226d3eb | 0;

/** Ends a program well, with so many bytes of its frame, from `offset` on, as what it returns. */
export const returnFrame = (offset: number, size: number): Buffer =>
  Buffer.concat([
    move(1, 10),
    add(1, offset),
    set(2, size),
    instruction(0x85, { constant: setReturnData }),
    set(0, 0),
    exit,
  ]);

/** Ends a program well with one integer of 64 bits as what it returns. */
export const returnRegister = (register: number): Buffer => Buffer.concat([keep(register, -8), returnFrame(-8, 8)]);
