import { type Address, MintageError } from '@mintage/protocol';
import type { HubMember } from '@mintage/protocol/operations';
import { type Selectable, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db, HubTable, Tx } from '../../db/serviceTables.ts';

/** Who is what in which hub, and what that allows. */

export type HubRole = HubMember['role'];

/** What somebody is in a hub. */
export interface Standing {
  role: HubRole | null;
  /** One that is over counts as none. `until`: null is for good. */
  ban: { until: Date | null } | null;
}

/** A token as far as its hub is concerned. */
export interface HubToken {
  token_id: string;
  creator: Address;
}

/** A lower number commands the higher ones. */
export const orderNumbers = { owner: 0, moderator: 10, member: 100 } as const satisfies Record<HubRole, number>;
const outside = 1_000;
const orderOf = ({ role }: Standing): number => (role === null ? outside : orderNumbers[role]);

/** What a user is in the hubs of these tokens, by id of the token. The owner has a wallet that created it, shown to others or not. */
export const standingsOf = async (
  db: Db,
  tokens: readonly HubToken[],
  userId: string,
  nowMs: number,
): Promise<Map<string, Standing>> => {
  const asked = sql<{
    token_id: string;
    role: Exclude<HubRole, 'owner'> | null;
    is_owner: boolean;
    is_banned: boolean;
    until: Date | null;
  }>`
    select asked.token_id, member.role, wallet.user_id is not null as is_owner, ban.user_id is not null as is_banned, ban.until
    from unnest(${tokens.map(({ token_id }) => token_id)}::uuid[], ${tokens.map(({ creator }) => creator)}::text[])
      as asked (token_id, creator)
    left join user_wallet wallet on wallet.address = asked.creator and wallet.user_id = ${userId}
    left join hub_member member on member.token_id = asked.token_id and member.user_id = ${userId}
    left join hub_ban ban on ban.token_id = asked.token_id and ban.user_id = ${userId}
      and (ban.until is null or ban.until > ${new Date(nowMs)})`;
  const rows = await prepared(db, asked);
  return new Map(
    rows.map(({ token_id, role, is_owner, is_banned, until }) => [
      token_id,
      is_owner ? { role: 'owner', ban: null } : { role, ban: is_banned ? { until } : null },
    ]),
  );
};

export const standingOf = async (db: Db, token: HubToken, userId: string, nowMs: number): Promise<Standing> =>
  (await standingsOf(db, [token], userId, nowMs)).get(token.token_id) ?? { role: null, ban: null };

/** Of a token that a reorg took away moderators and bans are left, and no owner. */
export const hubTokenOf = async (db: Db, tokenId: string): Promise<HubToken> => {
  const [token] = await prepared(db, db.selectFrom('token').select('creator').where('token_id', '=', tokenId));
  // No wallet is the empty text.
  return { token_id: tokenId, creator: token?.creator ?? ('' as Address) };
};

/** Whether this is the owner or a moderator. */
export const commands = (who: Standing): boolean => orderOf(who) <= orderNumbers.moderator;

/** @throws NOT_THE_HUB_OWNER unless this is the owner, or at least a moderator. */
export const requireRole = (who: Standing, least: 'owner' | 'moderator'): void => {
  if (orderOf(who) <= orderNumbers[least]) return;
  const people = least === 'owner' ? 'the owner of the hub' : 'the owner and moderators of the hub';
  throw new MintageError('NOT_THE_HUB_OWNER', `This is for ${people}.`);
};

/** @throws NOT_THE_HUB_OWNER unless the one commands the other. */
export const requireAbove = (one: Standing, other: Standing): void => {
  if (orderOf(one) >= orderOf(other))
    throw new MintageError(
      'NOT_THE_HUB_OWNER',
      'Nobody commands the owner, and moderators do not command one another.',
    );
};

/**
 * The code of the error that posting in a hub is answered with; null: none.
 *
 * @param hub - Undefined: nobody has changed anything of it.
 * @param holding - Base units of the token that the user holds in all wallets on all chains.
 */
export const whyNotInHub = (
  hub: Pick<Selectable<HubTable>, 'post_rule' | 'min_holding'> | undefined,
  who: Standing,
  holding: bigint,
): 'HUB_BANNED' | 'HUB_MEMBERS_ONLY' | 'HUB_HOLDERS_ONLY' | null => {
  if (who.ban !== null) return 'HUB_BANNED';
  if (hub === undefined || orderOf(who) <= orderNumbers.moderator) return null;
  if (hub.post_rule === 'members' && who.role === null) return 'HUB_MEMBERS_ONLY';
  if (hub.post_rule === 'holders' && holding < (hub.min_holding ?? 1n)) return 'HUB_HOLDERS_ONLY';
  return null;
};

/**
 * The row of a hub, which is made when there is none. Others who change the hub or its members wait until the transaction ends.
 * Users are locked before it, its members and posts after it.
 */
export const lockHub = async (tx: Tx, { token_id }: HubToken, nowMs: number): Promise<Selectable<HubTable>> => {
  await tx
    .insertInto('hub')
    .values({ token_id, created_at: new Date(nowMs) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx.selectFrom('hub').selectAll().where('token_id', '=', token_id).forUpdate().executeTakeFirstOrThrow();
};

/** Takes a user out of a locked hub, with the role and the invites that they made. */
export const endMembership = async (tx: Tx, { token_id }: HubToken, userId: string): Promise<void> => {
  const ended = await tx
    .deleteFrom('hub_member')
    .where('token_id', '=', token_id)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  if (ended === undefined) return;
  await countMembers(tx, token_id, -1);
  await endInvites(tx, token_id, userId);
};

/** Of a locked hub. */
export const countMembers = async (tx: Tx, tokenId: string, more: 1 | -1): Promise<void> => {
  await tx
    .updateTable('hub')
    .set((hub) => ({ members_count: hub('members_count', '+', more) }))
    .where('token_id', '=', tokenId)
    .execute();
};

/** Those that a user made for a hub. */
export const endInvites = async (tx: Tx, tokenId: string, userId: string): Promise<void> => {
  await tx.deleteFrom('hub_invite').where('token_id', '=', tokenId).where('made_by', '=', userId).execute();
};

/** Writes down what somebody did to a user of a hub. */
export const recordInHub = async (
  tx: Tx,
  done: { action: 'hub_role' | 'hub_ban' | 'hub_unban'; by: string; to: string; reason: string; atMs: number },
): Promise<void> => {
  const { action, by, to, reason, atMs } = done;
  await tx
    .insertInto('moderation')
    .values({ at: new Date(atMs), user_id: by, action, target: to, reason })
    .execute();
};
