import type { Address } from '@mintage/protocol';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../db/chainTables.ts';
import type { ChainContext } from '../chainContext.ts';

/**
 * What votes weigh: a vote keeps what its voter held of the voting token when it was cast, less what was lost since. On each chain
 * the loss is that to the lowest end of a block since then, where tokens on their way to the voter's own wallets still count, and those that
 * came from another chain do not count again. Rows of `vote_loss` say it block by block, so an undo deletes them.
 *
 * Votes are cast while the rows of the token's chains are locked, so that no page comes between what a vote has read and its row; and
 * whoever changes a vote, or what it weighs, locks the target's row in `tally` first, several in the order of their key.
 */

type VotingChain = Pick<ChainContext, 'eid'>;

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

/** What a voter holds of a token that weighs votes. `token`: its address on this chain; null where it has none now. */
interface Holding {
  voter_id: number;
  token_id: string;
  token: Address | null;
}

/** A vote of before a reorg, or before the index was read anew: cast at a block that these tables did not have. */
interface Early extends Holding {
  vote_id: number;
  start_block: number;
}

/** The least that a voter held from a block on. `vote_id`: for this vote only; null: for all that were cast before. */
interface Step {
  voter_id: number;
  token_id: string;
  block: number;
  low: bigint;
  vote_id: number | null;
}

/** @param isNearHead - Votes of later blocks then weigh what is held now, until these blocks come. */
export const loseWeight = async (
  tx: Transaction<Database>,
  chain: VotingChain,
  blocks: NewBlocks,
  isNearHead: boolean,
): Promise<void> => {
  const sold = await holdingsOf(tx, chain, blocks.senders);
  const early = await earlyVotes(tx, chain, blocks, isNearHead);
  if (sold.length === 0 && early.length === 0) return;
  const levelsOf = await readLevels(tx, chain, blocks, [...sold, ...early]);
  const steps = [
    ...sold.flatMap((holding) => {
      const { before, ends } = levelsOf(holding);
      return stepsOf(holding, null, before, ends, blocks.finalized);
    }),
    ...early.flatMap((vote) => {
      const { before, ends } = levelsOf(vote);
      const { start_block: start, vote_id: id } = vote;
      if (start > blocks.to) return [stepOf(vote, id, start, ends.at(-1)?.level ?? before)];
      const level = ends.findLast(({ block }) => block <= start)?.level ?? before;
      const since = ends.filter(({ block }) => block > start);
      return [stepOf(vote, id, start, level), ...stepsOf(vote, id, level, since, blocks.finalized)];
    }),
  ];
  const ids = early.map(({ vote_id: id }) => id);
  await lockTallies(tx, votesOf(sold, ids));
  if (ids.length > 0)
    await sql`delete from vote_loss where eid = ${chain.eid} and vote_id = any(${ids}::int8[])`.execute(tx);
  await addLosses(tx, chain, blocks.from, steps);
  await reweigh(tx, votesOf(sold, ids));
};

/** Takes back the losses after a block; call it when the rows of the blocks are undone. Null: all of the chain. */
export const takeBackLosses = async (
  tx: Transaction<Database>,
  chain: VotingChain,
  to: number | null,
): Promise<void> => {
  const { rows } = await sql<{ vote_id: number }>`select distinct vote_id from vote_loss
    where eid = ${chain.eid} and block_number > ${to ?? -1}`.execute(tx);
  if (rows.length > 0) {
    const ids = rows.map(({ vote_id: id }) => id);
    await lockTallies(tx, votesOf([], ids));
    await sql`delete from vote_loss where eid = ${chain.eid} and block_number > ${to ?? -1}
      and vote_id = any(${ids}::int8[])`.execute(tx);
    await reweigh(tx, votesOf([], ids));
  }
  if (to === null) return;
  await loseWeight(tx, chain, { from: to, to, since: null, finalized: to, senders: new Map() }, true);
};

/** Holdings of those who sent some and whose votes stand. */
const holdingsOf = async (
  tx: Transaction<Database>,
  { eid }: VotingChain,
  senders: NewBlocks['senders'],
): Promise<Holding[]> => {
  const pairs = [...senders].flatMap(([token, wallets]) => [...wallets].map((wallet) => ({ token, wallet })));
  if (pairs.length === 0) return [];
  const { rows } = await sql<Holding>`
    select distinct voter_wallet.voter_id, known.token_id, sent.token
    from unnest(${pairs.map(({ token }) => token)}::text[], ${pairs.map(({ wallet }) => wallet)}::text[]) sent (token, wallet)
    join voter_wallet on voter_wallet.wallet = sent.wallet
    join ${knownTokens} on known.eid = ${eid} and known.address = sent.token
    where exists (select from vote
      where vote.voter_id = voter_wallet.voter_id and vote.token_id = known.token_id)
    order by 1, 2`.execute(tx);
  return rows;
};

