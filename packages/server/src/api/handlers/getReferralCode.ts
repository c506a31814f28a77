import { type Address, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { Db } from '../../db/serviceTables.ts';
import { keyOfCode } from '../accounts/networks.ts';
import { handler } from './handler.ts';

export const getReferralCode = handler(definitions.getReferralCode, async ({ db }, { code: asked }) => {
  const codes = await db
    .selectFrom('referral_code')
    .select(['network', 'code', 'user_id', 'active'])
    .where('code_key', '=', keyOfCode(asked))
    .orderBy('network')
    .execute();
  const [first] = codes;
  if (first === undefined) throw new MintageError('REFERRAL_CODE_NOT_FOUND', `There is no code ${asked}.`);
  const networks = await Promise.all(
    codes.map(async ({ network, user_id, active }) => ({
      network,
      owner_address: await firstWallet(db, user_id),
      active,
    })),
  );
  return { success: true, referral_code: first.code, networks };
});

/** The wallet that somebody signed in with first, which is also their referrer's address on chain. */
const firstWallet = async (db: Db, userId: string): Promise<Address | null> => {
  const row = await db
    .selectFrom('user_wallet')
    .select('address')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('address')
    .limit(1)
    .executeTakeFirst();
  return row?.address ?? null;
};
