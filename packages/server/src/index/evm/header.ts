import type { Hex } from 'viem';
import type { Header } from '../sync/changes.ts';

/** A block's header as an EVM provider shows it. */
export interface EvmHeader extends Header {
  hash: Hex;
  parentHash: Hex;
  /** 2048 bits that show which addresses and topics the block's logs may hold; absent where the chain keeps none. */
  logsBloom?: Hex | undefined;
}

/** The newest block. */
export interface Head extends EvmHeader {
  /** As many providers as have to agree show this very header, so that nobody needs to be asked for it again. */
  isAgreed?: boolean;
}
