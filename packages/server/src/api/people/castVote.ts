import type { Address, Eid } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Tx } from '../../db/serviceTables.ts';
import { lockUser } from '../accounts/users.ts';

export interface Target {
  type: 'token' | 'post';
  id: string;
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

/** What a vote weighs now, base units of the voting token; null: nothing weighs it. */
interface Weighed {
  weight: bigint;
  tokenId: string | null;
}

/**
 * Puts a vote in the place of the user's earlier one. The target has a row in `tally`: false when it has none, which is a post that is
 * gone.
 *
 * The order of locks is the index's too (`index/aggregates/votes.ts`): user, chains, target.
 */
export const castVote = async (tx: Tx, { userId, target, isUp, tokenId, at }: Cast): Promise<Weighed | null> => {
  await lockUser(tx, userId);
  const holding = isUp === null || tokenId === null ? null : await lockHolding(tx, userId, tokenId);
  const tally = await tx
    .selectFrom('tally')
    .select('target_id')
    .where('target_type', '=', target.type)
    .where('target_id', '=', target.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (tally === undefined) return null;
  await dropVote(tx, userId, target);
  if (isUp === null) return { weight: 0n, tokenId: null };
  const base = holding?.amount ?? 0n;
  const vote = {
    target_type: target.type,
    target_id: target.id,
    user_id: userId,
    is_up: isUp,
    token_id: holding === null ? null : tokenId,
    voter_id: holding?.voterId ?? null,
    base,
    weight: base,
    price_usd18: holding?.price ?? 0n,
    created_at: at,
  };
  const { vote_id } = await tx.insertInto('vote').values(vote).returning('vote_id').executeTakeFirstOrThrow();
  const places = (holding?.places ?? []).map((place) => ({ vote_id, ...place }));
  if (places.length > 0) await tx.insertInto('vote_place').values(places).execute();
  await count(tx, target, 1, vote);
  return { weight: base, tokenId: vote.token_id };
};

/** Takes back what a user voted on a target, whose row in `tally` is locked. */
const dropVote = async (tx: Tx, userId: string, target: Target): Promise<void> => {
  const gone = await tx
    .deleteFrom('vote')
    .where('target_type', '=', target.type)
    .where('target_id', '=', target.id)
    .where('user_id', '=', userId)
    .returning(['is_up', 'weight', 'price_usd18'])
    .executeTakeFirst();
  if (gone !== undefined) await count(tx, target, -1, gone);
};

interface Counted {
  is_up: boolean;
  weight: bigint;
  price_usd18: bigint;
}

/** @param times - 1 counts the vote, -1 takes it out. */
const count = async (tx: Tx, target: Target, times: 1 | -1, vote: Counted): Promise<void> => {
  const [one, weight] = [times, BigInt(times) * vote.weight];
  const value = (BigInt(times) * (vote.weight * vote.price_usd18)) / 10n ** 18n;
  const more = vote.is_up
    ? { upvotes: sql<number>`upvotes + ${one}`, up_weight: sql<bigint>`up_weight + ${weight}` }
    : { downvotes: sql<number>`downvotes + ${one}`, down_weight: sql<bigint>`down_weight + ${weight}` };
  await tx
    .updateTable('tally')
    .set({ ...more, score_usd18: sql<bigint>`score_usd18 + ${vote.is_up ? value : -value}` })
    .where('target_type', '=', target.type)
    .where('target_id', '=', target.id)
    .execute();
};

interface Holding {
  voterId: number;
  /** On all chains, with what is on its way between the user's wallets; base units. */
  amount: bigint;
  /** Of one whole token. */
  price: bigint;
  places: { eid: Eid; start_block: number; base: bigint }[];
}

/**
 * What the user holds of a token on each chain on which one of the wallets ever had some. No page of these chains is written until the
 * transaction ends. Null: the user has no wallet, or no chain has the token.
 */
const lockHolding = async (tx: Tx, userId: string, tokenId: string): Promise<Holding | null> => {
  // A page that makes the token known on one more chain waits, and so has us know of it.
  await sql`lock table vote_place in row exclusive mode`.execute(tx);
  await sql`select from chain where eid in (select eid from (${knownAs(tokenId)}) known) order by eid for share`.execute(
    tx,
  );
  const wallets = await tx
    .selectFrom('user_wallet')
    .select('address')
    .where('user_id', '=', userId)
    .orderBy('address')
    .execute();
  const token = await tx.selectFrom('token').select('price_usd18').where('token_id', '=', tokenId).executeTakeFirst();
  if (wallets.length === 0 || token === undefined) return null;
  const own = wallets.map(({ address }) => address);
  const { rows: places } = await sql<{ eid: Eid; start_block: number; base: bigint; amount: bigint }>`
    with known as (${knownAs(tokenId)})
    select chain.eid, chain.indexed as start_block, held.amount,
      held.amount + coalesce((select sum(amount) from bridge_sent sent
          where sent.eid = known.eid and sent.token = known.address
            and sent.sender = any(${own}::text[]) and sent.recipient = any(${own}::text[])), 0)
        - coalesce((select sum(amount) from bridge_received received
          where received.eid = known.eid and received.token = known.address
            and received.recipient = any(${own}::text[])), 0) as base
    from known join chain on chain.eid = known.eid
    join lateral (select sum(amount) as amount from balance
      where balance.eid = known.eid and balance.token = known.address and balance.wallet = any(${own}::text[])) held
      on held.amount is not null
    order by 1`.execute(tx);
  // What has left and not arrived counts once; so does what has arrived on a chain that is indexed further than the one it left.
  const { rows: crossing } = await sql<{ amount: bigint }>`
    with known as (${knownAs(tokenId)})
    select coalesce(sum(amount), 0) as amount from (
      select sent.amount from known
        join bridge_sent sent on sent.eid = known.eid and sent.token = known.address
          and sent.sender = any(${own}::text[]) and sent.recipient = any(${own}::text[])
        where not exists (select from bridge_received received where received.src_eid = sent.eid
          and received.eid = sent.dst_eid and received.nonce = sent.nonce and received.guid = sent.guid)
      union all select -received.amount from known
        join bridge_received received on received.eid = known.eid and received.token = known.address
          and received.recipient = any(${own}::text[])
        where received.src_eid in (select eid from chain)
          and not exists (select from bridge_sent sent where sent.guid = received.guid)) part`.execute(tx);
  const amount = sum([...places, ...crossing].map((part) => part.amount));
  return {
    voterId: await voterOf(tx, userId, own),
    amount: amount > 0n ? amount : 0n,
    price: token.price_usd18,
    places: places.map(({ eid, start_block, base }) => ({ eid, start_block, base })),
  };
};

const knownAs = (tokenId: string) => sql`select eid, address from token where token_id = ${tokenId}
  union all select eid, address from remote_token where token_id = ${tokenId}`;

/** The user with these wallets; remembered when it is the first vote with them. */
const voterOf = async (tx: Tx, userId: string, wallets: Address[]): Promise<number> => {
  const known = await tx
    .selectFrom('voter')
    .select('voter_id')
    .where('user_id', '=', userId)
    .where(sql<boolean>`wallets = ${wallets}::text[]`)
    .executeTakeFirst();
  if (known !== undefined) return known.voter_id;
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

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
