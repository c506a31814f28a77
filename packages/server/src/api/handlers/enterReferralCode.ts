import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { happened } from '../../db/happenings.ts';
import type { ReferralNetwork, Tx } from '../../db/serviceTables.ts';
import type { Caller } from '../accounts/caller.ts';
import { keyOfCode, networkAsked } from '../accounts/networks.ts';
import { handler } from './handler.ts';

/** When two codes are entered at once, the primary key admits one; the other call finds it there. */
export const enterReferralCode = handler(definitions.enterReferralCode, async (context, input, { caller }) => {
  const { db, now, vouchers } = context;
  const code = await db.transaction().execute(async (tx) => {
    // When two users enter each other's codes at once, the second must see the entry of the first.
    await sql`lock table referral_entry in share row exclusive mode`.execute(tx);
    return enter(tx, caller, networkAsked(context, input.network_mode), input.referral_code, new Date(now()));
  });
  vouchers.forget(caller.userId);
  return {
    success: true,
    referrer_code: code,
    message: `${code} refers you now: 4 % of the fees of your trades come back to you.`,
  };
});

/**
 * @returns The code as its owner writes it.
 * @throws REFERRAL_CODE_NOT_FOUND, REFERRAL_SELF, REFERRAL_CODE_INACTIVE, REFERRAL_ALREADY_SET.
 */
const enter = async (
  tx: Tx,
  { userId }: Caller,
  network: ReferralNetwork,
  asked: string,
  enteredAt: Date,
): Promise<string> => {
  const key = keyOfCode(asked);
  const found = await tx
    .selectFrom('referral_code')
    .select(['code', 'user_id'])
    .where('network', '=', network)
    .where('code_key', '=', key)
    .executeTakeFirst();
  if (found === undefined) throw new MintageError('REFERRAL_CODE_NOT_FOUND', `There is no ${network} code ${asked}.`);
  if (found.user_id === userId) throw new MintageError('REFERRAL_SELF', `${found.code} is your own code.`);
  if (await isReferredBy(tx, network, found.user_id, userId))
    throw new MintageError('REFERRAL_SELF', `You refer the owner of ${found.code}: two users do not refer each other.`);

  await tx
    .insertInto('referral_entry')
    .columns(['network', 'user_id', 'code_key', 'entered_at'])
    .expression(
      tx
        .selectFrom('referral_code')
        .select(['network', sql<string>`${userId}::uuid`.as('user_id'), 'code_key'])
        .select(sql<Date>`${enteredAt}::timestamptz`.as('entered_at'))
        .where('network', '=', network)
        .where('code_key', '=', key)
        .where('active', '=', true),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const entry = await tx
    .selectFrom('referral_entry')
    .select('code_key')
    .where('user_id', '=', userId)
    .where('network', '=', network)
    .executeTakeFirst();
  if (entry === undefined) throw new MintageError('REFERRAL_CODE_INACTIVE', `The code ${found.code} is not in use.`);
  if (entry.code_key !== key)
    throw new MintageError('REFERRAL_ALREADY_SET', `Another ${network} code was entered before and stays.`);
  const notice = { kind: 'notification', user_id: found.user_id, type: 'referral_joined' } as const;
  await happened(tx, [{ ...notice, key: `referral:${network}:${userId}` }], enteredAt);
  return found.code;
};

const isReferredBy = async (tx: Tx, network: ReferralNetwork, userId: string, referrerId: string): Promise<boolean> => {
  const found = await tx
    .selectFrom('referral_entry as entry')
    .innerJoin('referral_code as code', (join) =>
      join.onRef('code.network', '=', 'entry.network').onRef('code.code_key', '=', 'entry.code_key'),
    )
    .select('entry.user_id')
    .where('entry.network', '=', network)
    .where('entry.user_id', '=', userId)
    .where('code.user_id', '=', referrerId)
    .executeTakeFirst();
  return found !== undefined;
};
