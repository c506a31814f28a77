import { sql } from 'kysely';
import type { Tx } from '../context.ts';
import type { ChainAccess, EvmLane } from './chainAccess.ts';
import type { GasPolicy } from './gasPolicy.ts';

/** SQL for the most that a step's gas can cost over all its attempts; rounded up as `mostCost` does. */
const mostOf = ({ dataFeePercent }: GasPolicy) => sql<bigint>`
  ceil(s.gas_limit * (select max(a.max_fee_per_gas) from attempt a
    where a.eid = s.eid and a.intent_id = s.intent_id and a.step = s.step and a.nonce = s.nonce)
    * ${100n + dataFeePercent}::numeric / 100)`;

/** SQL for what a step pays for its way to another chain, of which some may return. */
const wayOf = ({ deployment: { tokenBridge } }: ChainAccess) =>
  sql<bigint>`case when s.to_address = ${tokenBridge}::text then s.value else 0 end`;

/**
 * What the wallet's gas has cost or can still cost today (UTC, by the day of signing), native base units: mined steps at
 * their cost, open ones at their limits, and all with what they pay for the way to another chain.
 */
export const gasSpentToday = async (tx: Tx, { chain, wallet }: EvmLane): Promise<bigint> => {
  const { rows } = await sql<{ spent: bigint }>`
    select coalesce(sum(coalesce(s.gas_paid, ${mostOf(chain.gas)}) + ${wayOf(chain)}), 0)::numeric(78, 0) as spent
    from intent i join intent_step s on s.eid = i.eid and s.intent_id = i.intent_id
    where i.eid = ${chain.eid} and i.wallet = ${wallet} and s.nonce is not null
      and i.signed_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`.execute(tx);
  return rows[0]?.spent ?? 0n;
};

/** Gas at its limits plus value of all transactions not mined at block `head`, native base units. */
export const openCost = async (tx: Tx, { chain, wallet }: EvmLane, head: number): Promise<bigint> => {
  const { rows } = await sql<{ cost: bigint }>`
    select coalesce(sum(s.value + ${mostOf(chain.gas)}), 0)::numeric(78, 0) as cost
    from intent_step s
    where s.eid = ${chain.eid} and s.wallet = ${wallet} and s.nonce is not null
      and s.status in ('queued', 'sent', 'mined') and (s.block_number is null or s.block_number > ${head})`.execute(tx);
  return rows[0]?.cost ?? 0n;
};

/** What the wallet's gas may still cost today, native base units. */
export const gasRoom = async (tx: Tx, lane: EvmLane): Promise<bigint> =>
  lane.chain.gas.mostPerDay - (await gasSpentToday(tx, lane));
