import { type Address, type EvmDeployment, requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';

/** The contracts of a deployment whose events count, beside the tokens. */
export type Contracts = Pick<EvmDeployment, 'launchpad' | 'poolManager' | 'tokenBridge' | 'layerZeroEndpoint'>;

/** Contracts whose events count on a chain. Logs of any other contract are ignored. */
export interface AddressBook extends Contracts {
  /** Tokens that the launchpad created, or the bridge registered. Decoding adds the ones it meets. */
  tokens: Set<Hex>;
}

export const addressBook = (
  { launchpad, poolManager, tokenBridge, layerZeroEndpoint }: Contracts,
  tokens: Iterable<Address>,
): AddressBook => ({
  launchpad,
  poolManager,
  tokenBridge,
  layerZeroEndpoint,
  tokens: new Set(Array.from(tokens, requireHex)),
});

/** All addresses whose logs are asked for. */
export const addressesOf = ({ tokens, ...contracts }: AddressBook): Hex[] => [
  ...Object.values(contracts).filter((address) => address !== null),
  ...tokens,
];
