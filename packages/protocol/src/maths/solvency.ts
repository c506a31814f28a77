import type { Address, Hash } from '../chains/address.ts';

/** What one token has in the Launchpad, USD base units. */
export interface TokenBooks {
  token: Address;
  /** Whether its pool is open. */
  graduated: boolean;
  /** Raised by the curve; 0 after graduation. */
  reserveUsd: bigint;
  /** Fees of the opening window, kept for the floor; 0 after graduation, when they are locked in the pool. */
  floorUsd: bigint;
  /** The treasury's share of fees, not yet moved to its credit. */
  treasuryShareUsd: bigint;
  /** What a pool with a fee of its own earned people in the token itself; null where it never did. Token base units. */
  inTokens: { held: bigint; credits: bigint } | null;
}

/** The whole Launchpad at one block, USD base units. */
export interface Solvency {
  /** Where everything was read; `time` in Unix seconds. */
  block: { number: number; hash: Hash; time: number };
  /** Address of the dollar token. */
  usd: Address;
  /** Dollars that the Launchpad has. */
  heldUsd: bigint;
  /** In order of creation. */
  tokens: readonly TokenBooks[];
  /** Sum of the tokens' `reserveUsd`. */
  reserveUsd: bigint;
  /** Sum of the tokens' `floorUsd`. */
  floorUsd: bigint;
  /** Sum of the tokens' `treasuryShareUsd`. */
  treasuryShareUsd: bigint;
  /** What people can withdraw. */
  creditsUsd: bigint;
  /** Accounts that were ever credited or could have been. */
  accounts: number;
  /** Held minus all the rest: 0 unless somebody sent dollars unasked, and never negative. */
  surplusUsd: bigint;
}

/** The sums, and what is left over. */
export const solvencyOf = ({
  block,
  usd,
  heldUsd,
  tokens,
  credits,
}: Pick<Solvency, 'block' | 'usd' | 'heldUsd' | 'tokens'> & { credits: readonly bigint[] }): Solvency => {
  const reserveUsd = sum(tokens.map((token) => token.reserveUsd));
  const floorUsd = sum(tokens.map((token) => token.floorUsd));
  const treasuryShareUsd = sum(tokens.map((token) => token.treasuryShareUsd));
  const creditsUsd = sum(credits);
  const surplusUsd = heldUsd - reserveUsd - floorUsd - treasuryShareUsd - creditsUsd;
  const sums = { reserveUsd, floorUsd, treasuryShareUsd, creditsUsd, surplusUsd };
  return { block, usd, heldUsd, tokens, accounts: credits.length, ...sums };
};

/** Whether everything that people can withdraw is there, in dollars and in tokens. */
export const isSolvent = ({ surplusUsd, tokens }: Pick<Solvency, 'surplusUsd' | 'tokens'>): boolean =>
  surplusUsd >= 0n && tokens.every(({ inTokens }) => inTokens === null || inTokens.held >= inTokens.credits);

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
