import { chainByEid } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Reading } from './reading.ts';
import { type KnownToken, requireToken, tokenNotFound } from './tokenRef.ts';

/**
 * The token that a TokenRef refers to, and the chain on which it was created.
 *
 * @throws TOKEN_NOT_FOUND when no chain has it, or only one that is not served here.
 */
export const requireServedToken = async (
  context: Reading,
  tokenRef: string,
): Promise<{ token: KnownToken; served: ChainContext }> => {
  const token = await requireToken(context, tokenRef);
  const served = context.chains.get(chainByEid(token.eid)?.slug ?? '');
  if (served === undefined) throw tokenNotFound(tokenRef);
  return { token, served };
};
