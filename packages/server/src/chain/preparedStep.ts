import type { Address } from '@mintage/protocol';

/** A call as the wallet of `chainType` executes it. */
export interface PreparedCall {
  to: Address;
  data: `0x${string}`;
  /** Native base units; absent: 0. */
  value?: bigint;
}

export interface PreparedStep {
  call: PreparedCall;
  /** The most gas that this kind of call takes. */
  gasBound: bigint;
}
