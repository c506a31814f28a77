import { type Deployment, platformIdOf, tokenIdOf } from '@mintage/protocol';
import { concat, encodeAbiParameters, getCreate2Address, keccak256 } from 'viem';
import type { Address } from '../context.ts';

/** What a creation fixes before it is sent. */
export interface TokenIdentity {
  address: Address;
  platformId: `0x${string}`;
  tokenId: string;
}

/** Creation code of a minimal clone around the implementation's address, as solady's `LibClone` deploys it. */
const cloneHead = '0x602c3d8160093d39f33d3d3d3d363d3d37363d73';
const cloneTail = '0x5af43d3d93803e602a57fd5bf3';

const saltParts = [{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }] as const;

/**
 * The token that `create` by this creator with this salt gives on this chain: CREATE2 of the Launchpad, salted with
 * chain, creator and salt, so nobody else can take the address. Source: design 4.4; Launchpad.tokenAddress.
 */
export const identityOf = (
  { launchpad, tokenImplementation, chainId }: Pick<Deployment, 'launchpad' | 'tokenImplementation' | 'chainId'>,
  eid: number,
  creator: Address,
  salt: `0x${string}`,
): TokenIdentity => {
  const address = getCreate2Address({
    from: launchpad,
    salt: keccak256(encodeAbiParameters(saltParts, [BigInt(chainId), creator, salt])),
    bytecode: concat([cloneHead, tokenImplementation, cloneTail]),
  }).toLowerCase() as Address;
  const platformId = platformIdOf(address, eid);
  return { address, platformId, tokenId: tokenIdOf(platformId) };
};
