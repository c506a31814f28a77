import { tokenDecimalsOf } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';

/** @param symbol - Of a launched token; null: the currency is the dollar. */
export const currencyName = (
  { chain, deployment }: Pick<ChainContext, 'chain' | 'deployment'>,
  symbol: string | null,
) =>
  symbol === null
    ? { symbol: deployment.usdSymbol, decimals: deployment.usdDecimals }
    : { symbol, decimals: tokenDecimalsOf(chain) };
