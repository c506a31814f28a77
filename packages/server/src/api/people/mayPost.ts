import { type Eid, formatUnits, MintageError, tokenDecimalsAt } from '@mintage/protocol';
import type { Db } from '../../db/serviceTables.ts';
import { hubBanned } from './bans.ts';
import { holdingsOf } from './holdings.ts';
import { type HubToken, standingOf, whyNotInHub } from './hubs.ts';

/**
 * Who may post in the hub of a token, comments too. Where there is no hub yet, everybody may.
 *
 * @throws HUB_BANNED, HUB_MEMBERS_ONLY, HUB_HOLDERS_ONLY
 */
export const requireMayPost = async (
  db: Db,
  { now }: { now(): number },
  token: HubToken & { eid: Eid },
  userId: string,
): Promise<void> => {
  const { token_id: tokenId } = token;
  const who = await standingOf(db, token, userId, now());
  if (who.ban !== null) throw hubBanned(who.ban);
  const hub = await db
    .selectFrom('hub')
    .select(['post_rule', 'min_holding'])
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  const holding = hub?.post_rule === 'holders' ? await heldBy(db, tokenId, userId) : 0n;
  const why = whyNotInHub(hub, who, holding);
  if (why === null) return;
  if (why !== 'HUB_HOLDERS_ONLY') throw new MintageError(why, 'Only members post in this hub.');
  throw new MintageError(why, 'Only holders of the token post in this hub.', {
    details: {
      min_holding: formatUnits(hub?.min_holding ?? 0n, tokenDecimalsAt(token.eid)),
      holding: formatUnits(holding, tokenDecimalsAt(token.eid)),
    },
  });
};

/** What all wallets of a user hold of a token on all its chains, base units. */
export const heldBy = async (db: Db, tokenId: string, userId: string): Promise<bigint> =>
  (await holdingsOf(db, [tokenId], [userId]))(tokenId, userId);
