import { z } from 'zod';
import { operation } from '../operation.ts';
import { Address, BaseUnits, DecimalText, Hex, IsoTime, optional, Uuid } from '../scalars.ts';
import { activityWords, feeWords, filterableFeeTypes } from './feeWords.ts';
import { chainFilter, limitUpTo, offsetUpTo } from './paging.ts';

const distributionWords = [...feeWords.map((words) => words.distribution), 'unknown'] as const;
const feeTypeWords = [...feeWords.map((words) => words.feeType), 'unknown'] as const;

export const FeeDistribution = z.object({
  id: Uuid,
  recipient_address: Address,
  distribution_type: z.enum(distributionWords),
  fee_type: z.enum(feeTypeWords),
  activity_id: z.enum([...activityWords, 'unknown']),
  amount: BaseUnits.meta({ description: 'Base units of the currency.' }),
  amount_with_decimals: DecimalText,
  decimals: z.int(),
  currency_address: Address,
  chain: z.string(),
  tracking_id: z.string().nullable().meta({ description: 'Platform id of the token; null for a fee without one.' }),
  transaction_hash: Hex,
  block_number: z.int(),
  created_at: IsoTime,
  token: z
    .object({
      id: Uuid,
      name: z.string(),
      symbol: z.string(),
      slug: z.string(),
      logo: z.string().nullable().meta({ description: 'Null for a token that was not created through this service.' }),
    })
    .nullable()
    .meta({ description: 'Null when the fee belongs to no token of this service.' }),
});

export const getUserFeeHistory = operation({
  name: 'getUserFeeHistory',
  summary: 'Every fee credited to the caller, newest first.',
  method: 'POST',
  path: '/get-user-fee-history',
  tag: 'Rewards',
  input: z.object({
    user_id: optional(Uuid).meta({ description: "The caller's own id; any other is 401." }),
    fee_type: optional(z.enum(filterableFeeTypes)).meta({ description: 'Only this kind of fee.' }),
    chains: chainFilter,
    limit: limitUpTo(100, 50),
    offset: offsetUpTo(10_000),
  }),
  output: z.object({
    distributions: z.array(FeeDistribution),
    total_count: z.int().nonnegative().meta({ description: 'Matching distributions on all pages.' }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'B',
  example: { limit: 20, offset: 0 },
});
