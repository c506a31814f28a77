import { concat, encodeAbiParameters, getCreate2Address, type Hex, keccak256 } from 'viem';
import type { EvmDeployment } from '../chains/deployment.ts';

/** A minimal clone around the implementation's address, as solady's `LibClone` deploys it: what creates it, then its code. */
const cloneCreation = '0x602c3d8160093d39f3';
const cloneHead = '0x3d3d3d3d363d3d37363d73';
const cloneTail = '0x5af43d3d93803e602a57fd5bf3';

/** The code at the address of every token. */
export const tokenCodeOf = (implementation: Hex): Hex => concat([cloneHead, implementation, cloneTail]);

const saltParts = [{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }] as const;

/**
 * The token that `create` by this creator with this salt gives on this chain, lower case: CREATE2 of the TokenFactory, salted
 * with chain, creator and salt, so nobody else can take the address. Source: Launchpad.tokenAddress, TokenFactory.tokenAddress.
 */
export const tokenAddressOf = (
  {
    tokenFactory,
    tokenImplementation,
    chainId,
  }: Pick<EvmDeployment, 'tokenFactory' | 'tokenImplementation' | 'chainId'>,
  creator: Hex,
  salt: Hex,
): Hex =>
  getCreate2Address({
    from: tokenFactory,
    salt: keccak256(encodeAbiParameters(saltParts, [BigInt(chainId), creator, salt])),
    bytecode: concat([cloneCreation, tokenCodeOf(tokenImplementation)]),
  }).toLowerCase() as Hex;
