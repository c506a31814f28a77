import { MintageError, type Operation } from '@mintage/protocol';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/serviceTables.ts';
import { type Caller, tooNew } from './caller.ts';
import { requireOperator } from './operators.ts';
import { requireSession } from './sessions.ts';

/**
 * Requires a caller whose credential allows the operation. On a public operation an invalid credential is ignored.
 *
 * @throws MintageError AUTHENTICATION_FAILED, NOT_AN_OPERATOR, SCOPE_MISSING.
 */
export const requireAccess = async (
  { db, config, now }: { db: Db; config: Pick<Config, 'operators'>; now: () => number },
  { access, scope }: Pick<Operation, 'access' | 'scope'>,
  caller: Caller | null,
): Promise<void> => {
  if (access === 'public') return;
  if (caller === null) {
    throw new MintageError('AUTHENTICATION_FAILED', 'No credential was sent, or it is not valid, expired or revoked');
  }
  // Asked anew at every call: who is no operator any more has keys that say otherwise.
  if (scope === 'moderate') requireOperator(config, caller);
  if (!caller.scopes.includes(scope)) {
    if (caller.waitsUntilMs !== null) throw tooNew(new Date(caller.waitsUntilMs));
    throw new MintageError('SCOPE_MISSING', `The credential lacks the scope ${scope}`, {
      details: [{ path: 'scopes', message: scope }],
    });
  }
  if (access === 'session') await requireSession(db, caller, now());
};
