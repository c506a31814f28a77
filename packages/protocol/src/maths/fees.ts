import { MintageError } from '../schemas/errors.ts';
import { mulDivCeil, mulDivFloor } from './rounding.ts';

/**
 * Fees: basis points (10000 = 100 %) of the gross USD amount, rounded up once, then split so that every part is at
 * least zero and the parts sum. Source: design 4.2; contracts/src/libraries/Fees.sol; cases in vectors/fees.json.
 */
export const bpsScale = 10_000n;
export const normalFeeBps = 100n;
const openingFeeBps = 8_000n;
/** Seconds after creation in which a buy pays more than the normal fee. */
export const windowSeconds = 6n;

export const creatorBps = 50n;
/** The creator's part when the trade names a token referral. */
export const creatorBpsWithReferral = 35n;
export const referralBps = 15n;
export const referrerBps = 10n;
export const cashbackBps = 4n;

/**
 * Trade fee of a buy, without the builder's.
 *
 * @param seconds - Whole seconds of block time since the token was created; 0 for a token not yet created.
 * @returns 8000, 6684, 5367, 4050, 2734, 1417, then 100.
 */
export const buyFeeBpsAt = (seconds: bigint): bigint =>
  seconds >= windowSeconds ? normalFeeBps : openingFeeBps - ((openingFeeBps - normalFeeBps) * seconds) / windowSeconds;

/** What a trade's fees are taken by. */
export interface FeeTerms {
  /** Trade fee without the builder's: `buyFeeBpsAt` for a buy, 100 for a sell. */
  feeBps: bigint;
  /** On top, 0..10000. */
  builderBps: bigint;
  /** A token referral other than the trader is named. */
  hasReferral: boolean;
  /** The trader has a protocol referrer. */
  hasReferrer: boolean;
}

/** Every part of a trade's fee, USD base units: `total` = builder + base + excess, `base` = the five last. */
export interface FeeParts {
  totalUsd: bigint;
  builderUsd: bigint;
  /** Shared out below. */
  baseUsd: bigint;
  /** Above the normal fee, only in the opening window: kept for the token's floor, never for a person. */
  excessUsd: bigint;
  creatorUsd: bigint;
  referralUsd: bigint;
  referrerUsd: bigint;
  cashbackUsd: bigint;
  treasuryUsd: bigint;
}

/**
 * Trade fee and builder fee together.
 *
 * @throws FEES_EXCEED_AMOUNT when nothing of the amount would be left; it names the largest builder fee that fits.
 */
export const totalFeeBps = ({ feeBps, builderBps }: FeeTerms): bigint => {
  const totalBps = feeBps + builderBps;
  if (totalBps < bpsScale) return totalBps;
  const most = bpsScale - feeBps - 1n;
  throw new MintageError(
    'FEES_EXCEED_AMOUNT',
    `Fees of ${totalBps} basis points leave nothing of the amount: beside a trade fee of ${feeBps}, builder.fee is at most ${most}.`,
    { details: { totalBps: totalBps.toString(), maxBuilderBps: most.toString() } },
  );
};

/** What is left of a gross amount, rounded down; the fee is rounded up. */
export const netOfGrossFloor = (grossUsd: bigint, totalBps: bigint): bigint =>
  grossUsd - mulDivCeil(grossUsd, totalBps, bpsScale);

/** The least gross amount that leaves at least `netUsd`. */
export const grossOfNetCeil = (netUsd: bigint, totalBps: bigint): bigint =>
  mulDivCeil(netUsd, bpsScale, bpsScale - totalBps);

/** The gross amount that leaves exactly `netUsd`, rounded down. */
export const grossOfNetFloor = (netUsd: bigint, totalBps: bigint): bigint =>
  mulDivFloor(netUsd, bpsScale, bpsScale - totalBps);

/** Splits `totalUsd`, the fee taken from `grossUsd`, into its parts. */
export const splitFee = (grossUsd: bigint, totalUsd: bigint, terms: FeeTerms): FeeParts => {
  const builderUsd = (grossUsd * terms.builderBps) / bpsScale;
  const tradeFeeUsd = totalUsd - builderUsd;
  // Outside the window the unit that rounding the builder's part down can leave belongs to the base.
  const excessUsd = terms.feeBps === normalFeeBps ? 0n : tradeFeeUsd - mulDivCeil(grossUsd, normalFeeBps, bpsScale);
  const baseUsd = tradeFeeUsd - excessUsd;
  return { totalUsd, builderUsd, baseUsd, excessUsd, ...shareBase(grossUsd, baseUsd, terms) };
};

/** Who gets what of the base fee: each share rounded down, the treasury takes the exact rest. */
export const shareBase = (
  grossUsd: bigint,
  baseUsd: bigint,
  { hasReferral, hasReferrer }: Pick<FeeTerms, 'hasReferral' | 'hasReferrer'>,
): Pick<FeeParts, 'creatorUsd' | 'referralUsd' | 'referrerUsd' | 'cashbackUsd' | 'treasuryUsd'> => {
  const shareFloor = (bps: bigint): bigint => (grossUsd * bps) / bpsScale;
  const creatorUsd = shareFloor(hasReferral ? creatorBpsWithReferral : creatorBps);
  const referralUsd = hasReferral ? shareFloor(referralBps) : 0n;
  const referrerUsd = hasReferrer ? shareFloor(referrerBps) : 0n;
  const cashbackUsd = hasReferrer ? shareFloor(cashbackBps) : 0n;
  return {
    creatorUsd,
    referralUsd,
    referrerUsd,
    cashbackUsd,
    treasuryUsd: baseUsd - creatorUsd - referralUsd - referrerUsd - cashbackUsd,
  };
};
