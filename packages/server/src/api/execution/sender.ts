import { invalid } from '@mintage/protocol';
import type { Address } from '../../chain/servedChain.ts';
import type { Caller } from '../accounts/caller.ts';
import { requireAccess } from '../accounts/requireAccess.ts';
import { lowerAddress } from '../trade/chainOf.ts';
import { type Owner, withEmbeddedWallet } from './embeddedWallet.ts';
import type { CallTerms, Executing } from './executing.ts';

/** Who sends the prepared transaction: the caller, or the server from the caller's embedded wallet. */
export type Sender = { executes: false; address: Address; caller: Caller } | ExecutingSender;

/** `caller` includes the embedded wallet, also when it was created for this call. */
export interface ExecutingSender {
  executes: true;
  address: Address;
  caller: Owner;
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
 * The wallet that sends the transaction: the named one, otherwise the caller's embedded wallet, which is created on
 * first need. With `execute: true` only the embedded wallet can send (design 6, Execution rule).
 *
 * @throws MintageError INVALID_PARAMETERS, SCOPE_MISSING, SERVICE_UNAVAILABLE when the wallet cannot be created now.
 */
export const senderOf = async (
  context: Executing,
  caller: Caller,
  { named, field, execute, simulate }: SenderFields,
): Promise<Sender> => {
  if (execute === true) {
    const sender = await executingSender(context, caller);
    if (simulate === false) throw invalid('simulate', 'must not be false with execute: only what succeeds is sent');
    if (named === undefined || lowerAddress(named) === sender.address) return sender;
    throw invalid(field, `must be your embedded wallet ${sender.address} to execute, or be left out`);
  }
  if (named !== undefined) {
    if (/^0x0{40}$/i.test(named)) throw invalid(field, 'must not be the zero address');
    return { executes: false, address: lowerAddress(named), caller };
  }
  const owner = await withEmbeddedWallet(context, caller);
  return { executes: false, address: owner.embedded, caller: owner };
};

/** @throws MintageError SCOPE_MISSING, INVALID_PARAMETERS, SERVICE_UNAVAILABLE. */
export const executingSender = async (context: Executing, caller: Caller): Promise<ExecutingSender> => {
  await requireAccess(context, { access: 'caller', scope: 'execute' }, caller);
  // A wallet's signature on the request does not cover its execution by the server.
  if (caller.method === 'wallet') throw invalid('execute', 'needs an access token or an API key, not a signature');
  const owner = await withEmbeddedWallet(context, caller);
  return { executes: true, address: owner.embedded, caller: owner };
};

/** Milliseconds left until the deadline of this call. */
export const leftMs = ({ untilMs }: CallTerms): number =>
  untilMs === undefined ? Number.POSITIVE_INFINITY : untilMs - performance.now();
