import { mostPriorityFee } from '@mintage/protocol/solana';

/**
 * What is offered for a unit: three of four recent slots took less.
 *
 * @param recent - What others paid at least, by slot, micro-lamports; any order.
 */
export const priorityFeeOf = (recent: readonly bigint[]): bigint => {
  const sorted = recent.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  const fee = sorted[Math.floor((sorted.length - 1) * 0.75)] ?? 0n;
  return fee < mostPriorityFee ? fee : mostPriorityFee;
};
