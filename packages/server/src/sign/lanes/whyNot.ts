import type { Lane, Tx } from '../context.ts';
import type { Intent, Reason, Step } from './intents.ts';

/**
 * The reason against signing anything of an intent, whatever it is; undefined when there is none. Locks the rows of the
 * user's wallets, so that a pause waits until what is signed now is stored, and the user's intents on other chains until
 * the signing log has this one.
 *
 * @param owner - The user that the wallet's key is sealed for: rows alone say of no wallet that it is a user's. Undefined: it was not opened.
 */
export const whyNot = async (
  tx: Tx,
  { wallet }: Lane,
  intent: Intent,
  steps: readonly Step[],
  owner: string | undefined,
): Promise<Reason | undefined> => {
  const owned = await tx
    .selectFrom('embedded_wallet')
    .select(['address', 'paused_at'])
    .where('user_id', '=', intent.user_id)
    .orderBy('chain_type')
    .forNoKeyUpdate()
    .execute();
  if (owner !== intent.user_id || !owned.some(({ address }) => address === wallet))
    return { code: 'INVALID_PARAMETERS', message: `The wallet ${wallet} is not the embedded wallet of this user.` };
  const everyone = await tx.selectFrom('signing_pause').select('reason').executeTakeFirst();
  if (everyone !== undefined)
    return { code: 'EXECUTION_PAUSED', message: `Execution is paused for everyone: ${everyone.reason}` };
  if (owned.some(({ paused_at }) => paused_at !== null))
    return { code: 'EXECUTION_PAUSED', message: 'Execution is paused for this user.' };
  const frozen = await tx
    .selectFrom('account_freeze')
    .select('user_id')
    .where('user_id', '=', intent.user_id)
    .executeTakeFirst();
  if (frozen !== undefined)
    return { code: 'ACCOUNT_FROZEN', message: 'An operator of this service froze this account.' };
  if (steps.length === 0) return { code: 'INVALID_PARAMETERS', message: 'There is nothing to sign.' };
  return undefined;
};
