import { MintageError } from '@mintage/protocol';
import { firstErrorCode, programRefusal } from '@mintage/protocol/solana';
import type { RpcError } from '../wire.ts';
import { trialErrorOf } from './rpc/solanaRpc.ts';

/**
 * Why the cluster refused a transaction, as an error of the catalogue.
 *
 * @param error - As the cluster writes it: a word, or an object of one key.
 * @param logs - Of its trial; they tell lamports from tokens.
 */
export const transactionRefusal = (error: unknown, logs: readonly string[] = []): MintageError => {
  const code = customCodeOf(error);
  if (code !== null && code >= firstErrorCode) return programRefusal(code);
  const name = typeof error === 'string' ? error : (Object.keys(Object(error))[0] ?? '');
  if (name === 'BlockhashNotFound') return expired();
  if (noLamports.has(name) || logs.some((line) => /insufficient lamports/.test(line)))
    return new MintageError(
      'INSUFFICIENT_BALANCE',
      'The wallet has too little SOL for the fee and for what is opened.',
      {
        details: { error },
      },
    );
  const known = code === null ? undefined : tokenErrors[code];
  if (known !== undefined) return new MintageError(...known, { details: { error } });
  const words = code === null ? (detailOf(error) ?? name) : `code ${code} of a program that it called`;
  return new MintageError('TRANSACTION_FAILED', `The chain refuses the transaction: ${words}.`, { details: { error } });
};

/** What a provider said of a transaction that was sent to it. Null when it says nothing of the transaction. */
export const sendingRefusal = (error: RpcError): MintageError | null => {
  const trial = trialErrorOf(error);
  if (trial == null) return null;
  const { logs } = error.data as { logs?: unknown };
  return transactionRefusal(trial, Array.isArray(logs) ? logs.map(String) : []);
};

const expired = (): MintageError =>
  new MintageError('TRANSACTION_EXPIRED', 'The transaction is too old: no block takes it any more, so it did nothing.');

/** The cluster's words for a payer without enough lamports. */
const noLamports = new Set([
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InsufficientFundsForRent',
  'InvalidAccountForFee',
]);

/** Of both token programs; other codes are faults of a call that we never prepare. */
const tokenErrors: Readonly<Record<number, readonly ['INSUFFICIENT_BALANCE' | 'TRANSACTION_FAILED', string]>> = {
  1: ['INSUFFICIENT_BALANCE', 'The wallet has fewer tokens or dollars than the transaction moves.'],
  17: ['TRANSACTION_FAILED', 'The issuer of the dollar has frozen an account that the transaction needs.'],
};

/** `{InstructionError: [place, {Custom: code}]}` */
const customCodeOf = (error: unknown): number | null => {
  const detail = instructionErrorOf(error);
  const code = typeof detail === 'object' && detail !== null ? (detail as { Custom?: unknown }).Custom : undefined;
  return typeof code === 'number' ? code : null;
};

const instructionErrorOf = (error: unknown): unknown => {
  const inside =
    typeof error === 'object' && error !== null
      ? (error as { InstructionError?: unknown }).InstructionError
      : undefined;
  return Array.isArray(inside) ? inside[1] : undefined;
};

const detailOf = (error: unknown): string | null => {
  const detail = instructionErrorOf(error);
  return typeof detail === 'string' ? detail : null;
};
