import { MintageError } from '../schemas/errors.ts';
import { type BasePart, type FeePart, feeTable, type NamedInTrade } from '../schemas/feeTable.ts';
import { mulDivDown, mulDivUp } from './rounding.ts';

/**
 * Fees: basis points (10000 = 100 %) of the gross USD amount, rounded up once, then split so that every part is at
 * least zero and the parts sum. Source: design 4.2; contracts/src/libraries/Fees.sol; cases in vectors/fees.json. Who
 * gets what share: schemas/feeTable.ts.
 */
export const bpsScale = 10_000n;
export const normalBps = 100n;
const openingBps = 8_000n;
/** Seconds after creation in which a buy pays more than the normal fee. */
export const windowSeconds = 6n;

/**
 * Trade fee of a buy, without the builder's.
 *
 * @param elapsed - Whole seconds of block time since the token was created; 0 for a token not yet created.
 * @returns 8000, 6684, 5367, 4050, 2734, 1417, then 100.
 */
export const buyFeeBps = (elapsed: bigint): bigint =>
  elapsed >= windowSeconds ? normalBps : openingBps - ((openingBps - normalBps) * elapsed) / windowSeconds;

/** Trade fee on a pool with a fee tier of its own, which takes the normal fee inside the swap. */
export const tierPoolFeeBps = 0n;

/** What a trade's fees are taken by. */
export interface FeeTerms extends NamedInTrade {
  /** Trade fee without the builder's: `buyFeeBps` for a buy, 100 for a sell, `tierPoolFeeBps` on such a pool. */
  feeBps: bigint;
  /** On top, 0..10000. */
  builderBps: bigint;
}

/**
 * Every part of a trade's fee, USD base units, as `Fees.Split` in Solidity: `total` = builder + base + excess, and `base` =
 * creator + referral + referrer + cashback + treasury. `excess` is above the normal fee, only in the opening window: kept for
 * the token's floor, never for a person.
 */
export interface FeeSplit extends Record<FeePart, bigint> {
  total: bigint;
  base: bigint;
}

/**
 * Trade fee and builder fee together.
 *
 * @throws FEES_EXCEED_AMOUNT when nothing of the amount would be left; it names the largest builder fee that fits.
 */
export const totalBps = ({ feeBps, builderBps }: FeeTerms): bigint => {
  const sumBps = feeBps + builderBps;
  if (sumBps < bpsScale) return sumBps;
  const most = bpsScale - feeBps - 1n;
  throw new MintageError(
    'FEES_EXCEED_AMOUNT',
    `Fees of ${sumBps} basis points leave nothing of the amount: beside a trade fee of ${feeBps}, builder.fee is at most ${most}.`,
    { details: { totalBps: sumBps.toString(), maxBuilderBps: most.toString() } },
  );
};

/** All fees of a gross amount, rounded up. */
export const feeOfGrossUp = (grossUsd: bigint, sumBps: bigint): bigint => mulDivUp(grossUsd, sumBps, bpsScale);

/** What is left of a gross amount, rounded down; the fee is rounded up. */
export const netOfGrossDown = (grossUsd: bigint, sumBps: bigint): bigint => grossUsd - feeOfGrossUp(grossUsd, sumBps);

/** The least gross amount that leaves at least `netUsd`. */
export const grossOfNetUp = (netUsd: bigint, sumBps: bigint): bigint => mulDivUp(netUsd, bpsScale, bpsScale - sumBps);

/** The gross amount that leaves exactly `netUsd`, rounded down. */
export const grossOfNetDown = (netUsd: bigint, sumBps: bigint): bigint =>
  mulDivDown(netUsd, bpsScale, bpsScale - sumBps);

/** Splits `total`, the fee taken from `grossUsd`, into its parts. All are USD base units. */
export const splitFee = (grossUsd: bigint, total: bigint, terms: FeeTerms): FeeSplit => {
  const builder = (grossUsd * terms.builderBps) / bpsScale;
  const tradeFee = total - builder;
  // Outside the window the unit that rounding the builder's part down can leave belongs to the base.
  const excess = terms.feeBps <= normalBps ? 0n : tradeFee - feeOfGrossUp(grossUsd, normalBps);
  const base = tradeFee - excess;
  return { total, builder, base, excess, ...shareBase(grossUsd, base, terms) };
};

/** Of a pool with a fee tier: what rounding the builder's part down left, a unit at most. */
const allToTreasury = (base: bigint): Record<BasePart, bigint> => ({
  creator: 0n,
  referral: 0n,
  referrer: 0n,
  cashback: 0n,
  treasury: base,
});

const shares = feeTable.flatMap((row) => (row.shareBps === null ? [] : [row]));

/**
 * Who gets what of the base fee, USD base units: each share rounded down, the treasury takes the exact rest. On a pool with a fee
 * tier the base is but what rounding left.
 */
export const shareBase = (
  grossUsd: bigint,
  base: bigint,
  named: NamedInTrade & Pick<FeeTerms, 'feeBps'>,
): Record<BasePart, bigint> => {
  if (named.feeBps === tierPoolFeeBps) return allToTreasury(base);
  const parts = { treasury: base } as Record<BasePart, bigint>;
  for (const { part, shareBps } of shares) {
    parts[part] = (grossUsd * shareBps(named)) / bpsScale;
    parts.treasury -= parts[part];
  }
  return parts;
};

/** A fee's parts that come out of what the treasury has of a token, in the order in which it pays them. */
export const rewardParts = ['referral', 'referrer', 'cashback'] as const;
export type Rewards = Record<(typeof rewardParts)[number], bigint>;

/**
 * What a trade on a pool with a fee tier earns these people, USD base units: their share of the gross amount, rounded down, as
 * far as the treasury's share of the token reaches. Source: VenueV3.sol, `_bookFees`.
 */
export const poolRewardsDown = (grossUsd: bigint, named: NamedInTrade, treasuryShareUsd: bigint): Rewards => {
  const paid: Rewards = { referral: 0n, referrer: 0n, cashback: 0n };
  let left = treasuryShareUsd;
  for (const part of rewardParts) {
    const owed = (grossUsd * rewardBps(part, named)) / bpsScale;
    paid[part] = owed < left ? owed : left;
    left -= paid[part];
  }
  return paid;
};

/** Basis points of the gross amount. */
export const rewardBps = (part: keyof Rewards, named: NamedInTrade): bigint =>
  shares.find((row) => row.part === part)?.shareBps(named) ?? 0n;

/** The rate of each part by these terms, basis points of the gross amount: together the whole fee. */
export const partBps = (terms: FeeTerms): Record<FeePart, bigint> => {
  if (terms.feeBps === tierPoolFeeBps) return { ...allToTreasury(0n), builder: terms.builderBps, excess: 0n };
  const rates = { treasury: normalBps, builder: terms.builderBps, excess: terms.feeBps - normalBps };
  const parts = rates as Record<FeePart, bigint>;
  for (const { part, shareBps } of shares) {
    parts[part] = shareBps(terms);
    parts.treasury -= parts[part];
  }
  return parts;
};
