import { type Base58, MintageError } from '@mintage/protocol';
import {
  mostPriorityFee,
  mostTransactionBytes,
  type ReadPrepared,
  readPrepared,
  readTransaction,
} from '@mintage/protocol/solana';
import type { TransactionItem } from '../../generated/types.ts';
import { base58In, type TrustedSolanaChain } from '../../trusted.ts';
import { differs, requireSame } from '../differs.ts';
import { requireRent } from './rent.ts';

/** A prepared transaction that has been held against what was asked. */
export interface CheckedTransaction {
  chain: TrustedSolanaChain;
  /** The whole transaction, with zeros in the place of its signature. */
  transaction: Uint8Array;
  /** In a later block it does nothing. */
  lastValidBlockHeight: number;
  /** About when that is, milliseconds since 1970. */
  expiresAt: number;
}

/** The same while it is looked at: what its bytes say, and by whom it is to be signed. */
export interface Whole extends CheckedTransaction {
  read: ReadPrepared;
  wallet: Base58;
  /** The program, which with the dollar is also what a voucher is for. */
  program: Base58;
  dollarMint: Base58;
}

type Item = Pick<TransactionItem, 'to' | 'data' | 'value' | 'gasLimit'> &
  Partial<Omit<TransactionItem, 'chainId'>> & { chainId?: number | string };

/** The most that the runtime lets a transaction have. */
const mostUnits = 1_400_000n;

/** An item of an answer, read by its bytes; what they do is not yet held against anything. */
export const wholeOf = (chain: TrustedSolanaChain, item: Item, wallet: Base58): Whole => {
  const [program, dollarMint] = [base58In(chain.launchpad), base58In(chain.usd)];
  requireSame('to', item.to, program);
  if (item.chainSlug !== undefined) requireSame('chainSlug', item.chainSlug, chain.slug);
  if (item.chainType !== undefined) requireSame('chainType', item.chainType, 'solana');
  if (item.chainId !== undefined && !/^(0|solana:\w+)$/.test(String(item.chainId)))
    throw differs('chainId', item.chainId, 'that of a cluster of Solana');
  const transaction = bytesOf(item.data);
  if (transaction.length > mostTransactionBytes)
    throw differs('data.length', transaction.length, `at most ${mostTransactionBytes}`);
  if (item.transactionBase64 !== undefined)
    requireSame('transactionBase64', item.transactionBase64, btoa(String.fromCharCode(...transaction)));
  const read = readBytes(() => {
    const { signatures, message } = readTransaction(transaction);
    if (signatures.flatMap((one) => [...one]).some((byte) => byte !== 0))
      throw new Error('The transaction holds a signature already.');
    return readPrepared(message, program);
  });
  requireSame('payer', read.payer, wallet);
  requireFees(read, item);
  const { lastValidBlockHeight = 0 } = item;
  const expiresAt = Date.parse(item.expiresAt ?? '');
  if (!Number.isSafeInteger(lastValidBlockHeight) || lastValidBlockHeight <= 0)
    throw differs('lastValidBlockHeight', item.lastValidBlockHeight, 'a height');
  if (!Number.isFinite(expiresAt)) throw differs('expiresAt', item.expiresAt, 'a time');
  const whole = { chain, transaction, lastValidBlockHeight, expiresAt, read, wallet, program, dollarMint };
  requireRent(whole, BigInt(item.value), item.accountsOpened ?? []);
  return whole;
};

export const checkedOf = ({ chain, transaction, lastValidBlockHeight, expiresAt }: Whole): CheckedTransaction => ({
  chain,
  transaction,
  lastValidBlockHeight,
  expiresAt,
});

const requireFees = (
  { unitLimit, microLamportsPerUnit }: ReadPrepared,
  { gasLimit, priorityFeeMicroLamports }: Item,
): void => {
  requireSame('gasLimit', unitLimit, gasLimit);
  requireSame('priorityFeeMicroLamports', microLamportsPerUnit, priorityFeeMicroLamports);
  if (BigInt(gasLimit) > mostUnits) throw differs('gasLimit', gasLimit, `at most ${mostUnits}`);
  if ((microLamportsPerUnit ?? 0n) > mostPriorityFee)
    throw differs('priorityFeeMicroLamports', microLamportsPerUnit, `at most ${mostPriorityFee}`);
};

/** @throws MintageError BYTES_DIFFER with what the reader says. */
const readBytes = <T>(read: () => T): T => {
  try {
    return read();
  } catch (cause) {
    throw new MintageError('BYTES_DIFFER', (cause as Error).message, { cause });
  }
};

export const bytesOf = (hex: string): Uint8Array => {
  if (!/^0x([0-9a-f]{2})*$/.test(hex)) throw differs('data', hex, 'bytes in hex, in lower case');
  return Uint8Array.from({ length: hex.length / 2 - 1 }, (_, at) =>
    Number.parseInt(hex.slice(2 + 2 * at, 4 + 2 * at), 16),
  );
};

/** A transaction is good for 150 slots, which take a minute, and two at worst, milliseconds. */
export const longestLifetimeMs = 120_000;
