import { type Address, type Decimals, units18 } from '@mintage/protocol';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../db/chainTables.ts';
import { votesHappened } from '../../db/happenings.ts';
import type { ChainContext } from '../chainContext.ts';

/**
 * What votes weigh: a vote keeps what its voter held of the voting token when it was cast, less what was lost since. On each chain
 * the loss is that to the lowest end of a block since then, where tokens on their way to the voter's own wallets still count, and those that
 * came from another chain do not count again. Rows of `vote_low` say it block by block, so an undo deletes them.
 *
 * Votes are cast under locks of the token's chains (`db/votingLocks.ts`), so that no page comes between what a vote has read and its row; and
 * whoever changes a vote, or what it weighs, locks the target's row in `tally` first, several in the order of their key.
 */

/** The tokens that weigh votes have as many decimals on every chain that they are on. */
type VotingChain = Pick<ChainContext, 'eid'> & { decimals: Pick<Decimals, 'token'> };

/** Blocks whose rows are in the tables now. */
export interface NewBlocks {
  /** Newest block before them, and newest of them; the same when there are none. */
  from: number;
  to: number;
  /** Time of the first event in them; null: there is none. */
  since: Date | null;
  /** Blocks up to here are never undone. */
  finalized: number;
  /** Who sent something, by token. */
  senders: ReadonlyMap<Address, ReadonlySet<Address>>;
}

/** What a voter holds of a token that weighs votes. */
interface Holding {
  voter_id: number;
  token_id: string;
}

/** `token`: its address on this chain; null where it has none now. */
interface Held extends Holding {
  token: Address | null;
}

/** A vote of before a reorg, or before the index was read anew: cast at a block that these tables did not have. */
interface Early extends Held {
  start_block: number;
  base: bigint;
}

/** A block at whose end less was held than before. */
interface Low extends Holding {
  block: number;
  level: bigint;
}

/**
 * @param isNearHead - Votes of later blocks then weigh no more than what is held now, until these blocks come; else what they weighed.
 */
export const loseWeight = async (
  tx: Transaction<Database>,
  chain: VotingChain,
  blocks: NewBlocks,
  isNearHead: boolean,
): Promise<void> => {
  const gone = await dropLows(tx, chain, blocks.from, isNearHead ? null : blocks.to);
  const sold = await holdingsOf(tx, chain, blocks.senders);
  const early = await earlyVotes(tx, chain, blocks, isNearHead);
  if (gone.length === 0 && sold.length === 0 && early.length === 0) return;
  const levelsOf = await readLevels(tx, chain, blocks, [...sold, ...early]);
  const lows = [
    ...sold.flatMap((holding) => fallsOf(holding, levelsOf(holding))),
    ...early.flatMap((vote) => {
      const { before, ends } = levelsOf(vote);
      // What is held now stands for a block that is still to come.
      const level = ends.findLast(({ block }) => block <= vote.start_block)?.level ?? before;
      return level < vote.base ? [lowOf(vote, vote.start_block, level)] : [];
    }),
  ];
  await addLows(tx, chain, blocks.finalized, lows);
  await reweigh(tx, chain, [...sold, ...early, ...gone]);
};

/**
 * Takes back what was lost after a block; call it when the rows of the blocks are undone.
 *
 * @param finalized - As in `NewBlocks`: below `to`, because the next reorg may go deeper.
 */
export const takeBackLosses = (
  tx: Transaction<Database>,
  chain: VotingChain,
  to: number,
  finalized: number,
): Promise<void> => loseWeight(tx, chain, { from: to, to, since: null, finalized, senders: new Map() }, true);

/** Takes back all that was lost on a chain. */
export const forgetLosses = async (tx: Transaction<Database>, chain: VotingChain): Promise<void> =>
  reweigh(tx, chain, await dropLows(tx, chain, -1, null));

/** Holdings of those who sent some and whose votes stand. */
const holdingsOf = async (
  tx: Transaction<Database>,
  { eid }: VotingChain,
  senders: NewBlocks['senders'],
): Promise<Held[]> => {
  const pairs = [...senders].flatMap(([token, wallets]) => [...wallets].map((wallet) => ({ token, wallet })));
  if (pairs.length === 0) return [];
  const { rows } = await sql<Held>`
    select distinct voter_wallet.voter_id, known.token_id, sent.token
    from unnest(${pairs.map(({ token }) => token)}::text[], ${pairs.map(({ wallet }) => wallet)}::text[]) sent (token, wallet)
    join voter_wallet on voter_wallet.wallet = sent.wallet
    join ${knownTokens} on known.eid = ${eid} and known.address = sent.token
    where exists (select from vote
      where vote.voter_id = voter_wallet.voter_id and vote.token_id = known.token_id)`.execute(tx);
  return rows;
};

