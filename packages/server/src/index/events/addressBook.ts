import type { Hex } from './log.ts';

/** Contracts whose events count on a chain. Logs of any other contract are ignored. */
export interface AddressBook {
  launchpad: Hex;
  poolManager: Hex | null;
  /** Tokens that the launchpad created. Decoding adds the ones it meets. */
  tokens: Set<Hex>;
}
