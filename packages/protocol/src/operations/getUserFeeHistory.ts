import { z } from 'zod';
import { formatUnits } from '../maths/decimal.ts';
import { activityNames, activityWords, feeWords, filterableFeeTypes } from '../schemas/feeTable.ts';
import { chainFilter, limitUpTo, offsetUpTo, TotalPage, totalPage } from '../schemas/paging.ts';
import { platformIdKeys } from '../schemas/platformId.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import { AddressText, BaseUnits, DecimalText, HashText, IsoTime, optional, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const distributionWords = [...feeWords.map((words) => words.distribution), 'unknown'] as const;
const feeTypeWords = [...feeWords.map((words) => words.feeType), 'unknown'] as const;

const FeeToken = z
  .object({
    id: Uuid,
    name: z.string().meta({ description: 'Name of the token.' }),
    symbol: z.string().meta({ description: 'Ticker of the token.' }),
    slug: z.string().meta({ description: 'Name of the token in addresses of pages.' }),
    logo: z.string().nullable().meta({ description: 'Null for a token that was not created through this service.' }),
  })
  .nullable()
  .meta({ description: 'Null when the fee belongs to no token of this service.' });

export const FeeDistribution = z.object({
  id: Uuid,
  recipient_address: AddressText.meta({ description: 'Wallet that was credited.' }),
  distribution_type: z.enum(distributionWords).meta({ description: 'As what it was earned.' }),
  fee_type: z.enum(feeTypeWords).meta({ description: 'The same, in the words of fees.' }),
  activity_id: z.enum([...activityWords, 'unknown']).meta({ description: 'What it was earned by.' }),
  amount: BaseUnits.meta({ description: 'Base units of the currency.' }),
  amount_with_decimals: DecimalText.meta({ description: '`amount` in whole units.' }),
  decimals: z.int().meta({ description: 'Of the currency.' }),
  currency_address: AddressText.meta({ description: 'Currency that was credited.' }),
  chain: z.string().meta({ description: 'Slug of the chain.' }),
  tracking_id: z.string().nullable().meta({ description: 'Platform id of the token; null for a fee without one.' }),
  transaction_hash: HashText.meta({ description: 'Transaction that credited it.' }),
  block_number: z.int().meta({ description: 'Block that it is in.' }),
  created_at: IsoTime.meta({ description: 'Time of that block.' }),
  token: FeeToken,
});

/** One fee that was credited to the caller. */
export interface FeeCredit {
  id: string;
  /** Slug. */
  chain: string;
  hash: z.output<typeof HashText>;
  blockNumber: number;
  logIndex: number;
  time: Date;
  recipient: z.output<typeof AddressText>;
  currency: z.output<typeof AddressText>;
  /** Of the currency. */
  symbol: string;
  decimals: number;
  /** Base units of the currency. */
  amount: bigint;
  /** Of the token; null while it is held back, and for a fee without one. */
  platformId: string | null;
  token: z.output<typeof FeeToken>;
  /** As the chain numbers them. */
  distributionType: number;
  activityId: number;
}

/** A page of them, newest first. */
export interface FeeCredits {
  platformName: string;
  credits: readonly FeeCredit[];
  page: { limit: number; offset: number };
  /** On all pages. */
  total: number;
  warnings?: z.output<typeof readWarnings>;
}

const wordsOf = ({ distributionType }: FeeCredit) =>
  feeWords.find((words) => words.distributionType === distributionType);

const distribution = (credit: FeeCredit): z.output<typeof FeeDistribution> => ({
  id: credit.id,
  recipient_address: credit.recipient,
  distribution_type: wordsOf(credit)?.distribution ?? 'unknown',
  fee_type: wordsOf(credit)?.feeType ?? 'unknown',
  activity_id: activityWords[credit.activityId] ?? 'unknown',
  amount: credit.amount.toString(),
  amount_with_decimals: formatUnits(credit.amount, credit.decimals),
  decimals: credit.decimals,
  currency_address: credit.currency,
  chain: credit.chain,
  tracking_id: credit.platformId,
  transaction_hash: credit.hash,
  block_number: credit.blockNumber,
  created_at: credit.time.toISOString(),
  token: credit.token,
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
    warnings: readWarnings,
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'B',
  view: ({ credits, total, warnings }: FeeCredits) => ({
    distributions: credits.map(distribution),
    total_count: total,
    warnings,
  }),
  example: { limit: 20, offset: 0 },
});

const FeeHistoryItem = z
  // Loose for the deployment's own name of the platform id.
  .looseObject({
    chain: z.string().meta({ description: 'Slug of the chain.' }),
    evt_tx_hash: HashText,
    evt_block_number: z.int(),
    evt_index: z.int(),
    evt_block_time: IsoTime,
    account: AddressText,
    currency: AddressText,
    token_address: AddressText.meta({ description: 'Of the currency, like all that begins with token_.' }),
    platform_id: z.null().meta({ description: 'Fees are paid in dollars, which are no token of this service.' }),
    token_name: z.string().meta({ description: 'Name of the currency: its symbol, since dollars have no page.' }),
    token_symbol: z.string().meta({ description: 'Symbol of the currency.' }),
    token_decimals: z.int(),
    amount: DecimalText,
    amount_raw: BaseUnits,
    tracking_id: z
      .string()
      .nullable()
      .meta({ description: 'Platform id of the traded token; null for a fee without one.' }),
    token: FeeToken,
    distribution_type: z.int().meta({ description: 'As what it was earned.' }),
    distribution_name: z
      .enum([...feeWords.map(({ name }) => name), 'Unknown'])
      .meta({ description: '`distribution_type` in words.' }),
    activity_id: z.int().meta({ description: 'What it was earned by.' }),
    activity_name: z.enum([...activityNames, 'Unknown']).meta({ description: '`activity_id` in words.' }),
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
  warnings: readWarnings,
});

export const feeHistoryInInfo = ({
  platformName,
  credits,
  page,
  total,
  warnings,
}: FeeCredits): z.output<typeof getUserFeeHistoryInfo> => ({
  success: true,
  data: {
    distributions: credits.map((credit) => feeHistoryItem(platformName, credit)),
    total_count: total,
    pagination: totalPage(page, total),
  },
  warnings,
});

const feeHistoryItem = (platformName: string, credit: FeeCredit): z.output<typeof FeeHistoryItem> => ({
  chain: credit.chain,
  evt_tx_hash: credit.hash,
  evt_block_number: credit.blockNumber,
  evt_index: credit.logIndex,
  evt_block_time: credit.time.toISOString(),
  account: credit.recipient,
  currency: credit.currency,
  token_address: credit.currency,
  ...platformIdKeys(platformName, null),
  token_name: credit.symbol,
  token_symbol: credit.symbol,
  token_decimals: credit.decimals,
  amount: formatUnits(credit.amount, credit.decimals),
  amount_raw: credit.amount.toString(),
  tracking_id: credit.platformId,
  token: credit.token,
  distribution_type: credit.distributionType,
  distribution_name: wordsOf(credit)?.name ?? 'Unknown',
  activity_id: credit.activityId,
  activity_name: activityNames[credit.activityId] ?? 'Unknown',
});
