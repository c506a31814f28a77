import { z } from 'zod';
import { executeOption, executionAnswer, executionErrors } from '../schemas/executionParts.ts';
import { chainFilter } from '../schemas/paging.ts';
import { ClaimItem } from '../schemas/prepared.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import { AddressText, optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

/** The top level has those of the last item that was executed; `executed` there only when every one was. */
const claimExecution = {
  ...executionAnswer,
  error: z
    .string()
    .nullable()
    .meta({ description: 'Why it was not executed; null if it was executed or `execute` was not set.' }),
};

export const claimRewards = operation({
  name: 'claimRewards',
  summary: 'Prepares one withdrawal per chain of all fees and rewards that a wallet of the caller can claim.',
  description:
    'Each amount is the largest uint256, which the vault takes as everything it owes at that moment. With `execute: ' +
    'true` your embedded wallet sends the withdrawals, each chain independently: if one chain refuses, the others go ' +
    'on, and its item says why. If no chain executes, the answer is the error of the first.',
  method: 'POST',
  path: '/claim-rewards',
  tag: 'Rewards',
  input: z.object({
    currencyAddress: optional(AddressText).meta({ description: 'Claim only this currency; absent: every one.' }),
    chains: chainFilter,
    userAddress: optional(AddressText).meta({
      description:
        'One of the caller’s own wallets. Absent: the sign-in wallet if it has something to claim, else the embedded ' +
        'one; with `execute: true` always the embedded one. `warnings` names the other wallets that can claim.',
    }),
    ...executeOption,
  }),
  output: z.strictObject({
    success: z.literal(true),
    warnings: readWarnings,
    ...executionAnswer,
    transactions: z.array(ClaimItem.extend(claimExecution)).meta({ description: 'One a chain.' }),
    metadata: z.strictObject({
      totalChainsWithBalance: z.int().meta({ description: 'Chains on which there is something to claim.' }),
      totalCurrenciesClaimed: z.int().meta({ description: 'Currencies that are claimed, on all chains.' }),
      currencyAddress: z.string().meta({ description: "The `currencyAddress` of the request; '' without one." }),
    }),
  }),
  errors: ['AUTHENTICATION_FAILED', ...executionErrors],
  access: 'caller',
  scope: 'prepare',
  limit: 'writeWhenExecuted',
  errorShape: 'B',
  example: { chains: ['base-sepolia'] },
});
