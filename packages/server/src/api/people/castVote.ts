import { type Address, type Eid, tokenDecimalsAt, valueUsd18Down } from '@mintage/protocol';
import { sql } from 'kysely';
import { type Happening, happened } from '../../db/happenings.ts';
import { prepared } from '../../db/prepared.ts';
import type { Tx, VoteTable } from '../../db/serviceTables.ts';
import { shareChains, shareKnownChains } from '../../db/votingLocks.ts';
import { lockUser } from '../accounts/users.ts';
import { isHidingWallets } from './hidesWallets.ts';
import { weighedAt, weight18 } from './voteCounts.ts';

export interface Target {
  type: 'token' | 'post';
  id: string;
  /** Of a post, but not of a launch: who wrote it. */
  authorId?: string | null;
}

export interface Cast {
  userId: string;
  target: Target;
  /** Null takes the vote back. */
  isUp: boolean | null;
  /** Whose holdings weigh it; null: nothing does. */
  tokenId: string | null;
  at: Date;
}

interface Weighed {
  /** What the vote weighs now: whole voting tokens with 18 fraction digits. */
  weight18: bigint;
  /** The voting token; null: nothing weighs the vote. */
  tokenId: string | null;
}

/**
 * Puts a vote in the place of the user's earlier one. Null when the target has no row in `tally`, which is a post that was
 * deleted.
 *
 * The order of locks is the index's too: user, chains (`db/votingLocks.ts`), target.
 */
export const castVote = async (tx: Tx, cast: Cast): Promise<Weighed | null> => {
  const { userId, target, isUp, tokenId } = cast;
  await lockUser(tx, userId);
  const holding = isUp === null || tokenId === null ? null : await lockHolding(tx, userId, tokenId);
  if (!(await lockTally(tx, target))) return null;
  const before = await dropVote(tx, userId, target);
  const vote = isUp === null ? undefined : voteOf({ ...cast, isUp }, holding);
  const now = vote && { ...vote, eid: holding?.eid ?? null };
  if (before !== undefined || vote !== undefined)
    await Promise.all([
      vote && writeVote(tx, vote, holding),
      count(tx, target, before, now),
      happened(tx, [tallyOf(target), ...noticeOf(cast, before === undefined)], cast.at),
    ]);
  return { weight18: now === undefined ? 0n : weight18(now), tokenId: vote?.token_id ?? null };
};

/** False when there is none. */
const lockTally = async (tx: Tx, { type, id }: Target): Promise<boolean> => {
  const rows = await prepared(
    tx,
    sql`select from tally where target_type = ${type} and target_id = ${id} for no key update`,
  );
  return rows.length > 0;
};

const tallyOf = ({ type, id }: Target): Happening => ({ kind: 'votes', target_type: type, target_ids: [id] });

const hourMs = 3_600_000;

/** For the author, once an hour. */
const noticeOf = ({ userId, target, isUp, at }: Cast, isNew: boolean): Happening[] => {
  const { id, authorId = null } = target;
  if (authorId === null || authorId === userId || isUp === null || !isNew) return [];
  const key = `vote:${id}:${Math.floor(at.getTime() / hourMs)}`;
  return [{ kind: 'notification', user_id: authorId, type: 'vote', key, post_id: id }];
};

/** `eid`: as `weighedAt` has it. */
type Counted = Pick<VoteTable, 'is_up' | 'weight' | 'price_usd18'> & { eid: Eid | null };

const dropVote = async (tx: Tx, userId: string, { type, id }: Target): Promise<Counted | undefined> => {
  const [dropped] = await prepared(
    tx,
    sql<Counted>`delete from vote where target_type = ${type} and target_id = ${id} and user_id = ${userId}
      returning is_up, weight, price_usd18, ${weighedAt} as eid`,
  );
  return dropped;
};

const voteOf = ({ userId, target, isUp, tokenId, at }: Cast & { isUp: boolean }, holding: Holding | null) => ({
  target_type: target.type,
  target_id: target.id,
  user_id: userId,
  is_up: isUp,
  token_id: holding === null ? null : tokenId,
  voter_id: holding?.voterId ?? null,
  base: holding?.amount ?? 0n,
  weight: holding?.amount ?? 0n,
  price_usd18: holding?.price ?? 0n,
  created_at: at,
});

const writeVote = async (tx: Tx, vote: ReturnType<typeof voteOf>, holding: Holding | null): Promise<void> => {
  const places = holding?.places ?? [];
  await prepared(
    tx,
    tx
      .with('written', (db) => db.insertInto('vote').values(vote).returning('vote_id'))
      .insertInto('vote_place')
      .columns(['vote_id', 'eid', 'start_block', 'base'])
      .expression(
        sql`select vote_id, place.* from written, unnest(${places.map(({ eid }) => eid)}::int8[],
          ${places.map(({ start_block }) => start_block)}::int8[], ${places.map(({ base }) => base)}::numeric[]) place`,
      ),
  );
};

const nothing = { upvotes: 0, downvotes: 0, up_weight: 0n, down_weight: 0n, score_usd18: 0n };

/** What a vote adds to the row of its target. */
const partOf = (vote: Counted | undefined) => {
  if (vote === undefined) return nothing;
  const { is_up, weight, price_usd18, eid } = vote;
  const value = eid === null ? 0n : valueUsd18Down(weight, price_usd18, tokenDecimalsAt(eid));
  return is_up
    ? { ...nothing, upvotes: 1, up_weight: weight18(vote), score_usd18: value }
    : { ...nothing, downvotes: 1, down_weight: weight18(vote), score_usd18: -value };
};

