import { type Address, type Base58, MintageError, requireBase58 } from '@mintage/protocol';
import { type Message, mostTransactionBytes, readTransaction } from '@mintage/protocol/solana';
import { areNear } from '../agreement.ts';
import type { Outcome, PreparedCall, SimulateOptions, TokenTransfer } from '../chainClient.ts';
import type { Node, Rpc } from '../rpc.ts';
import { RpcError } from '../wire.ts';
import { tokenAccountIn } from './accounts.ts';
import { bytesOf } from './bytes.ts';
import { type Launchpad } from './launchpad.ts';
import { compileMessage, unsignedTransaction } from './message/compile.ts';
import { budgetInstructions, isBudget } from './message/instructions.ts';
import { transactionRefusal } from './refusal.ts';
import { type Account, getMultipleAccounts, mostAccounts, simulateTransaction } from './rpc/calls.ts';
import { askPatiently } from './rpc/solanaRpc.ts';

/** A cluster gives no transaction more. */
const mostUnits = 1_400_000;

/**
 * `ChainClient.simulate`. A cluster runs one transaction at a time on top of its newest state: several of one wallet are put into one, as
 * far as they fit. Open ones that do not fit, or fail, are left out, and a refusal says so.
 */
export const simulate = async (
  { rpc, launchpad }: { rpc: Pick<Rpc, 'agreed'>; launchpad: Launchpad },
  from: Address,
  calls: readonly PreparedCall[],
  { blockNumber, before = [], aloneWillDo = false }: SimulateOptions,
): Promise<Outcome> => {
  const wallet = requireBase58(from);
  const run = async (transaction: Uint8Array, message: Message): Promise<Outcome & { ok: boolean }> => {
    const shown = writtenAccounts(message);
    const ask = (node: Node) => trial(node, transaction, shown, { wallet, blockNumber, launchpad });
    const { answer, answers } = await rpc.agreed(ask, { same: areAlike, aloneWillDo });
    return { ...answer, gasUsed: answers.reduce((most, { gasUsed }) => (gasUsed > most ? gasUsed : most), 0n) };
  };
  try {
    const own = combined(wallet, calls);
    if (own === null)
      throw new MintageError('INVALID_PARAMETERS', 'These calls are too many to be tried together on this chain.');
    if (before.length === 0) return await run(...own);
    const all = combined(wallet, [...before, ...calls]);
    const together = all === null ? null : await run(...all);
    if (together?.ok === true) return together;
    const alone = await run(...own);
    return alone.ok ? alone : { ...alone, error: withoutOpen(alone.error) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (unknownMethod.has(error.code)) return { ok: null };
    throw new MintageError('NETWORK_ERROR', 'The provider of this chain could not simulate the transaction.', {
      cause: error,
    });
  }
};

/**
 * The wallet's transactions in one, with the largest budget; a single one stays as it is. Null when they do not fit.
 *
 * @throws MintageError INVALID_PARAMETERS for bytes that are no transaction of this wallet alone.
 */
export const combined = (
  wallet: Base58,
  calls: readonly PreparedCall[],
): [transaction: Uint8Array, message: Message] | null => {
  const read = calls.map(({ data }) => transactionOf(wallet, data));
  const [only] = read;
  if (only === undefined) throw new Error('Nothing is simulated.');
  if (read.length === 1) return [only.bytes, only.message];
  const instructions = [
    ...budgetInstructions({ units: mostUnits, microLamportsPerUnit: 0n }),
    ...read.flatMap(({ message }) => message.instructions.filter((one) => !isBudget(one))),
  ];
  const bytes = unsignedTransaction(compileMessage(wallet, instructions, only.message.blockhash));
  return bytes.length > mostTransactionBytes ? null : [bytes, readTransaction(bytes).message];
};

const transactionOf = (wallet: string, data: `0x${string}`): { bytes: Uint8Array; message: Message } => {
  const bytes = bytesOf(data);
  try {
    const { message } = readTransaction(bytes);
    if (message.signers.length === 1 && message.payer === wallet) return { bytes, message };
  } catch (cause) {
    throw new MintageError('INVALID_PARAMETERS', 'data: is no transaction that can be read here', { cause });
  }
  throw new MintageError('INVALID_PARAMETERS', `data: is no transaction that ${wallet} alone signs`);
};

interface TrialOptions {
  wallet: string;
  /** The state of this slot or a newer one. */
  blockNumber: number;
  launchpad: Launchpad;
}

/** The accounts before are those of the same slot as the trial; else both are looked at again. */
const mostLooks = 4;

const trial = async (
  node: Node,
  transaction: Uint8Array,
  shown: readonly Base58[],
  { wallet, blockNumber, launchpad }: TrialOptions,
): Promise<Outcome & { ok: boolean }> => {
  for (let look = 1; ; look += 1) {
    const [before, { slot, value }] = await Promise.all([
      askPatiently(node, getMultipleAccounts(shown, blockNumber)),
      askPatiently(node, simulateTransaction(transaction, blockNumber, shown)),
    ]);
    const gasUsed = value.units;
    if (value.error !== null) return { ok: false, gasUsed, error: transactionRefusal(value.error, value.logs) };
    if (before.slot === slot || look === mostLooks)
      return { ok: true, gasUsed, transfers: changes(wallet, launchpad, before.value, value.accounts) };
  }
};

/** What comes to the wallet's token accounts and leaves them, by token; the other side is the launchpad, whoever it is. */
const changes = (
  wallet: string,
  { program }: Launchpad,
  before: readonly (Account | null)[],
  after: readonly (Account | null)[],
): TokenTransfer[] => {
  const sums = new Map<Address, bigint>();
  const count = (account: Account | null | undefined, sign: bigint): void => {
    const held = tokenAccountIn(account ?? null);
    if (held?.owner === wallet) sums.set(held.mint, (sums.get(held.mint) ?? 0n) + sign * held.amount);
  };
  for (const account of before) count(account, -1n);
  for (const account of after) count(account, 1n);
  return [...sums].flatMap(([asset, change]): TokenTransfer[] => {
    if (change === 0n) return [];
    const [from, to] = change > 0n ? [program, wallet] : [wallet, program];
    return [{ asset, from: from as Address, to: to as Address, amount: change > 0n ? change : -change }];
  });
};

const writtenAccounts = (message: Message): Base58[] =>
  [
    ...new Set(
      message.instructions.flatMap(({ accounts }) =>
        accounts.filter(({ isWritable, isSigner }) => isWritable && !isSigner).map(({ address }) => address),
      ),
    ),
  ].slice(0, mostAccounts);

const withoutOpen = (error: MintageError): MintageError =>
  new MintageError(error.code, `${error.message} (Tried without the wallet’s transactions that are under way.)`, {
    details: error.details,
    cause: error,
  });

/** As on other chains: the same result at nearly the same units, which differ a little with the bumps that are tried. */
const areAlike = (one: Outcome & { ok: boolean }, other: Outcome & { ok: boolean }): boolean =>
  endOf(one) === endOf(other) && areNear(one.gasUsed, other.gasUsed);

const endOf = (outcome: Outcome): string => (outcome.ok === false ? outcome.error.code : String(outcome.ok));

/** JSON-RPC: method not found, method not supported. */
const unknownMethod = new Set([-32601]);
