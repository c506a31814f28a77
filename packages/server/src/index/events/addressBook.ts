import type { Hex } from './log.ts';

/** Whose events count on a chain. Everything else that a provider sends is ignored. */
export interface AddressBook {
  launchpad: Hex;
  poolManager: Hex | null;
  /** Tokens that the launchpad created. Decoding adds those it meets. */
  tokens: Set<Hex>;
}
