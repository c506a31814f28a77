import type { IncomingHttpHeaders } from 'node:http';
import { MintageError } from '@mintage/protocol';
import type { Db } from '../../../db/serviceTables.ts';
import type { Caller } from '../caller.ts';
import { requireSession } from '../sessions.ts';

interface Asking {
  caller: Caller | null;
  http?: { headers: IncomingHttpHeaders };
}

/**
 * The signed-in user who asks for a passkey; null: nobody, so it is for a new account. A sign-in that has ended is refused: its
 * user means the account that is there, and would put money into another one.
 *
 * @throws MintageError AUTHENTICATION_FAILED; SCOPE_MISSING for an API key or an application.
 */
export const ownerOf = async (
  { db, now }: { db: Db; now: () => number },
  { caller, http }: Asking,
): Promise<Caller | null> => {
  if (caller !== null) {
    await requireSession(db, caller, now());
    return caller;
  }
  if (http?.headers.authorization === undefined) return null;
  throw new MintageError('AUTHENTICATION_FAILED', 'The credential is not valid, expired or revoked');
};
