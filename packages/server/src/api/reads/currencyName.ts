import { tokenDecimals } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';

/** @param symbol - Of a launched token; null: the currency is the dollar. */
export const currencyName = ({ deployment }: Pick<ChainContext, 'deployment'>, symbol: string | null) =>
  symbol === null
    ? { symbol: deployment.usdSymbol, decimals: deployment.usdDecimals }
    : { symbol, decimals: tokenDecimals };
