import { MintageError } from '@mintage/protocol';
import type { Address, ChainContext } from '../../chain/servedChain.ts';
import { tokenNotFound } from '../tokens/tokenRef.ts';
import { findMarket } from './findMarket.ts';
import type { Market } from './market.ts';
import { type ChainReading, readChain } from './readChain.ts';
import type { Trading } from './trading.ts';

/**
 * A token's state at the newest block, read by `readChain`. A token that this service prepared is found by its id once
 * its creation is mined, before it is indexed.
 *
 * @throws TOKEN_NOT_FOUND, NETWORK_ERROR.
 */
export const readMarket = async (
  context: Trading,
  served: ChainContext,
  tokenRef: string,
  trader: Address,
  aloneWillDo: boolean,
): Promise<ChainReading & { market: Market }> => {
  const { market, draft } = await findMarket(context, served, tokenRef);
  const named = market === null ? draft : market.token;
  if (named === null) throw tokenNotFound(tokenRef);
  const reading = await readChain(served, named, trader, aloneWillDo);
  if (reading.market === null)
    throw new MintageError('TOKEN_NOT_FOUND', `The token ${tokenRef.slice(0, 80)} is not created yet.`);
  return { ...reading, market: reading.market };
};
