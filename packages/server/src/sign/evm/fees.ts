import { baseFeeRoom, type GasPolicy } from './gasPolicy.ts';

/** What a block says gas costs, native base units per gas. */
export interface Market {
  baseFee: bigint;
  /** Priority fee that a provider suggests. */
  tip: bigint;
}

/** Fees of one attempt, native base units per gas; on a chain without EIP-1559 both are the gas price. */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** Fees for the current market; null when they would exceed the highest fee of the policy: wait. */
export const feesFor = ({ baseFee, tip }: Market, policy: GasPolicy): Fees | null => {
  const bounded = clamp(tip, policy.leastTip, policy.mostTip);
  if (baseFee + bounded > policy.mostFeePerGas) return null;
  const maxFeePerGas = least(baseFee * baseFeeRoom + bounded, policy.mostFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: policy.eip1559 ? bounded : maxFeePerGas };
};

/**
 * Fees of an attempt that replaces `earlier`: at least an eighth more in both fees, as nodes require, or the market's
 * fees when these are higher. Null when that would exceed the highest fee of the policy: wait.
 */
export const replacementFees = (earlier: Fees, market: Market, policy: GasPolicy): Fees | null => {
  const current = feesFor(market, policy);
  if (current === null) return null;
  const maxFeePerGas = greatest(current.maxFeePerGas, eighthMore(earlier.maxFeePerGas));
  const maxPriorityFeePerGas = greatest(current.maxPriorityFeePerGas, eighthMore(earlier.maxPriorityFeePerGas));
  if (greatest(maxFeePerGas, maxPriorityFeePerGas) > policy.mostFeePerGas) return null;
  return { maxFeePerGas: greatest(maxFeePerGas, maxPriorityFeePerGas), maxPriorityFeePerGas };
};

/** Highest cost of this much gas at these fees, including a rollup's data fee, rounded up. */
export const mostCost = (gasLimit: number, { maxFeePerGas }: Fees, { dataFeePercent }: GasPolicy): bigint =>
  (BigInt(gasLimit) * maxFeePerGas * (100n + dataFeePercent) + 99n) / 100n;

const eighthMore = (fee: bigint): bigint => fee + fee / 8n + 1n;
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const clamp = (value: bigint, low: bigint, high: bigint): bigint => least(greatest(value, low), high);
