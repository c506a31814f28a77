import type { Address, Eid, Hash, SupplyReading } from '@mintage/protocol';
import type { PreparedStep } from './preparedStep.ts';

/** Tokens between this chain and others: what its bridge is asked, and the calls of it. Amounts are base units. */
export interface Bridge {
  /** What the way to another chain takes at the newest block, by one provider's word: the contract itself has the last. */
  terms(crossing: Crossing): Promise<CrossingTerms>;
  /** Blocks of this chain that the verifiers of the way to another wait, as they are set now. */
  confirmations(dstEid: Eid): Promise<number>;
  /**
   * Native base units in dollars of 10⁻⁶, by the prices that the fees of the way to another chain are made of, whose word
   * it is; null where those have none.
   */
  inUsdUp(native: bigint, dstEid: Eid): Promise<bigint | null>;
  /** Native fees of making a token of this chain known on others, in their order; null: there is no open route. */
  announceFees(text: TokenText, dstEids: readonly Eid[]): Promise<(bigint | null)[]>;
  /**
   * Sends tokens away; the fee's change returns to the sender.
   *
   * @param value - Most that is paid, native base units.
   */
  send(sender: Address, crossing: Crossing, value: bigint): PreparedStep;
  announce(token: Address, origin: TokenOrigin, dstEids: readonly Eid[], value: bigint): PreparedStep;
  /** Supplies of all tokens that crossed, at the newest block; read as `ChainClient.solvency` is. */
  supplies(): Promise<SupplyReading>;
  /** The bytes of a message that this transaction sent; null where it is in no block. */
  messageSent(txHash: Hash, guid: Hash): Promise<`0x${string}` | null>;
  /** Whether a message is verified here and not delivered yet. */
  isWaiting(path: MessagePath): Promise<boolean>;
  /** Delivers a verified message, which anybody may; null: other bytes than these are verified, or none. */
  deliver(path: MessagePath, guid: Hash, message: `0x${string}`): Promise<PreparedStep | null>;
}

export interface Crossing {
  token: Address;
  dstEid: Eid;
  /** On the other chain. */
  recipient: Address;
  /** Of which a message carries whole units of 10⁻⁶ token. */
  amount: bigint;
  /** What makes the token there, where it is not yet; null: it is. */
  registers: TokenOrigin | null;
}

/** What a token's address is made of, with its home. */
export interface TokenOrigin {
  creator: Address;
  salt: `0x${string}`;
}

export interface TokenText {
  name: string;
  symbol: string;
}

export type CrossingTerms =
  | { route: 'none' | 'paused' }
  | {
      route: 'open';
      /** What the path takes now. */
      sendable: bigint;
      /** Native base units; null for an amount that the path does not take. */
      nativeFee: bigint | null;
    };

/** A message by the chain that it comes from. */
export interface MessagePath {
  srcEid: Eid;
  nonce: number;
}
