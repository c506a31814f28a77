import { type Hash } from '@mintage/protocol';
import type { Context } from '../context.ts';
import { databaseNow } from '../lanes/intents.ts';
import type { SignedStep } from '../lanes/recordStep.ts';
import type { SolanaLane } from './chainAccess.ts';

/** A step whose bytes are signed and whose outcome is not final, with the bytes that count. */
export type OpenStep = SignedStep & {
  nonce: null;
  hash: Hash;
  status: 'queued' | 'sent' | 'mined';
  /** Of its intent. */
  proof: string | null;
  raw: `0x${string}`;
  /** The last block height that may hold the bytes. */
  validUntil: number;
  isSent: boolean;
  /** Its failure is recorded with its block. */
  isFailed: boolean;
  /** The intent's deadline is over. */
  isExpired: boolean;
};

/** Most that are handled in one turn. */
const atOnce = 40;

/** Oldest first. */
export const openSteps = async ({ db }: Context, { chain, wallet }: SolanaLane): Promise<OpenStep[]> => {
  const rows = await db
    .selectFrom('intent_step as step')
    .innerJoin('attempt', (join) => join.onRef('attempt.eid', '=', 'step.eid').onRef('attempt.hash', '=', 'step.hash'))
    .innerJoin('intent', (join) =>
      join.onRef('intent.eid', '=', 'step.eid').onRef('intent.intent_id', '=', 'step.intent_id'),
    )
    .select(['step.intent_id', 'step.step', 'step.status', 'step.block_hash', 'step.error_code', 'intent.proof'])
    .select(['attempt.hash', 'attempt.raw', 'attempt.valid_until_block', 'attempt.sent_at'])
    .select(({ eb }) => eb('intent.expires_at', '<=', databaseNow).as('is_expired'))
    .where('step.eid', '=', chain.eid)
    .where('step.wallet', '=', wallet)
    .where('step.status', 'in', ['queued', 'sent', 'mined'])
    .orderBy('intent.signed_at')
    .orderBy('step.intent_id')
    .orderBy('step.step')
    .limit(atOnce)
    .execute();
  return rows.map((row) => ({
    intentId: row.intent_id,
    step: row.step,
    nonce: null,
    hash: row.hash,
    status: row.status as OpenStep['status'],
    blockHash: row.block_hash,
    proof: row.proof,
    raw: row.raw,
    validUntil: row.valid_until_block as number, // every attempt here has one
    isSent: row.sent_at !== null,
    isFailed: row.error_code !== null,
    isExpired: Boolean(row.is_expired),
  }));
};