const earlyVotes = async (
  tx: Transaction<Database>,
  { eid }: VotingChain,
  { from, to }: NewBlocks,
  isNearHead: boolean,
): Promise<Early[]> => {
  const { rows } = await sql<Early>`
    select vote.voter_id, vote.token_id, known.address as token, vote_place.start_block, vote_place.base
    from vote_place join vote on vote.vote_id = vote_place.vote_id
    left join ${knownTokens} on known.eid = ${eid} and known.token_id = vote.token_id
    where vote_place.eid = ${eid} and vote_place.start_block > ${from}
      ${isNearHead ? sql`` : sql`and vote_place.start_block <= ${to}`}`.execute(tx);
  return rows;
};

const knownTokens = sql`(select eid, address, token_id from token
  union all select eid, address, token_id from remote_token) known`;

interface Levels {
  /** What was held before these blocks. */
  before: bigint;
  /** What was held at the end of each of these blocks that changed it, in their order. */
  ends: { block: number; level: bigint }[];
}

/** What voters hold on this chain: balances, and what left for an own wallet, less what came from other chains. */
const readLevels = async (
  tx: Transaction<Database>,
  chain: VotingChain,
  { from, since }: NewBlocks,
  holdings: readonly Held[],
): Promise<(holding: Held) => Levels> => {
  const asked = holdings.filter(({ token }) => token !== null);
  const now = await levelsNow(tx, chain, asked);
  const changes = since === null ? [] : await levelChanges(tx, chain, asked, from, since);
  const byHolding = new Map<string, Levels>();
  for (const one of now) byHolding.set(keyOf(one), { before: one.level, ends: [] });
  // From the newest backwards: what was held before a change is what it left less the change.
  for (const { block, change, ...one } of changes) {
    const levels = byHolding.get(keyOf(one)) ?? { before: 0n, ends: [] };
    levels.ends.unshift({ block, level: levels.before });
    levels.before -= change;
    byHolding.set(keyOf(one), levels);
  }
  return (holding) => byHolding.get(keyOf(holding)) ?? { before: 0n, ends: [] };
};

type Asked = Pick<Held, 'voter_id' | 'token'>;

const keyOf = ({ voter_id: id, token }: Asked): string => `${id} ${token}`;

/** The wallets of these voters, as `own`. */
const ownOf = (asked: readonly Asked[]) => sql`(
  select distinct asked.voter_id, asked.token, voter_wallet.wallet
  from unnest(${asked.map(({ voter_id: id }) => id)}::int8[], ${asked.map(({ token }) => token)}::text[])
    asked (voter_id, token)
  join voter_wallet on voter_wallet.voter_id = asked.voter_id) own`;

/** Of rows of `bridge_sent`: whether they went to one of the voter's own wallets. */
const isToOneself = sql`exists (select from voter_wallet too
  where too.voter_id = own.voter_id and too.wallet = moved.recipient)`;

const levelsNow = async (
  tx: Transaction<Database>,
  { eid }: VotingChain,
  asked: readonly Asked[],
): Promise<(Asked & { level: bigint })[]> => {
  const own = ownOf(asked);
  const { rows } = await sql<Asked & { level: bigint }>`
    select voter_id, token, sum(amount) as level from (
      select own.voter_id, own.token, balance.amount from ${own}
        join balance on balance.eid = ${eid} and balance.token = own.token and balance.wallet = own.wallet
      union all select own.voter_id, own.token, moved.amount from ${own}
        join bridge_sent moved on moved.eid = ${eid} and moved.token = own.token and moved.sender = own.wallet
        where ${isToOneself}
      union all select own.voter_id, own.token, -moved.amount from ${own}
        join bridge_received moved on moved.eid = ${eid} and moved.token = own.token and moved.recipient = own.wallet
    ) part
    group by 1, 2`.execute(tx);
  return rows;
};

/** Changes by block, the newest first. */
const levelChanges = async (
  tx: Transaction<Database>,
  { eid }: VotingChain,
  asked: readonly Asked[],
  from: number,
  since: Date,
): Promise<(Asked & { block: number; change: bigint })[]> => {
  const own = ownOf(asked);
  const moved = (
    table: 'transfer' | 'bridge_sent' | 'bridge_received',
    side: 'sender' | 'recipient',
    sign: 1 | -1,
  ) => sql`
    select own.voter_id, own.token, moved.block_number, ${sql.lit(sign)} * moved.amount as amount
    from ${own} join ${sql.table(table)} moved on moved.eid = ${eid} and moved.token = own.token
      and moved.${sql.ref(side)} = own.wallet and moved.time >= ${since} and moved.block_number > ${from}`;
  const { rows } = await sql<Asked & { block: number; change: bigint }>`
    select voter_id, token, block_number as block, sum(amount) as change from (
      ${moved('transfer', 'sender', -1)}
      union all ${moved('transfer', 'recipient', 1)}
      union all ${moved('bridge_sent', 'sender', 1)} where ${isToOneself}
      union all ${moved('bridge_received', 'recipient', -1)}) part
    group by 1, 2, 3 order by block desc`.execute(tx);
  return rows;
};

