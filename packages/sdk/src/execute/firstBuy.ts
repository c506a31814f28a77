import { curveOf, type Decimals, type ExactAmount, type PoolType, type PricedState, unitsOf } from '@mintage/protocol';
import type { Prepared } from './prepared.ts';

type Asked = Prepared<'createTokenTransaction'>['asked'];

export const wantsFirstBuy = ({ tokensOut, amountIn }: Asked): boolean => Boolean(tokensOut || amountIn);

/** @returns What is exact, and the most that it may cost, base units; no limit for what is bought for exactly so many dollars. */
export const firstBuyIn = (asked: Asked, decimals: Decimals): { exact: ExactAmount; limit: bigint | undefined } =>
  asked.tokensOut
    ? {
        exact: { kind: 'buyExactOut', amount: unitsOf(asked.tokensOut, decimals.token, 'tokensOut') },
        limit: unitsOf(asked.maxAmountIn ?? 0, decimals.usd, 'maxAmountIn'),
      }
    : {
        exact: { kind: 'buyExactIn', amount: unitsOf(asked.amountIn ?? 0, decimals.usd, 'amountIn') },
        limit: undefined,
      };

/** A token in the transaction that creates it, which nobody trades before: no word of a service is needed. */
export const newState = (poolType: PoolType, decimals: Decimals): PricedState => ({
  curve: curveOf(poolType, decimals),
  pool: null,
  treasuryShareUsd: 0n,
  ageSeconds: 0,
  graduation: null,
});
