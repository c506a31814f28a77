import type { IncomingHttpHeaders } from 'node:http';
import { MintageError } from '@mintage/protocol';
import type { Caller } from '../caller.ts';
import { actsFrom, requireConfirmation } from '../newAccess.ts';
import { requireSession } from '../sessions.ts';
import type { Owner } from './register.ts';

interface Asking {
  caller: Caller | null;
  http?: { headers: IncomingHttpHeaders };
}

/**
 * The signed-in user who asks for a passkey, freshly confirmed; null: no one, so it is for a new account. A sign-in that has
 * ended is refused: its user means the account that is there, and would put money into another one.
 *
 * @throws MintageError AUTHENTICATION_FAILED; SCOPE_MISSING for an API key or an application; CONFIRMATION_NEEDED.
 */
export const ownerOf = async (context: Parameters<typeof actsFrom>[0], { caller, http }: Asking): Promise<Owner> => {
  if (caller !== null) {
    await requireSession(context.db, caller, context.now());
    const confirmation = await requireConfirmation(context, caller);
    return { ...caller, actsFrom: await actsFrom(context, caller, confirmation) };
  }
  if (http?.headers.authorization === undefined) return null;
  throw new MintageError('AUTHENTICATION_FAILED', 'The credential is not valid, expired or revoked');
};
