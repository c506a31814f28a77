import type { KeyedIntent } from '@mintage/protocol/operations';
import type { Db } from '../../db/serviceTables.ts';
import type { StepStatus } from '../../db/signerTables.ts';

/** Status of an intent or of one of its steps, in the words of `/transactions/status`. */
export interface IntentStatus {
  status: KeyedIntent['status'];
  /** Of an intent, that of its last step; empty before it is signed. */
  hash: string;
  /** Of the block that holds the step; null while none does. */
  blockNumber: number | null;
  /** Set while providers disagree about it. */
  unsure?: true;
  /** A sentence; null when there is nothing to say. */
  error: string | null;
}

/** A user's intents, one row per step, in their order. */
export const stepsOf = (db: Db, userId: string) =>
  db
    .selectFrom('intent')
    .innerJoin('intent_step as step', (join) =>
      join.onRef('step.eid', '=', 'intent.eid').onRef('step.intent_id', '=', 'intent.intent_id'),
    )
    .select(['intent.intent_id', 'intent.status as intent_status', 'intent.error as intent_error'])
    .select(['step.status', 'step.hash', 'step.block_number', 'step.error'])
    .where('intent.user_id', '=', userId)
    .orderBy('step.step');

type StepRow = Awaited<ReturnType<ReturnType<typeof stepsOf>['execute']>>[number];

/**
 * The status of an intent from its steps: that of a failed step, then of a reverted or unsure one, otherwise of the
 * least advanced. Null without steps.
 */
export const statusOfSteps = (steps: readonly StepRow[]): IntentStatus | null => {
  const last = steps.at(-1);
  if (last === undefined) return null;
  const worst = steps.find(({ status }) => status === 'failed') ?? steps.find(isReverted) ?? steps.find(isUnsure);
  const hindmost = order.find((status) => steps.some((step) => step.status === status)) ?? 'queued';
  return { ...statusOfStep(worst ?? { ...last, status: hindmost }), hash: last.hash ?? '' };
};

export const statusOfStep = (step: StepRow): IntentStatus => {
  const { status, error } =
    step.intent_status === 'refused' ? { status: 'failed' as const, error: step.intent_error } : step;
  return {
    status: isReverted(step) ? 'reverted' : status,
    hash: step.hash ?? '',
    blockNumber: step.block_number,
    ...(isUnsure({ ...step, status }) ? { unsure: true as const } : {}),
    error: status === 'failed' ? (error ?? step.intent_error ?? 'The transaction failed.') : error,
  };
};

/** Statuses from least to most advanced: the least advanced step is the status of the intent. */
export const order: readonly StepStatus[] = ['queued', 'sent', 'mined', 'final'];

/** Whether the step is mined and reverted, as two providers say. A reorganisation may still undo that. */
const isReverted = ({ status, error }: StepRow): boolean => status === 'mined' && error !== null;

/** Whether providers disagree about the step. */
const isUnsure = ({ status, error }: StepRow): boolean => (status === 'queued' || status === 'sent') && error !== null;