const earlyVotes = async (
  tx: Transaction<Database>,
  { eid }: VotingChain,
  { from, to }: NewBlocks,
  isNearHead: boolean,
): Promise<Early[]> => {
  const { rows } = await sql<Early>`
    select vote.vote_id, vote.voter_id, vote.token_id, vote_place.start_block, known.address as token
    from vote_place join vote on vote.vote_id = vote_place.vote_id
    left join ${knownTokens} on known.eid = ${eid} and known.token_id = vote.token_id
    where vote_place.eid = ${eid} and vote_place.start_block > ${from}
      ${isNearHead ? sql`` : sql`and vote_place.start_block <= ${to}`}
    order by 1`.execute(tx);
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
  holdings: readonly Holding[],
): Promise<(holding: Holding) => Levels> => {
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

type Held = Pick<Holding, 'voter_id' | 'token'>;

const keyOf = ({ voter_id: id, token }: Held): string => `${id} ${token}`;

/** The wallets of these voters, as `own`. */
const ownOf = (asked: readonly Held[]) => sql`(
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
  asked: readonly Held[],
): Promise<(Held & { level: bigint })[]> => {
  const own = ownOf(asked);
  const { rows } = await sql<Held & { level: bigint }>`
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
  asked: readonly Held[],
  from: number,
  since: Date,
): Promise<(Held & { block: number; change: bigint })[]> => {
  const own = ownOf(asked);
  const moved = (
    table: 'transfer' | 'bridge_sent' | 'bridge_received',
    side: 'sender' | 'recipient',
    sign: 1 | -1,
  ) => sql`
    select own.voter_id, own.token, moved.block_number, ${sql.lit(sign)} * moved.amount as amount
    from ${own} join ${sql.table(table)} moved on moved.eid = ${eid} and moved.token = own.token
      and moved.${sql.ref(side)} = own.wallet and moved.time >= ${since} and moved.block_number > ${from}`;
  const { rows } = await sql<Held & { block: number; change: bigint }>`
    select voter_id, token, block_number as block, sum(amount) as change from (
      ${moved('transfer', 'sender', -1)}
      union all ${moved('transfer', 'recipient', 1)}
      union all ${moved('bridge_sent', 'sender', 1)} where ${isToOneself}
      union all ${moved('bridge_received', 'recipient', -1)}) part
    group by 1, 2, 3 order by block desc`.execute(tx);
  return rows;
};

/** Each new low; of blocks that are never undone only the last. */
const stepsOf = (
  holding: Holding,
  voteId: number | null,
  before: bigint,
  ends: Levels['ends'],
  finalized: number,
): Step[] => {
  const steps: Step[] = [];
  let low = before;
  for (const { block, level } of ends) {
    if (level >= low) continue;
    low = level;
    if (block <= finalized) steps.pop();
    steps.push(stepOf(holding, voteId, block, low));
  }
  return steps;
};

const stepOf = ({ voter_id, token_id }: Holding, vote_id: number | null, block: number, low: bigint): Step => ({
  voter_id,
  token_id,
  block,
  low,
  vote_id,
});

const addLosses = async (
  tx: Transaction<Database>,
  { eid }: VotingChain,
  from: number,
  steps: readonly Step[],
): Promise<void> => {
  if (steps.length === 0) return;
  await sql`insert into vote_loss (eid, vote_id, block_number, lost)
    select ${eid}, vote.vote_id, step.block, coalesce(place.base, 0) - step.low
    from unnest(
      ${steps.map((step) => step.voter_id)}::int8[], ${steps.map((step) => step.token_id)}::uuid[],
      ${steps.map((step) => step.block)}::int8[], ${steps.map((step) => step.low)}::numeric[],
      ${steps.map((step) => step.vote_id)}::int8[]) step (voter_id, token_id, block, low, vote_id)
    join vote on vote.voter_id = step.voter_id and vote.token_id = step.token_id
      and vote.vote_id = coalesce(step.vote_id, vote.vote_id)
    left join vote_place place on place.vote_id = vote.vote_id and place.eid = ${eid}
    where (step.vote_id is not null or coalesce(place.start_block, 0) <= ${from})
      and coalesce(place.base, 0) - step.low > coalesce(
        (select max(lost) from vote_loss earlier where earlier.vote_id = vote.vote_id and earlier.eid = ${eid}), 0)`.execute(
    tx,
  );
};

/** The ids of all votes that these holdings weigh, and these. */
const votesOf = (holdings: readonly Holding[], ids: readonly number[]) => sql`
  select vote_id from unnest(${holdings.map(({ voter_id: id }) => id)}::int8[],
    ${holdings.map(({ token_id: id }) => id)}::uuid[]) held (voter_id, token_id) join vote using (voter_id, token_id)
  union select unnest(${[...ids]}::int8[])`;

const lockTallies = async (tx: Transaction<Database>, votes: ReturnType<typeof votesOf>): Promise<void> => {
  await sql`select from tally where (target_type, target_id) in (
      select target_type, target_id from vote where vote_id in (${votes}))
    order by target_type, target_id for no key update`.execute(tx);
};

/** Has these votes weigh what is left of them, and the sums of their targets follow. */
const reweigh = async (tx: Transaction<Database>, votes: ReturnType<typeof votesOf>): Promise<void> => {
  await sql`with changed as (
      select vote.vote_id, target_type, target_id, is_up, price_usd18, weight as before,
        greatest(0, base - coalesce((select sum(lost) from (
          select max(lost) as lost from vote_loss where vote_loss.vote_id = vote.vote_id group by eid) of_chain), 0)) as now
      from vote where vote_id in (${votes})),
    written as (
      update vote set weight = changed.now from changed where vote.vote_id = changed.vote_id and before <> now),
    summed as (
      select target_type, target_id, coalesce(sum(now - before) filter (where is_up), 0) as up,
        coalesce(sum(now - before) filter (where not is_up), 0) as down,
        sum(case when is_up then 1 else -1 end
          * (div(now * price_usd18, 10::numeric ^ 18) - div(before * price_usd18, 10::numeric ^ 18))) as score
      from changed where before <> now group by 1, 2)
    update tally set up_weight = tally.up_weight + up, down_weight = tally.down_weight + down,
      score_usd18 = tally.score_usd18 + score
    from summed where tally.target_type = summed.target_type and tally.target_id = summed.target_id`.execute(tx);
};
