import { formatUnits, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { Db, ReferralNetwork } from '../../db/serviceTables.ts';
import type { Caller } from '../accounts/caller.ts';
import { finalVolume18 } from '../accounts/finalVolume.ts';
import { chainsOn, keyOfCode, networkAsked, shareLink } from '../accounts/networks.ts';
import { isReservedCode } from '../accounts/reservedCodes.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

/** Volume needed for a code: 10,000 USD, with 18 fraction digits. */
const neededVolume18 = 10_000n * 10n ** 18n;

/** Unique keys of the table decide races: one active code per user, one owner per code. */
export const createReferralCode = handler(definitions.createReferralCode, async (context, input, { caller }) => {
  const { code } = input;
  const network = networkAsked(context, input.network_mode);
  await requireNoCode(context.db, caller, network);
  await requireVolume(context, caller, network);
  if (isReservedCode(context.config, code)) throw taken(code);

  const createdAt = new Date(context.now());
  await context.db.transaction().execute(async (tx) => {
    const inserted = await tx
      .insertInto('referral_code')
      .values({ network, code_key: keyOfCode(code), code, user_id: caller.userId, created_at: createdAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('network')
      .executeTakeFirst();
    if (inserted !== undefined) return;
    await requireNoCode(tx, caller, network);
    throw taken(code);
  });
  return {
    success: true,
    referral_code: code,
    created_at: createdAt.toISOString(),
    share_link: shareLink(context, code),
  };
});

/** @throws REFERRAL_CODE_EXISTS */
const requireNoCode = async (db: Db, { userId }: Caller, network: ReferralNetwork): Promise<void> => {
  const own = await db
    .selectFrom('referral_code')
    .select('code')
    .where('user_id', '=', userId)
    .where('network', '=', network)
    .where('active', '=', true)
    .executeTakeFirst();
  if (own !== undefined)
    throw new MintageError('REFERRAL_CODE_EXISTS', `You have the ${network} code ${own.code} already.`);
};

/** @throws REFERRAL_VOLUME_TOO_LOW */
const requireVolume = async (context: Context, { wallets }: Caller, network: ReferralNetwork): Promise<void> => {
  const volume18 = await finalVolume18(context.db, chainsOn(context, network), wallets);
  if (volume18 >= neededVolume18) return;
  throw new MintageError(
    'REFERRAL_VOLUME_TOO_LOW',
    `A ${network} code needs 10000 USD of final trades on ${network} chains; your wallets have ${formatUnits(volume18, 18)}.`,
    { details: { network, neededUsd: '10000', finalVolumeUsd: formatUnits(volume18, 18) } },
  );
};

const taken = (code: string): MintageError =>
  new MintageError('REFERRAL_CODE_TAKEN', `The code ${code} is taken or reserved.`);
