import { type Decimals, distributionTypes } from '@mintage/protocol';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../db/chainTables.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Moment } from '../events/origin.ts';

/**
 * Earnings of wallets on all chains of a network. Each chain adds and subtracts its own part, because a sum that
 * several chains write has no earlier image to restore. Each transaction locks the rows with one statement in the order
 * of their key, so that two chains never deadlock.
 */

type EarningChain = Pick<ChainContext, 'eid' | 'usd' | 'networks'> & { decimals: Pick<Decimals, 'usd'> };

const weekMs = 7 * 24 * 3600 * 1000;
const weekBefore = (time: Date): Date => new Date(time.getTime() - weekMs);

/** The treasury's credits do not count, nor do those of other currencies than the dollar. */
const credits = (chain: EarningChain) =>
  sql`from fee_credit where eid = ${chain.eid} and currency = ${chain.usd}
    and distribution_type <> ${sql.lit(distributionTypes.treasury)}`;

/**
 * Adds the credits since `from` (null: all) and moves the window of the last seven days forward.
 *
 * @param from - The block up to which the chain's part of the table is computed.
 */
export const moveEarners = (
  tx: Transaction<Database>,
  chain: EarningChain,
  from: Moment | null,
  to: Moment,
): Promise<void> => {
  const came = sql`
    select recipient, amount as earned, case when time > ${weekBefore(to.time)} then amount else 0 end as week
    ${credits(chain)} ${from === null ? sql`` : sql`and time >= ${from.time} and block_number > ${from.block}`}`;
  if (from === null) return addEarnings(tx, chain, came);
  const fellOut = sql`
    select recipient, 0, -amount ${credits(chain)} and block_number <= ${from.block}
      and time > ${weekBefore(from.time)} and time <= ${weekBefore(to.time)}`;
  return addEarnings(tx, chain, sql`${came} union all ${fellOut}`);
};

/**
 * Subtracts the credits after a block and moves the window of the last seven days back to it (null: before the first
 * credit). Call it while the credit rows still exist.
 */
export const takeBackEarners = async (
  tx: Transaction<Database>,
  chain: EarningChain,
  from: Moment,
  to: Moment | null,
): Promise<void> => {
  const undone = sql`
    select recipient, -amount as earned, case when time > ${weekBefore(from.time)} then -amount else 0 end as week
    ${credits(chain)} and block_number <= ${from.block}
    ${to === null ? sql`` : sql`and time >= ${to.time} and block_number > ${to.block}`}`;
  const fellBack =
    to === null
      ? sql`union all select recipient, -earned, 0 from fee_before
          where eid = ${chain.eid} and distribution_type <> ${sql.lit(distributionTypes.treasury)}`
      : sql`union all select recipient, 0, amount ${credits(chain)} and block_number <= ${to.block}
          and time > ${weekBefore(to.time)} and time <= ${weekBefore(from.time)}`;
  await addEarnings(tx, chain, sql`${undone} ${fellBack}`);
  await dropEmpty(tx, chain);
};

const addEarnings = async (
  tx: Transaction<Database>,
  chain: EarningChain,
  changes: RawBuilder<unknown>,
): Promise<void> => {
  // Keeps wallets from being linked while sums are written: `linkWallets` locks the table exclusively.
  await sql`lock table earner_wallet in row share mode`.execute(tx);
  const scale = (10n ** BigInt(18 - chain.decimals.usd)).toString();
  await sql`insert into earner (network, account, earned_usd18, earned_7d_usd18)
    select network, account, earned, week
    from unnest(${chain.networks}::text[]) network, (
      select coalesce(w.account, c.recipient) as account,
        sum(c.earned) * ${scale}::numeric as earned, sum(c.week) * ${scale}::numeric as week
      from (${changes}) as c left join earner_wallet w on w.wallet = c.recipient
      group by 1) as change
    order by network, account
    on conflict (network, account) do update set earned_usd18 = earner.earned_usd18 + excluded.earned_usd18,
      earned_7d_usd18 = earner.earned_7d_usd18 + excluded.earned_7d_usd18`.execute(tx);
};

/** Deletes rows without earnings, which a rebuild would not contain. */
const dropEmpty = async (tx: Transaction<Database>, chain: EarningChain): Promise<void> => {
  await sql`delete from earner where network = any(${chain.networks}) and earned_usd18 = 0`.execute(tx);
};
