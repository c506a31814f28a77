import { invalid } from '@mintage/protocol';
import type { Address } from '../../chain/servedChain.ts';
import type { Caller } from '../accounts/caller.ts';
import { requireAccess } from '../accounts/requireAccess.ts';
import { lowerAddress } from '../trade/chainOf.ts';
import { type Owner, withEmbeddedWallet } from './embeddedWallet.ts';
import type { CallTerms, Executing } from './executing.ts';

/** Who will send what is prepared: the caller, or the server from the caller's embedded wallet. */
export type Sender = { executes: false; address: Address; caller: Caller } | ExecutingSender;

/** `caller` has the embedded wallet also when it was made for this very call. */
export interface ExecutingSender {
  executes: true;
  address: Address;
  caller: Owner;
}

export interface SenderFields {
  /** The wallet that the input names. */
  named: string | undefined;
  /** Of which field. */
  field: 'userAddress' | 'wallet_address';
  execute?: boolean | undefined;
  simulate?: boolean | undefined;
}

/**
 * The wallet that will send the transaction: the one that is named, else the caller's embedded one, which is made when
 * there is none. What the server is to execute only the embedded one can send (design 6, Execution rule).
 *
 * @throws MintageError INVALID_PARAMETERS, SCOPE_MISSING, SERVICE_UNAVAILABLE when the wallet cannot be made now.
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
  // The signature does not cover this wish.
  if (caller.method === 'wallet') throw invalid('execute', 'needs an access token or an API key, not a signature');
  const owner = await withEmbeddedWallet(context, caller);
  return { executes: true, address: owner.embedded, caller: owner };
};

/** What is left of the time for this call. */
export const leftMs = ({ untilMs }: CallTerms): number =>
  untilMs === undefined ? Number.POSITIVE_INFINITY : untilMs - performance.now();
