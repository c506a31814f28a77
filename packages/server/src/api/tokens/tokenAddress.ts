import { type Address, platformIdOf, tokenIdOf } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';

/** What a creation fixes before it is sent. */
export interface TokenIdentity {
  address: Address;
  /** Follows from address and chain (`platformIdOf`). */
  platformId: `0x${string}`;
  /** Follows from the platform id (`tokenIdOf`). */
  tokenId: string;
}

/** Identity of the token that `create` makes for this creator and salt on this chain. */
export const identityOf = (
  { chain, client }: Pick<ChainContext, 'chain' | 'client'>,
  creator: Address,
  salt: `0x${string}`,
): TokenIdentity => {
  const address = client.tokenAddress(creator, salt);
  const platformId = platformIdOf(address, chain.eid);
  return { address, platformId, tokenId: tokenIdOf(platformId) };
};
