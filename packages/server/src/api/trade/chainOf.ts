import { type ChainSlug, MintageError } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Trading } from './trading.ts';

/** @throws UNSUPPORTED_CHAIN when this deployment does not serve the chain. */
export const chainOf = ({ chains }: Trading, slug: ChainSlug): ChainContext => {
  const served = chains.get(slug);
  if (served !== undefined) return served;
  throw new MintageError('UNSUPPORTED_CHAIN', `The chain ${slug} is not served here.`, {
    details: [{ path: 'chainSlug', message: `must be one of ${[...chains.keys()].join(', ')}` }],
  });
};

/**
 * A chain whose index advances, as quoting and preparing need it.
 *
 * @throws UNSUPPORTED_CHAIN, NETWORK_ERROR when its index has stood still for too long.
 */
export const movingChainOf = async (context: Trading, slug: ChainSlug): Promise<ChainContext> => {
  const served = chainOf(context, slug);
  await requireMotion(context, served);
  return served;
};

/** @throws NETWORK_ERROR when the chain's index has stood still for too long. */
export const requireMotion = async ({ markets }: Pick<Trading, 'markets'>, { indexPulse }: ChainContext) => {
  await markets.current();
  indexPulse.requireMotion();
};
