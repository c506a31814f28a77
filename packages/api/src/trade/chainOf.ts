import { type ChainSlug, invalid, MintageError } from '@mintage/protocol';
import type { Address, ChainContext, Context } from '../context.ts';

/** @throws UNSUPPORTED_CHAIN when this deployment does not serve the chain. */
export const chainOf = ({ chains }: Context, slug: ChainSlug): ChainContext => {
  const served = chains.get(slug);
  if (served !== undefined) return served;
  throw new MintageError('UNSUPPORTED_CHAIN', `The chain ${slug} is not served here.`, {
    details: [{ path: 'chainSlug', message: `must be one of ${[...chains.keys()].join(', ')}` }],
  });
};

/** What every prepared transaction needs to know of its sender. */
export interface SenderFields {
  userAddress?: string;
  execute?: boolean;
}

/**
 * The wallet that will send the transaction.
 *
 * @throws INVALID_PARAMETERS when none is named, or when the server is asked to send: there are no embedded wallets yet.
 */
export const senderOf = ({ userAddress, execute }: SenderFields): Address => {
  if (execute === true)
    throw invalid('execute', 'there is no embedded wallet here yet: leave it out and send the transaction yourself');
  if (userAddress === undefined)
    throw invalid('userAddress', 'is required: name the wallet that will send the transaction');
  if (/^0x0{40}$/i.test(userAddress)) throw invalid('userAddress', 'must not be the zero address');
  return lowerAddress(userAddress);
};

export const lowerAddress = (address: string): Address => address.toLowerCase() as Address;
