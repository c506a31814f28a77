import { formatUnits, tokenDecimalsAt } from '@mintage/protocol';
import type { Hub } from '@mintage/protocol/operations';
import type { Caller } from '../accounts/caller.ts';
import { oneOf } from '../reads/oneOf.ts';
import { tokenCards } from '../reads/tokenCards.ts';
import { tokenFigures } from '../reads/tokenRecord.ts';
import type { Reading } from '../tokens/reading.ts';
import type { ListedToken } from '../tokens/tokenRef.ts';
import { readerOf } from './asked.ts';
import { cardsOfWallets, userCards } from './cards.ts';
import { holdingsOf } from './holdings.ts';
import { launchIds, pinnedIds } from './hubPosts.ts';
import { type HubToken, type Standing, standingsOf, whyNotInHub } from './hubs.ts';

type Showing = Reading & { now(): number };

/** The hub of a token as answers show it. */
export const showHub = async (context: Showing, token: ListedToken, caller: Caller | null): Promise<Hub> => {
  const [hub] = await showHubs(context, [token], caller);
  if (hub === undefined) throw new Error('The token went while its hub was shown.');
  return hub;
};

/** The hubs of these tokens in their order; of a token that a reorg has removed since, none. */
export const showHubs = async (
  context: Showing,
  tokens: readonly ListedToken[],
  caller: Caller | null,
): Promise<Hub[]> => {
  const { db, config } = context;
  const reader = readerOf(caller);
  const ids = tokens.map(({ token_id }) => token_id);
  const wallets = tokens.map(({ creator }) => creator);
  const [rows, cards, owners, launches, pins, own] = await Promise.all([
    db.selectFrom('hub').selectAll().where(oneOf('token_id', ids)).execute(),
    tokenCards(context, ids),
    cardsOfWallets(db, wallets),
    launchIds(db, ids),
    pinnedIds(db, ids),
    reader === null ? null : ownView(context, tokens, reader.userId),
  ]);
  const hubs = new Map(rows.map((row) => [row.token_id, row]));
  return tokens.flatMap((token): Hub[] => {
    const card = cards.get(token.token_id);
    if (card === undefined) return [];
    const hub = hubs.get(token.token_id);
    const who = own?.standings.get(token.token_id);
    const isOwn = who?.role === 'owner';
    return [
      {
        id: token.token_id,
        token: card,
        url: `${config.appUrl}/token/${token.slug}`,
        name: token.name,
        description: hub?.description ?? token.description ?? '',
        rules: hub?.rules ?? null,
        banner_url: hub?.banner_url ?? token.banner,
        invite_only: hub?.invite_only ?? false,
        post_rule: hub?.post_rule ?? 'anyone',
        min_holding: hub?.min_holding ? formatUnits(hub.min_holding, tokenDecimalsAt(token.eid)) : null,
        members_count: hub?.members_count ?? 0,
        holders_count: tokenFigures(token).holders_count,
        posts_count: hub?.posts_count ?? 0,
        launch_post_id: launches.get(token.token_id) ?? null,
        pinned_post_id: pins.get(token.token_id) ?? null,
        owner: (isOwn ? own?.card : owners.get(token.creator)) ?? null,
        ...(own && who && { my: myPart(who, whyNotInHub(hub, who, own.holding(token.token_id))) }),
      },
    ];
  });
};

const myPart = ({ role, ban }: Standing, whyNot: ReturnType<typeof whyNotInHub>): NonNullable<Hub['my']> => ({
  is_member: role !== null,
  role,
  banned_until: ban?.until?.toISOString() ?? null,
  may_post: whyNot === null,
  may_not_because: whyNot,
});

/** What hubs are to one user, who is shown as their owner even with wallets that others do not see. */
const ownView = async ({ db, now }: Showing, tokens: readonly HubToken[], userId: string) => {
  const ids = tokens.map(({ token_id }) => token_id);
  const [standings, holdings, cards] = await Promise.all([
    standingsOf(db, tokens, userId, now()),
    holdingsOf(db, ids, [userId]),
    userCards(db, [userId]),
  ]);
  return { standings, card: cards.get(userId), holding: (tokenId: string) => holdings(tokenId, userId) };
};
