import { getBase64Encoder } from '@solana/kit';
import { statusOf, transactionJson } from '../answers/blocks.ts';
import { blockhashAge, type Ledger } from '../ledger.ts';
import { feeOf } from '../machine/fee.ts';
import type { Landed } from '../machine/outcome.ts';
import { readMessage } from '../machine/transaction.ts';
import { addressOf, type Config, signatureOf } from '../wire/params.ts';
import { refused } from '../wire/rpcError.ts';
import { blockFor, inContext, type Methods, votedBlockFor } from './method.ts';

const mostStatuses = 256;
const mostSignatures = 1_000;

/** Transactions that landed, and what others paid. */
export const historyMethods = (ledger: Ledger): Methods => ({
  getSignatureStatuses(params) {
    const signatures = params.texts(0);
    if (signatures.length > mostStatuses) throw refused.params(`Too many inputs provided; max ${mostStatuses}`);
    const { searchTransactionHistory = false } = params.config(1);
    return inContext(
      ledger.tip,
      signatures.map((one) => statusJson(ledger, signatureOf(one), searchTransactionHistory)),
    );
  },
  getSignaturesForAddress(params) {
    const at = params.address(0);
    const config = params.config(1);
    return signaturesFor(ledger, at, config).map(({ signature, slot, error }) => ({
      signature,
      slot,
      err: error,
      memo: null,
      blockTime: ledger.block(slot)?.time ?? null,
      confirmationStatus: ledger.levelOf(slot),
    }));
  },
  getTransaction(params) {
    const raw = params.raw(1);
    const config = typeof raw === 'string' ? { encoding: raw } : params.config(1);
    const newest = votedBlockFor(ledger, config).slot;
    const landed = ledger.landed(params.signature(0));
    if (landed === undefined || landed.slot > newest) return null;
    return {
      slot: landed.slot,
      blockTime: ledger.block(landed.slot)?.time ?? null,
      ...transactionJson(landed, config),
    };
  },
  getRecentPrioritizationFees(params) {
    const written = params.texts(0).map(addressOf);
    return ledger.blocks.slice(-blockhashAge).map(({ slot, transactions }) => ({
      slot,
      prioritizationFee: lowest(
        transactions.filter(({ writable }) => written.every((at) => writable.includes(at))).map(({ price }) => price),
      ),
    }));
  },
  getFeeForMessage(params) {
    const block = blockFor(ledger, params.config(1));
    const message = readMessage(getBase64Encoder().encode(params.text(0)));
    return inContext(block, ledger.ageOf(message.blockhash, block) === null ? null : feeOf(message));
  },
});

const statusJson = (ledger: Ledger, signature: string, searchesHistory: boolean): unknown => {
  const landed = ledger.landed(signature);
  if (landed === undefined) return null;
  const { slot, error } = landed;
  const confirmations = ledger.tip.height - (ledger.block(slot)?.height ?? 0);
  // A node remembers statuses as long as blockhashes; for older ones it has to look into its history.
  if (confirmations > blockhashAge && !searchesHistory) return null;
  const confirmationStatus = ledger.levelOf(slot);
  return {
    slot,
    confirmations: confirmationStatus === 'finalized' ? null : confirmations,
    err: error,
    status: statusOf(error),
    confirmationStatus,
  };
};

/** Newest first: behind `before`, up to `until`, neither included. Nothing when `before` is unknown. */
const signaturesFor = (ledger: Ledger, at: string, config: Config): Landed[] => {
  const { before, until, limit = mostSignatures } = config;
  if (limit < 1 || limit > mostSignatures) throw refused.params(`Invalid limit; max ${mostSignatures}`);
  const newest = votedBlockFor(ledger, config).slot;
  if (before != null && ledger.landed(signatureOf(before)) === undefined) return [];
  const found: Landed[] = [];
  let isBehind = before == null;
  for (const landed of newestFirst(ledger, newest)) {
    if (landed.signature === until || found.length === limit) break;
    if (isBehind && landed.keys.includes(addressOf(at))) found.push(landed);
    isBehind ||= landed.signature === before;
  }
  return found;
};

function* newestFirst(ledger: Ledger, newest: number): Generator<Landed> {
  for (const { slot, transactions } of ledger.blocks.toReversed()) if (slot <= newest) yield* transactions.toReversed();
}

const lowest = (prices: readonly bigint[]): bigint =>
  prices.reduce((least, price) => (price < least ? price : least), prices[0] ?? 0n);