/** Counts a vote in the place of another. */
const count = async (tx: Tx, { type, id }: Target, before?: Counted, now?: Counted): Promise<void> => {
  const [less, more] = [partOf(before), partOf(now)];
  const counted = sql`update tally set upvotes = upvotes + ${more.upvotes - less.upvotes}::int,
      downvotes = downvotes + ${more.downvotes - less.downvotes}::int,
      up_weight = up_weight + ${more.up_weight - less.up_weight}::numeric,
      down_weight = down_weight + ${more.down_weight - less.down_weight}::numeric,
      score_usd18 = score_usd18 + ${more.score_usd18 - less.score_usd18}::numeric
    where target_type = ${type} and target_id = ${id}`;
  await prepared(tx, counted);
};

interface Holding {
  voterId: number;
  /** Home of the token. */
  eid: Eid;
  /** On all chains, with what is on its way between the user's wallets; base units. */
  amount: bigint;
  /** Of one whole token. */
  price: bigint;
  places: { eid: Eid; start_block: number; base: bigint }[];
}

/**
 * What the user holds of a token on each chain on which one of the wallets ever had some. No page of these chains is written, nor does
 * the token become known on one more, until the transaction ends. Null: the user has no wallet or hides them, or no chain has the token.
 */
const lockHolding = async (tx: Tx, userId: string, tokenId: string): Promise<Holding | null> => {
  const asked = sql<{ wallets: Address[] | null; price: bigint | null; eid: Eid | null; voter_id: number | null }>`
    select case when not ${isHidingWallets(userId)} then own.wallets end as wallets, token.price_usd18 as price, token.eid,
      (select voter_id from voter where user_id = ${userId} and voter.wallets = own.wallets) as voter_id
    from (select array_agg(address order by address) as wallets from user_wallet where user_id = ${userId}) own
    left join token on token.token_id = ${tokenId}`;
  const [[{ wallets, price, eid, voter_id: known } = { wallets: null, price: null, eid: null, voter_id: null }]] =
    await Promise.all([prepared(tx, asked), shareKnownChains(tx)]);
  if (wallets === null || price === null || eid === null) return null;
  await shareChains(tx, knownAs(tokenId));
  const places = await placesOf(tx, tokenId, wallets);
  const amount = places.reduce((sum, place) => sum + place.amount, places[0]?.crossing ?? 0n);
  return {
    voterId: known ?? (await addVoter(tx, userId, wallets)),
    eid,
    amount: amount > 0n ? amount : 0n,
    price,
    places: places.map(({ eid, start_block, base }) => ({ eid, start_block, base })),
  };
};

/** Where a token is, as `known`. */
const knownAs = (tokenId: string) => sql`(select eid, address from token where token_id = ${tokenId}
  union all select eid, address from remote_token where token_id = ${tokenId}) known`;

interface Place {
  eid: Eid;
  start_block: number;
  /** Balances. */
  amount: bigint;
  /** What losses are measured by: balances, and what left for an own wallet, less what came from other chains. */
  base: bigint;
  /**
   * The same of every place: what has left one of them for an own wallet and has not arrived, less all that has arrived, at anybody's,
   * from a chain that is not indexed as far: it may have been passed on, and where it left it may still weigh a vote. Clocks of chains
   * differ by less than ten minutes.
   */
  crossing: bigint;
}

const placesOf = (tx: Tx, tokenId: string, wallets: readonly Address[]): Promise<Place[]> => {
  const own = sql`any(${[...wallets]}::text[])`;
  const sent = sql`bridge_sent sent on sent.eid = known.eid and sent.token = known.address
    and sent.sender = ${own} and sent.recipient = ${own}`;
  const received = sql`bridge_received received on received.eid = known.eid and received.token = known.address
    and received.recipient = ${own}`;
  const places = sql<Place>`
    select chain.eid, chain.indexed as start_block, held.amount,
      held.amount + coalesce((select sum(sent.amount) from (select known.eid, known.address) known join ${sent}), 0)
        - coalesce((select sum(received.amount) from (select known.eid, known.address) known join ${received}), 0) as base,
      (select coalesce(sum(amount), 0) from (
        select sent.amount from ${knownAs(tokenId)} join ${sent}
          where not exists (select from bridge_received arrived where arrived.src_eid = sent.eid
            and arrived.eid = sent.dst_eid and arrived.nonce = sent.nonce and arrived.guid = sent.guid)
        union all select -received.amount from ${knownAs(tokenId)} join chain source on source.eid <> known.eid
          join bridge_received received on received.eid = known.eid and received.token = known.address
            and received.src_eid = source.eid and received.time > coalesce(source.indexed_time, '-infinity') - interval '10 minutes'
          where not exists (select from bridge_sent departed where departed.guid = received.guid)) part) as crossing
    from ${knownAs(tokenId)} join chain on chain.eid = known.eid
    join lateral (select sum(amount) as amount from balance
      where balance.eid = known.eid and balance.token = known.address and balance.wallet = ${own}) held
      on held.amount is not null
    order by 1`;
  return prepared(tx, places);
};

/** Remembers that these are the wallets of the user; it is the first vote with them. */
const addVoter = async (tx: Tx, userId: string, wallets: Address[]): Promise<number> => {
  const { voter_id } = await tx
    .insertInto('voter')
    .values({ user_id: userId, wallets })
    .returning('voter_id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('voter_wallet')
    .values(wallets.map((wallet) => ({ wallet, voter_id })))
    .execute();
  return voter_id;
};
