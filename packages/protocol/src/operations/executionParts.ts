import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { optional, Uuid } from '../scalars.ts';

/** What operations share that can have the caller's embedded wallet send what they prepare. */

export const executeOption = {
  execute: optional(z.boolean()).meta({
    description:
      'true: your embedded wallet sends it. Needs the scope `execute`, a simulation that succeeds, and no other wallet ' +
      'named. Counts as a write.',
  }),
};

/** Beside what was prepared; all keys are always there. */
export const executionAnswer = {
  executed: z.boolean().meta({ description: 'Whether the embedded wallet has signed it, which then sends it.' }),
  transactionHash: z.string().meta({ description: "Of the last transaction; '' when not executed." }),
  intentId: Uuid.nullable().meta({ description: 'For `/transactions/status`; null when not executed.' }),
};

/** Errors of asking the embedded wallet: what a simulation can say, and why the signer refuses. */
export const executionErrors = [
  'SCOPE_MISSING',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_ALLOWANCE',
  'SLIPPAGE_EXCEEDED',
  'TRANSACTION_FAILED',
  'DEADLINE_PASSED',
  'BUDGET_EXCEEDED',
  'RECIPIENT_NOT_ALLOWED',
  'EXECUTION_PAUSED',
  'NETWORK_ERROR',
  'OUTCOME_UNKNOWN',
] as const satisfies readonly ErrorCode[];
