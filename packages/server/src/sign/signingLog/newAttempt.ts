import type { Hash } from '@mintage/protocol';

/** Signed bytes of a step. What transactions of a family do not have is null. */
export interface NewAttempt {
  hash: Hash;
  /** The signed bytes. */
  raw: `0x${string}`;
  nonce: number | null;
  /** A cancellation uses the nonce of the call for nothing. */
  kind: 'call' | 'cancel';
  /** Native base units per gas. */
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | null;
  /** Newest block when they were signed. */
  signedBlock: number;
  /** The last block height that may hold them; null: any, until their nonce is used. */
  validUntilBlock: number | null;
}
