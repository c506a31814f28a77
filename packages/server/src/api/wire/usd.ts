import { formatUnits } from '@mintage/protocol';

/** USD amounts of chains with different decimals meet here: 18 fraction digits, so that nothing is rounded. */
export const usd18 = (baseUnits: bigint, usdDecimals: number): bigint => baseUnits * 10n ** BigInt(18 - usdDecimals);

/** Whole USD as decimal text. */
export const formatUsd18 = (amount: bigint): string => formatUnits(amount, 18);

/** For the spec's number fields: the nearest double of the exact decimal, made at the very edge. */
export const numberOf = (decimalText: string): number => Number(decimalText);
