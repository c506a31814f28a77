import type { ReadPrepared } from '@mintage/protocol/solana';
import { sql } from 'kysely';
import type { Tx } from '../context.ts';
import type { SolanaLane } from './chainAccess.ts';
import { isPayment, readStep } from './readActions.ts';

/** Of each signature. */
export const signatureFee = 5_000n;

/** What a transaction of one signature costs, by what its bytes say; rounded up. */
export const feeOf = ({ unitLimit, microLamportsPerUnit }: ReadPrepared): bigint =>
  signatureFee + (BigInt(unitLimit ?? clusterLimit) * (microLamportsPerUnit ?? 0n) + 999_999n) / 1_000_000n;
/** Units of a transaction that says nothing. */
const clusterLimit = 1_400_000;

/** A step as far as its cost depends on it. */
interface Costly {
  data: `0x${string}`;
  /** Lamports that it sends, or that are the rent of what it opens, as it was prepared. */
  value: bigint;
}

/** Lamports that leave the wallet at most; no fee for bytes that the policy refuses anyway. */
export const mostCost = ({ chain }: SolanaLane, { data, value }: Costly): bigint => {
  if (isPayment({ data })) return value + signatureFee;
  const read = readStep({ to: chain.launchpad.program, data }, chain.launchpad.program);
  return value + (read === null ? 0n : feeOf(read));
};

/** What the wallet's signed steps of today have cost or can still cost, lamports: landed ones by what they paid. */
export const spentToday = async (tx: Tx, lane: SolanaLane): Promise<bigint> => {
  const { chain, wallet } = lane;
  const rows = await tx
    .selectFrom('intent_step as step')
    .innerJoin('intent', (join) =>
      join.onRef('intent.eid', '=', 'step.eid').onRef('intent.intent_id', '=', 'step.intent_id'),
    )
    .select(['step.data', 'step.value', 'step.gas_paid'])
    .where('step.eid', '=', chain.eid)
    .where('step.wallet', '=', wallet)
    .where('step.hash', 'is not', null)
    .where(sql<boolean>`intent.signed_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`)
    .execute();
  return rows.reduce((sum, { data, value, gas_paid }) => {
    const moved = isPayment({ data }) ? 0n : value;
    return sum + (gas_paid === null ? mostCost(lane, { data, value: moved }) : moved + gas_paid);
  }, 0n);
};

/** What the wallet's steps that no block holds yet can cost, lamports. */
export const openCost = async (tx: Tx, lane: SolanaLane): Promise<bigint> => {
  const rows = await tx
    .selectFrom('intent_step')
    .select(['data', 'value'])
    .where('eid', '=', lane.chain.eid)
    .where('wallet', '=', lane.wallet)
    .where('hash', 'is not', null)
    .where('status', 'in', ['queued', 'sent'])
    .execute();
  return rows.reduce((sum, row) => sum + mostCost(lane, row), 0n);
};