const fallsOf = (holding: Holding, { before, ends }: Levels): Low[] =>
  ends.flatMap(({ block, level }, i) => (level < (ends[i - 1]?.level ?? before) ? [lowOf(holding, block, level)] : []));

const lowOf = ({ voter_id, token_id }: Holding, block: number, level: bigint): Low => ({
  voter_id,
  token_id,
  block,
  level,
});

/** Those after a block, up to another if there is one: undone, or of blocks that were still to come. */
const dropLows = async (
  tx: Transaction<Database>,
  { eid }: VotingChain,
  after: number,
  upTo: number | null,
): Promise<Holding[]> => {
  const { rows } = await sql<Holding>`delete from vote_low
    where eid = ${eid} and block_number > ${after} ${upTo === null ? sql`` : sql`and block_number <= ${upTo}`}
    returning voter_id, token_id`.execute(tx);
  return rows;
};

const addLows = async (
  tx: Transaction<Database>,
  { eid }: VotingChain,
  finalized: number,
  lows: readonly Low[],
): Promise<void> => {
  if (lows.length === 0) return;
  await sql`insert into vote_low (eid, voter_id, token_id, block_number, level)
    select ${eid}, * from unnest(${lows.map((low) => low.voter_id)}::int8[], ${lows.map((low) => low.token_id)}::uuid[],
      ${lows.map((low) => low.block)}::int8[], ${lows.map((low) => low.level)}::numeric[])
    on conflict do nothing`.execute(tx);
  await sql`delete from vote_low earlier using vote_low later
    where (later.voter_id, later.token_id) in (select * from ${unnested(lows)}) and later.eid = ${eid}
      and later.block_number <= ${finalized} and earlier.voter_id = later.voter_id and earlier.token_id = later.token_id
      and earlier.eid = ${eid} and earlier.block_number < later.block_number and earlier.level >= later.level`.execute(
    tx,
  );
};

const unnested = (holdings: readonly Holding[]) => sql`unnest(
  ${holdings.map(({ voter_id: id }) => id)}::int8[], ${holdings.map(({ token_id: id }) => id)}::uuid[])
  held (voter_id, token_id)`;

/** Has all votes that these holdings weigh say what is left of them, and the sums of their targets follow. */
const reweigh = async (
  tx: Transaction<Database>,
  { decimals }: VotingChain,
  holdings: readonly Holding[],
): Promise<void> => {
  if (holdings.length === 0) return;
  const tokenUnit = sql`${(10n ** BigInt(decimals.token)).toString()}::numeric`;
  const scale18 = sql`${units18(1n, decimals.token).toString()}::numeric`;
  const once = [...new Map(holdings.map((one) => [`${one.voter_id} ${one.token_id}`, one])).values()];
  await sql`select from tally join (
      select distinct target_type, target_id from ${unnested(once)} join vote using (voter_id, token_id)) of_votes
      using (target_type, target_id)
    order by target_type, target_id for no key update of tally`.execute(tx);
  // Of the lows from a block on only the least counts, which is the same for long ranges of blocks.
  await sql`with ranges as materialized (
      select voter_id, token_id, eid, least, max(block_number) as up_to from (
        select voter_id, token_id, eid, block_number,
          min(level) over (partition by voter_id, token_id, eid order by block_number desc) as least
        from ${unnested(once)} join vote_low using (voter_id, token_id)) low
      group by 1, 2, 3, 4),
    lost as (
      select vote.*, greatest(0, coalesce(place.base, 0)
        - min(least) filter (where up_to >= coalesce(place.start_block, 0))) as amount
      from ${unnested(once)} join vote using (voter_id, token_id) left join ranges using (voter_id, token_id)
        left join vote_place place on place.vote_id = vote.vote_id and place.eid = ranges.eid
      group by vote.vote_id, ranges.eid, place.base),
    changed as materialized (
      select vote_id, target_type, target_id, is_up, price_usd18, weight as before,
        greatest(0, base - sum(amount)) as now
      from lost group by vote_id, target_type, target_id, is_up, price_usd18, weight, base),
    written as (
      update vote set weight = changed.now from changed where vote.vote_id = changed.vote_id and before <> now),
    summed as (
      select target_type, target_id, coalesce(sum(now - before) filter (where is_up), 0) as up,
        coalesce(sum(now - before) filter (where not is_up), 0) as down,
        sum(case when is_up then 1 else -1 end
          * (div(now * price_usd18, ${tokenUnit}) - div(before * price_usd18, ${tokenUnit}))) as score
      from changed where before <> now group by 1, 2),
    counted as (
      update tally set up_weight = tally.up_weight + up * ${scale18}, down_weight = tally.down_weight + down * ${scale18},
        score_usd18 = tally.score_usd18 + score
      from summed where tally.target_type = summed.target_type and tally.target_id = summed.target_id
      returning tally.target_type, tally.target_id)
    ${votesHappened(sql`now()`)}`.execute(tx);
};
