import { type ChainSlug, MintageError } from '@mintage/protocol';
import type { Address, ChainContext, Context } from '../context.ts';

/** @throws UNSUPPORTED_CHAIN when this deployment does not serve the chain. */
export const chainOf = ({ chains }: Context, slug: ChainSlug): ChainContext => {
  const served = chains.get(slug);
  if (served !== undefined) return served;
  throw new MintageError('UNSUPPORTED_CHAIN', `The chain ${slug} is not served here.`, {
    details: [{ path: 'chainSlug', message: `must be one of ${[...chains.keys()].join(', ')}` }],
  });
};

export const lowerAddress = (address: string): Address => address.toLowerCase() as Address;
