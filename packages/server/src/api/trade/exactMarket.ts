import { families, hasTierFee } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Market } from '../../chain/market.ts';
import { tokenNotFound } from '../tokens/tokenRef.ts';
import { readChain } from './readMarket.ts';

/**
 * The market with all that a quote follows from. Anybody adds liquidity to a pool on a v3 exchange, which the index does not
 * know: such a pool is read from the chain.
 *
 * @throws NETWORK_ERROR when the chain is read and no provider answers, TOKEN_NOT_FOUND when it does not have the token any more.
 */
export const exactMarket = async (served: ChainContext, market: Market): Promise<Market> => {
  const { pool, token } = market;
  if (pool === null || token === null || !hasTierFee(pool)) return market;
  const { nobody } = families[served.chain.family].addresses;
  const reading = await readChain(served, token, nobody, true);
  if (reading.market === null) throw tokenNotFound(token.address);
  return reading.market;
};
