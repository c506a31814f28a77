import { type Address, MintageError } from '@mintage/protocol';

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
  /** Where `call.data` is a whole transaction that waits for its signature; absent: the wallet builds one around the call. */
  whole?: WholeTransaction;
}

/** A transaction whose gas limit and lifetime stand in its bytes. */
export interface WholeTransaction {
  /** The same bytes as `data` of the call. */
  base64: string;
  /** In a later block it does nothing any more. */
  lastValidBlockHeight: number;
  /** About when that is, milliseconds since 1970. */
  expiresAtMs: number;
  /** Paid for a million units of its limit beside the fee, native base units. */
  priorityFee: bigint;
  /** Accounts that it opens; what they hold from then on is the call's `value`. */
  opens: readonly Address[];
}

/** The voucher makes a transaction longer than its chain takes: without it there is room, and the wallet's next call can carry it. */
export class NoRoomForVoucherError extends MintageError {
  constructor(bytes: number, most: number) {
    super(
      'INVALID_PARAMETERS',
      `With the referrer's voucher the transaction would have ${bytes} bytes, and the chain takes ${most}.`,
    );
    this.name = 'NoRoomForVoucherError';
  }
}
