import { formatUnits, MintageError, tokenDecimals } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { livingOn } from '../tokens/registrations.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';

/** A token as its hub sees it. */
export type HubToken = Pick<KnownToken, 'token_id' | 'eid' | 'address' | 'creator' | 'registrations'>;

/** @throws HUB_BANNED, HUB_MEMBERS_ONLY, HUB_HOLDERS_ONLY */
export const requireMayPost = async (
  db: Db,
  context: { now(): number },
  token: HubToken,
  userId: string,
): Promise<void> => {
  const refusal = await whyMayNotPost(db, context, token, userId);
  if (refusal !== null) throw refusal;
};

/** Why a user may not post in the hub of a token, comments too; null: the user may. Where there is no hub yet, everybody may. */
export const whyMayNotPost = async (
  db: Db,
  { now }: { now(): number },
  token: HubToken,
  userId: string,
): Promise<MintageError | null> => {
  const ban = await db
    .selectFrom('hub_ban')
    .select('until')
    .where('token_id', '=', token.token_id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (ban !== undefined && (ban.until === null || ban.until.getTime() > now()))
    return new MintageError('HUB_BANNED', 'You are banned from this hub.', {
      details: { until: ban.until?.toISOString() ?? null },
    });
  const hub = await db
    .selectFrom('hub')
    .select(['post_rule', 'min_holding'])
    .where('token_id', '=', token.token_id)
    .executeTakeFirst();
  switch (hub?.post_rule) {
    case 'members':
      return (await isMember(db, token, userId))
        ? null
        : new MintageError('HUB_MEMBERS_ONLY', 'Only members post in this hub.');
    case 'holders':
      return whyHoldsTooLittle(await heldBy(db, token, userId), hub.min_holding);
    default:
      return null;
  }
};

const isMember = async (db: Db, token: HubToken, userId: string): Promise<boolean> => {
  if (await owns(db, token, userId)) return true;
  const member = await db
    .selectFrom('hub_member')
    .select('role')
    .where('token_id', '=', token.token_id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return member !== undefined;
};

/** @param least - Base units; null: any. */
const whyHoldsTooLittle = (holding: bigint, least: bigint | null): MintageError | null => {
  if (holding > 0n && holding >= (least ?? 0n)) return null;
  const texts = [least ?? 0n, holding].map((amount) => formatUnits(amount, tokenDecimals));
  return new MintageError('HUB_HOLDERS_ONLY', 'Only holders of the token post in this hub.', {
    details: { min_holding: texts[0], holding: texts[1] },
  });
};

/** Whether a wallet of the user created the token. */
export const owns = async (db: Db, { creator }: Pick<HubToken, 'creator'>, userId: string): Promise<boolean> => {
  const wallet = await db
    .selectFrom('user_wallet')
    .select('address')
    .where('address', '=', creator)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return wallet !== undefined;
};

/** What all wallets of a user hold of a token on all its chains, base units. */
export const heldBy = async (db: Db, token: HubToken, userId: string): Promise<bigint> => {
  const { held } = await db
    .selectFrom('balance')
    .select(sql<bigint>`coalesce(sum(amount), 0)`.as('held'))
    .where('eid', 'in', livingOn(token))
    .where('token', '=', token.address)
    .where('wallet', 'in', db.selectFrom('user_wallet').select('address').where('user_id', '=', userId))
    .executeTakeFirstOrThrow();
  return held;
};
