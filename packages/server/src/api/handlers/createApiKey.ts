import { invalid, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { newApiKey } from '../accounts/apiKeyText.ts';
import { addBudget, budgetsOf } from '../accounts/budgets.ts';
import { type Scope, scopes as userScopes } from '../accounts/caller.ts';
import { requireOperator } from '../accounts/operators.ts';
import { holdSession } from '../accounts/sessions.ts';
import { lockUser } from '../accounts/users.ts';
import { handler } from './handler.ts';

const mostKeys = 10;

export const createApiKey = handler(definitions.createApiKey, async (context, input, { caller }) => {
  const { db, auth, config, now } = context;
  const scopes: Scope[] = [...new Set(input.scopes ?? userScopes)];
  if (scopes.includes('moderate')) requireOperator(config, caller);
  const createdAt = new Date(now());
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
  if (expiresAt !== null && expiresAt <= createdAt) throw invalid('expiresAt', 'must be in the future');

  const { id, key, prefix, hash } = newApiKey(auth.apiKeyBrand);
  const budget = await db.transaction().execute(async (tx) => {
    // Two calls at once cannot both take the last free place.
    await lockUser(tx, caller.userId);
    await holdSession(tx, caller, now());
    const { count } = await tx
      .selectFrom('api_key')
      .select((query) => query.fn.countAll<string | number | bigint>().as('count'))
      .where('user_id', '=', caller.userId)
      .where('revoked_at', 'is', null)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', createdAt)]))
      .executeTakeFirstOrThrow();
    if (Number(count) >= mostKeys) throw new MintageError('TOO_MANY_KEYS', `There are ${mostKeys} keys already`);
    await tx
      .insertInto('api_key')
      .values({
        id,
        user_id: caller.userId,
        name: input.name,
        key_hash: hash,
        prefix,
        scopes,
        created_at: createdAt,
        expires_at: expiresAt,
      })
      .execute();
    if (input.budget === undefined) return null;
    await addBudget(context, tx, { credential: id, userId: caller.userId }, input.budget);
    return (await budgetsOf(tx, caller.userId, config.recipientDelayHours)).get(id) ?? null;
  });
  return {
    id,
    key,
    prefix,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    budget,
  };
});
