import { z } from 'zod';
import { operation } from '../operation.ts';
import { Address, optional } from '../scalars.ts';
import { chainFilter } from './paging.ts';
import { ClaimItem } from './prepared.ts';

export const claimRewards = operation({
  name: 'claimRewards',
  summary: 'Prepares one withdrawal per chain of everything that a wallet of the caller can claim.',
  description: 'Amounts are the largest uint256, which the vault takes as everything it owes at that moment.',
  method: 'POST',
  path: '/claim-rewards',
  tag: 'Rewards',
  input: z.object({
    currencyAddress: optional(Address).meta({ description: 'Claim only this currency; absent: every one.' }),
    chains: chainFilter,
    userAddress: optional(Address).meta({
      description: 'One of the caller’s own wallets. Absent: the sign-in wallet.',
    }),
  }),
  output: z.strictObject({
    success: z.literal(true),
    transactions: z.array(ClaimItem),
    metadata: z.strictObject({
      totalChainsWithBalance: z.int(),
      totalCurrenciesClaimed: z.int(),
      currencyAddress: z.string().meta({ description: "The filter; '' without one." }),
    }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'prepare',
  errorShape: 'B',
  example: { chains: ['base-sepolia'] },
});
