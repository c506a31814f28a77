import { baseFeeRoom, type GasPolicy } from './gasPolicy.ts';

/** What a block says gas costs, native base units per gas. */
export interface Market {
  baseFee: bigint;
  /** As a provider suggests it. */
  tip: bigint;
}

/** Of one attempt; on a chain without EIP-1559 both are its gas price. */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** Null when the market is above the highest fee of the policy: wait. */
export const feesFor = ({ baseFee, tip }: Market, policy: GasPolicy): Fees | null => {
  const bounded = clamp(tip, policy.leastTip, policy.mostTip);
  if (baseFee + bounded > policy.mostFeePerGas) return null;
  const maxFeePerGas = least(baseFee * baseFeeRoom + bounded, policy.mostFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: policy.eip1559 ? bounded : maxFeePerGas };
};

/**
 * Of an attempt in the place of `earlier`: more than an eighth more in both fees, as nodes ask for, or the market
 * when that is higher. Null when that would be above the highest fee of the policy: wait.
 */
export const replacementFees = (earlier: Fees, market: Market, policy: GasPolicy): Fees | null => {
  const current = feesFor(market, policy);
  if (current === null) return null;
  const maxFeePerGas = greatest(current.maxFeePerGas, eighthMore(earlier.maxFeePerGas));
  const maxPriorityFeePerGas = greatest(current.maxPriorityFeePerGas, eighthMore(earlier.maxPriorityFeePerGas));
  if (greatest(maxFeePerGas, maxPriorityFeePerGas) > policy.mostFeePerGas) return null;
  return { maxFeePerGas: greatest(maxFeePerGas, maxPriorityFeePerGas), maxPriorityFeePerGas };
};

/** The most that so much gas can cost with these fees, a rollup's data included, rounded up. */
export const mostCost = (gasLimit: number, { maxFeePerGas }: Fees, { dataFeePercent }: GasPolicy): bigint =>
  (BigInt(gasLimit) * maxFeePerGas * (100n + dataFeePercent) + 99n) / 100n;

const eighthMore = (fee: bigint): bigint => fee + fee / 8n + 1n;
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const clamp = (value: bigint, low: bigint, high: bigint): bigint => least(greatest(value, low), high);
