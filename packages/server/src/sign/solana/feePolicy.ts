import type { Chain } from '@mintage/protocol';

/** What the fees of embedded wallets may be, lamports. */
export interface FeePolicy {
  /** Of one transaction. More than that is refused: nobody prepares it. */
  mostPerTransaction: bigint;
  /** What a wallet's fees and the rent of what it opens may come to in a day (UTC), payments aside. Above it the signer waits. */
  mostPerDay: bigint;
}

const lamportsPerSol = 1_000_000_000n;

/** A day of a hundred tokens created, or of a thousand trades; on a test chain coins cost nothing. */
export const feePolicyOf = ({ testnet }: Pick<Chain, 'testnet'>): FeePolicy => ({
  mostPerTransaction: lamportsPerSol / 1_000n,
  mostPerDay: testnet ? 100n * lamportsPerSol : lamportsPerSol,
});
