import { type Eid, requireHex } from '@mintage/protocol';
import { type NotNull, sql } from 'kysely';
import type { Hex } from 'viem';
import type { Context } from '../context.ts';
import type { SignedPlace } from '../lanes/recordStep.ts';
import { type Call, callOf } from './call.ts';
import type { EvmLane } from './chainAccess.ts';
import type { Fees } from './fees.ts';

/** A signed transaction of a step, which may be mined. */
export interface Attempt {
  hash: Hex;
  /** The signed bytes. */
  raw: Hex;
  kind: 'call' | 'cancel';
  fees: Fees;
  /** Newest block when it was signed. */
  signedBlock: number;
  /** A provider took it, or a block held it. */
  isSent: boolean;
}

/** A signed step whose outcome is not final. */
export interface OpenStep extends Call, SignedPlace {
  nonce: number;
  status: 'queued' | 'sent' | 'mined';
  /** Units of gas. */
  gasLimit: number;
  /** Mined, and recorded as reverted. */
  isReverted: boolean;
  /** Its deadline has passed for so long that it could only fail. */
  isOverdue: boolean;
  /** Of its intent. */
  proof: string | null;
  /** All attempts with its current nonce, oldest first; never empty. */
  attempts: readonly Attempt[];
}

/** Most steps of each kind that are handled at once. */
const atOnce = 20;

/**
 * The open steps of a lane that can change now, in the order of their nonces: the lowest that no block holds, since
 * later ones cannot be mined before them; the lowest that a block holds, since they become final next; and the highest
 * of these, since a reorganisation removes them first. So steps are sent, however many others wait to be final.
 */
export const openSteps = async (
  { db }: Context,
  { chain, wallet }: EvmLane,
  cancelAfterSeconds: number,
): Promise<OpenStep[]> => {
  const steps = await db
    .selectFrom('intent_step')
    .innerJoin('intent', (join) =>
      join.onRef('intent.eid', '=', 'intent_step.eid').onRef('intent.intent_id', '=', 'intent_step.intent_id'),
    )
    .selectAll('intent_step')
    .select(['intent.proof', overdue(cancelAfterSeconds).as('is_overdue')])
    .where('intent_step.eid', '=', chain.eid)
    .where('intent_step.wallet', '=', wallet)
    .where('intent_step.nonce', 'is not', null)
    .where('intent_step.status', 'in', ['queued', 'sent', 'mined'])
    .where('intent_step.nonce', 'in', busyNonces(chain.eid, wallet))
    .orderBy('intent_step.nonce')
    .$narrowType<{ nonce: NotNull }>()
    .execute();
  if (steps.length === 0) return [];
  const attempts = await db
    .selectFrom('attempt')
    .selectAll()
    .where('eid', '=', chain.eid)
    .where('intent_id', 'in', [...new Set(steps.map(({ intent_id }) => intent_id))])
    .orderBy('signed_at')
    .orderBy('max_fee_per_gas')
    .$narrowType<{ max_fee_per_gas: NotNull; max_priority_fee_per_gas: NotNull }>()
    .execute();
  return steps.map((row) => ({
    intentId: row.intent_id,
    step: row.step,
    nonce: row.nonce,
    status: row.status as OpenStep['status'],
    ...callOf(row),
    gasLimit: row.gas_limit,
    blockHash: row.block_hash,
    isReverted: row.error_code !== null,
    isOverdue: row.is_overdue,
    proof: row.proof,
    attempts: attempts
      .filter((one) => one.intent_id === row.intent_id && one.step === row.step && one.nonce === row.nonce)
      .map((one) => ({
        hash: requireHex(one.hash),
        raw: one.raw,
        kind: one.kind,
        fees: { maxFeePerGas: one.max_fee_per_gas, maxPriorityFeePerGas: one.max_priority_fee_per_gas },
        signedBlock: one.signed_block,
        isSent: one.sent_at !== null,
      })),
  }));
};

const busyNonces = (eid: Eid, wallet: Hex) => sql<number>`(
  select nonce from (
    select nonce, status = 'mined' as mined,
      row_number() over (partition by status = 'mined' order by nonce) as from_lowest,
      row_number() over (partition by status = 'mined' order by nonce desc) as from_highest
    from intent_step
    where eid = ${eid} and wallet = ${wallet} and nonce is not null and status in ('queued', 'sent', 'mined')
  ) as open
  where from_lowest <= ${atOnce} or (mined and from_highest <= ${atOnce}))`;

const overdue = (seconds: number) => sql<boolean>`intent.expires_at + ${seconds} * interval '1 second' < now()`;
