import { type Hex, zeroAddress } from 'viem';
import { type FeeSplit, feeOfGrossUp, splitFee } from '../maths/fees.ts';

/** What a trade's fees follow from; an event tells no more of them. */
export interface ChargedTrade {
  grossUsd: bigint;
  feeBps: bigint;
  builderBps: bigint;
  /** Zero: none. */
  referral: Hex;
  /** Zero: none. */
  referrer: Hex;
}

/** The `record` of a `Trade` event, as it is decoded from the log. Source: ILaunchpad.TradeRecord. */
export interface TradeRecord extends ChargedTrade {
  recipient: Hex;
  /** 0 curve, 1 pool, 2 pool by a foreign router. */
  venue: number;
  /** Negative: sold. */
  tokens: bigint;
  builder: Hex;
  /** Virtual tokens of the curve, or the pool's square-root price. */
  stateA: bigint;
  /** Virtual USD of the curve, or the pool's tick. */
  stateB: bigint;
}

/** Every part of the fees of a trade that was made, as the contract booked them. Source: Books.sol, `_payFees`. */
export const chargedFees = ({ grossUsd, feeBps, builderBps, referral, referrer }: ChargedTrade): FeeSplit =>
  splitFee(grossUsd, feeOfGrossUp(grossUsd, feeBps + builderBps), {
    feeBps,
    builderBps,
    hasReferral: referral !== zeroAddress,
    hasReferrer: referrer !== zeroAddress,
  });

/** A trade's record with what follows from it: the side, the tokens without a sign, and all fees. */
export const wholeTrade = (record: TradeRecord) => ({
  ...record,
  side: record.tokens < 0n ? ('sell' as const) : ('buy' as const),
  tokens: record.tokens < 0n ? -record.tokens : record.tokens,
  fees: chargedFees(record),
});
