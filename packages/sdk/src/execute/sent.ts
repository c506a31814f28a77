import { type Hash, MintageError } from '@mintage/protocol';

/** By what a transaction is found again. Plain JSON. */
export interface Sent {
  /** Which of the prepared answer's transactions it is; the last one told under a key counts. */
  key: string;
  chainSlug: string;
  /** Null until the wallet has told it. A wallet that signs here tells it before anything is sent. On Solana it is the signature. */
  hash: Hash | null;
  /** Of the account before it was sent; null for a batch, and on Solana. */
  nonce: number | null;
  /** Of EIP-5792; null for a transaction. */
  batchId: string | null;
  /** On Solana: when the wallet was asked, milliseconds since 1970 by this clock. */
  at?: number;
}

export const unconfirmed = (sent: Sent, cause?: unknown): MintageError =>
  new MintageError(
    'SENT_UNCONFIRMED',
    `A transaction on ${sent.chainSlug} may have been sent, but it is not known what became of it.`,
    { details: { sent }, cause },
  );

/** It is not on the chain, and never will be. */
export const expired = (sent: Sent): MintageError =>
  new MintageError(
    'TRANSACTION_EXPIRED',
    `The transaction on ${sent.chainSlug} has expired, and no known block contains it.`,
    { details: { sent } },
  );
