import { type Deployment, platformIdOf, tokenAddressOf, tokenIdOf } from '@mintage/protocol';
import type { Address } from '../../chain/servedChain.ts';

/** What a creation fixes before it is sent. */
export interface TokenIdentity {
  address: Address;
  platformId: `0x${string}`;
  tokenId: string;
}

/** Identity of the token that `create` makes for this creator and salt on this chain. */
export const identityOf = (
  deployment: Pick<Deployment, 'launchpad' | 'tokenImplementation' | 'chainId'>,
  eid: number,
  creator: Address,
  salt: `0x${string}`,
): TokenIdentity => {
  const address = tokenAddressOf(deployment, creator, salt);
  const platformId = platformIdOf(address, eid);
  return { address, platformId, tokenId: tokenIdOf(platformId) };
};
