import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { AddressText, BaseUnits, optional, Uuid } from './scalars.ts';

/** What operations share that can have the caller's embedded wallet send what they prepare. */

export const executeOption = {
  execute: optional(z.boolean()).meta({
    description:
      'true: your embedded wallet sends it. Needs the scope `execute`, a simulation that succeeds, and no other wallet ' +
      'named. Counts as a write.',
  }),
};

const acknowledgedRecipient = {
  recipient: optional(AddressText).meta({
    description:
      'An address that receives something and keeps it: a contract or account of this service, a token, a pool, a program ' +
      'or a burn address. Only where it is this very address.',
  }),
};

const refusedKeys = (issue: { code?: string | undefined; keys?: readonly string[] }): string | undefined =>
  issue.code === 'unrecognized_keys' ? `must not have ${issue.keys?.join(', ')}` : undefined;

/**
 * What the signer signs only when the caller repeats its exact figure, so that nobody agrees to it by mistake. It reads
 * the figures from the bytes. Strict: a misspelt field would acknowledge nothing. docs/decisions/0036-what-is-signed.md
 */
export const Acknowledge = z
  .strictObject(
    {
      builderFeeBps: optional(z.int().min(0).max(10_000)).meta({
        description:
          'The builder fee in basis points, when it is above what is signed unasked (`MAX_BUILDER_FEE_BPS`).',
      }),
      limitRaw: optional(BaseUnits).meta({
        description:
          'The `limit` of the order in base units, when it is further from the market than 5000 basis points, or the ' +
          'market of the token is not known here. Not for a credential with a budget.',
      }),
      approvalRaw: optional(BaseUnits).meta({
        description:
          'The amount of an approval in base units, when it is more than the same request spends. Only with an access token.',
      }),
      ...acknowledgedRecipient,
    },
    { error: (issue) => refusedKeys(issue) },
  )
  .meta({
    id: 'Acknowledge',
    description: 'Unusual figures, which are signed only when they are repeated here exactly.',
  });

export type Acknowledge = z.output<typeof Acknowledge>;

export const acknowledgeOption = { acknowledge: optional(Acknowledge) };

/** Where nothing but a recipient can be unusual. */
export const AcknowledgeRecipient = z
  .strictObject(acknowledgedRecipient, { error: (issue) => refusedKeys(issue) })
  .meta({ id: 'AcknowledgeRecipient', description: 'A recipient that is taken only when it is repeated here.' });

export const acknowledgeRecipientOption = { acknowledge: optional(AcknowledgeRecipient) };

/** Beside what was prepared; all keys are always there. */
export const executionAnswer = {
  executed: z
    .boolean()
    .meta({ description: 'True once the embedded wallet has signed it; the service then sends it.' }),
  transactionHash: z.string().meta({ description: "Hash of the last transaction; '' when not executed." }),
  intentId: Uuid.nullable().meta({ description: 'For `/transactions/status`; null when not executed.' }),
};

/** Errors of asking the embedded wallet: what a simulation can say, and why the signer refuses. */
export const executionErrors = [
  'SCOPE_MISSING',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_ALLOWANCE',
  'SLIPPAGE_EXCEEDED',
  'ACKNOWLEDGEMENT_MISSING',
  'UNSAFE_RECIPIENT',
  'TRANSACTION_FAILED',
  'DEADLINE_PASSED',
  'BUDGET_EXCEEDED',
  'RECIPIENT_NOT_ALLOWED',
  'EXECUTION_PAUSED',
  'ACCOUNT_FROZEN',
  'ACCESS_TOO_NEW',
  'NETWORK_ERROR',
  'OUTCOME_UNKNOWN',
] as const satisfies readonly ErrorCode[];
