import { z } from 'zod';
import { activityNames, activityWords, feeWords, filterableFeeTypes } from '../schemas/feeTable.ts';
import { chainFilter, limitUpTo, offsetUpTo, TotalPage } from '../schemas/paging.ts';
import { Address, BaseUnits, DecimalText, Hex, IsoTime, optional, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const distributionWords = [...feeWords.map((words) => words.distribution), 'unknown'] as const;
const feeTypeWords = [...feeWords.map((words) => words.feeType), 'unknown'] as const;

const FeeToken = z
  .object({
    id: Uuid,
    name: z.string(),
    symbol: z.string(),
    slug: z.string(),
    logo: z.string().nullable().meta({ description: 'Null for a token that was not created through this service.' }),
  })
  .nullable()
  .meta({ description: 'Null when the fee belongs to no token of this service.' });

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
  token: FeeToken,
});

export const getUserFeeHistory = operation({
  name: 'getUserFeeHistory',
  summary: 'Lists every fee credited to the caller, newest first.',
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

const FeeHistoryItem = z
  // Loose for the deployment's own name of the platform id.
  .looseObject({
    chain: z.string(),
    evt_tx_hash: Hex,
    evt_block_number: z.int(),
    evt_index: z.int(),
    evt_block_time: IsoTime,
    account: Address,
    currency: Address,
    token_address: Address.meta({ description: 'Of the currency, like all that begins with token_.' }),
    platform_id: z.null().meta({ description: 'Fees are paid in dollars, which are no token of this service.' }),
    token_name: z.string(),
    token_symbol: z.string(),
    token_decimals: z.int(),
    amount: DecimalText,
    amount_raw: BaseUnits,
    tracking_id: z
      .string()
      .nullable()
      .meta({ description: 'Platform id of the traded token; null for a fee without one.' }),
    token: FeeToken,
    distribution_type: z.int(),
    distribution_name: z.enum([...feeWords.map(({ name }) => name), 'Unknown']),
    activity_id: z.int(),
    activity_name: z.enum([...activityNames, 'Unknown']),
  })
  .meta({ id: 'FeeHistoryItem' });

/** The form of `/info`. */
export const getUserFeeHistoryInfo = z.object({
  success: z.literal(true),
  data: z.object({
    distributions: z.array(FeeHistoryItem),
    total_count: z.int().nonnegative(),
    pagination: TotalPage,
  }),
});
