import type { CompiledInstruction, Message } from './transaction.ts';

/** What a cluster takes for a transaction, successful or not. */

const lamportsPerSignature = 5000n;
const mostUnits = 1_400_000n;
const unitsOfProgram = 200_000n;
const unitsOfBuiltin = 3_000n;

const computeBudget = 'ComputeBudget111111111111111111111111111111';
/** Their instructions carry signatures that are paid for, too; the first byte is their count. */
const precompiles = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);
const builtins = new Set([
  computeBudget,
  ...precompiles,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
]);

export const feeOf = (message: Message): bigint => {
  const inside = of(message, (program) => precompiles.has(program)).map(({ data }) => data[0] ?? 0);
  const signatures = inside.reduce((sum, count) => sum + count, message.signers);
  return lamportsPerSignature * BigInt(signatures) + priorityFeeOf(message);
};

/** Micro-lamports that a unit of it pays; what other clients compare. */
export const priceOf = (message: Message): bigint => budgetOf(message, setPrice, 8) ?? 0n;

const priorityFeeOf = (message: Message): bigint => {
  const price = priceOf(message);
  return message.priorityFee + (price * unitsOf(message) + 999_999n) / 1_000_000n;
};

const unitsOf = (message: Message): bigint => {
  const units = budgetOf(message, setLimit, 4) ?? unitsByPrograms(message);
  return units < mostUnits ? units : mostUnits;
};

const unitsByPrograms = (message: Message): bigint =>
  of(message, (program) => builtins.has(program)).length === 0
    ? unitsOfProgram * BigInt(message.instructions.length)
    : message.instructions
        .map(({ program }) => (builtins.has(message.keys[program] ?? '') ? unitsOfBuiltin : unitsOfProgram))
        .reduce((sum, units) => sum + units, 0n);

const setLimit = 2;
const setPrice = 3;

const budgetOf = (message: Message, tag: number, bytes: number): bigint | undefined => {
  const found = of(message, (program) => program === computeBudget).find(({ data }) => data[0] === tag);
  return found?.data.slice(1, 1 + bytes).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
};

const of = (message: Message, isIt: (program: string) => boolean): CompiledInstruction[] =>
  message.instructions.filter(({ program }) => isIt(message.keys[program] ?? ''));
