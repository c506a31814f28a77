import { type Address, MintageError } from '@mintage/protocol';
import type { ChainReading, NamedToken } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Market } from '../../chain/market.ts';
import { tokenNotFound } from '../tokens/tokenRef.ts';
import { findMarket } from './findMarket.ts';
import type { Trading } from './trading.ts';

/**
 * A token's state, and the trader's, by `ChainClient.readMarket`, on a chain that moves.
 *
 * @throws NETWORK_ERROR when no provider answers, no two say the same, or the chain stands still.
 */
export const readChain = async (
  { client, headPulse }: ChainContext,
  facts: NamedToken,
  trader: Address,
  aloneWillDo: boolean,
): Promise<ChainReading> => {
  const reading = await client.readMarket(facts, trader, aloneWillDo);
  headPulse.saw(reading.block.number, reading.block.time * 1000);
  headPulse.requireMotion();
  return reading;
};

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
