import { type Address, type Chain, type ChainType, chainTypeOf, invalid, isNobody } from '@mintage/protocol';
import type { Caller } from '../accounts/caller.ts';
import { requireAccess } from '../accounts/requireAccess.ts';
import { addressOn } from '../tokens/addresses.ts';
import { withEmbeddedWallet } from './embeddedWallet.ts';
import type { CallTerms, Executing } from './executing.ts';

/** Who sends the prepared transaction: the caller, or the server from the caller's embedded wallet. */
export type Sender = { executes: false; address: Address; caller: Caller } | ExecutingSender;

/** `caller` includes the embedded wallet, also when it was created for this call. */
export interface ExecutingSender {
  executes: true;
  address: Address;
  caller: Caller;
}

export interface SenderFields {
  /** The wallet that the input names. */
  named: string | undefined;
  /** Name of the input field that holds `named`, for error messages. */
  field: 'userAddress' | 'wallet_address';
  execute?: boolean | undefined;
  simulate?: boolean | undefined;
}

/**
 * The wallet that sends the transaction on this chain: the named one, otherwise the caller's embedded wallet, which is
 * created on first need. With `execute: true` only the embedded wallet can send (design 6, Execution rule).
 *
 * @throws MintageError INVALID_PARAMETERS, SCOPE_MISSING, SERVICE_UNAVAILABLE when the wallet cannot be created now.
 */
export const senderOf = async (
  context: Executing,
  caller: Caller,
  chain: Pick<Chain, 'family'>,
  { named, field, execute, simulate }: SenderFields,
): Promise<Sender> => {
  const address = named === undefined ? null : addressOn(chain, named, field);
  if (execute === true) {
    const sender = await executingSender(context, caller, chainTypeOf(chain));
    if (simulate === false) throw invalid('simulate', 'must not be false with execute: only what succeeds is sent');
    if (address === null || address === sender.address) return sender;
    throw invalid(field, `must be your embedded wallet ${sender.address} to execute, or be left out`);
  }
  if (address !== null) {
    if (isNobody(address)) throw invalid(field, 'must not be the zero address');
    return { executes: false, address, caller };
  }
  return { executes: false, ...(await withEmbeddedWallet(context, caller, chainTypeOf(chain))) };
};

/** @throws MintageError SCOPE_MISSING, INVALID_PARAMETERS, SERVICE_UNAVAILABLE. */
export const executingSender = async (
  context: Executing,
  caller: Caller,
  chainType: ChainType,
): Promise<ExecutingSender> => {
  await requireAccess(context, { access: 'caller', scope: 'execute' }, caller);
  // A wallet's signature on the request does not cover its execution by the server.
  if (caller.method === 'wallet') throw invalid('execute', 'needs an access token or an API key, not a signature');
  return { executes: true, ...(await withEmbeddedWallet(context, caller, chainType)) };
};

/** Milliseconds left until the deadline of this call. */
export const leftMs = ({ untilMs }: CallTerms): number =>
  untilMs === undefined ? Number.POSITIVE_INFINITY : untilMs - performance.now();
