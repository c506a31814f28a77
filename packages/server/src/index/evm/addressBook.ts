import { type Address, type EvmDeployment, requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';

/** The contracts of a deployment whose events count, beside the tokens. */
export type Contracts = Pick<EvmDeployment, 'launchpad' | 'poolManager'>;

/** Contracts whose events count on a chain. Logs of any other contract are ignored. */
export interface AddressBook extends Contracts {
  /** Tokens that the launchpad created. Decoding adds the ones it meets. */
  tokens: Set<Hex>;
}

export const addressBook = ({ launchpad, poolManager }: Contracts, tokens: Iterable<Address>): AddressBook => ({
  launchpad,
  poolManager,
  tokens: new Set(Array.from(tokens, requireHex)),
});
