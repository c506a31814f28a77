import { invalid, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { addApiKey } from '../accounts/apiKeys.ts';
import { addBudget, budgetsOf } from '../accounts/budgets.ts';
import { type Scope, scopes as userScopes } from '../accounts/caller.ts';
import { actsFrom, requireConfirmation, tellAccess } from '../accounts/newAccess.ts';
import { requireOperator } from '../accounts/operators.ts';
import { holdSession } from '../accounts/sessions.ts';
import { lockUser } from '../accounts/users.ts';
import { refuseWallsInBudget } from '../execution/recipients.ts';
import { handler } from './handler.ts';

const mostKeys = 10;

export const createApiKey = handler(definitions.createApiKey, async (context, input, { caller }) => {
  const { db, seals, auth, config, now } = context;
  const scopes: Scope[] = [...new Set(input.scopes ?? userScopes)];
  if (scopes.includes('moderate')) requireOperator(config, caller);
  const canSpend = scopes.includes('execute') || scopes.includes('moderate');
  const confirmation = canSpend ? await requireConfirmation(context, caller) : 'strong';
  // What a passkey or wallet confirms acts at once, within a small budget (`execute.ts`).
  const acts = confirmation === 'strong' ? null : await actsFrom(context, caller, confirmation);
  const createdAt = new Date(now());
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
  if (expiresAt !== null && expiresAt <= createdAt) throw invalid('expiresAt', 'must be in the future');

  if (input.budget !== undefined) await refuseWallsInBudget(context, caller, input.budget, input.acknowledge);
  const { id, key, prefix, budget } = await db.transaction().execute(async (tx) => {
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
    const { name } = input;
    const { userId } = caller;
    const added = await addApiKey({ db: tx, seals }, auth.apiKeyBrand, {
      userId,
      name,
      scopes,
      createdAt,
      expiresAt,
      actsFrom: acts,
      hasBudget: input.budget !== undefined,
    });
    if (canSpend) await tellAccess(tx, userId, 'key_created', added.id, now());
    if (input.budget === undefined) return { ...added, budget: null };
    await addBudget(context, tx, { credential: added.id, userId }, input.budget);
    const budgets = await budgetsOf(tx, userId, config.recipientDelayHours);
    return { ...added, budget: budgets.get(added.id) ?? null };
  });
  return {
    id,
    key,
    prefix,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    actsFrom: acts?.toISOString() ?? null,
    budget,
  };
});
