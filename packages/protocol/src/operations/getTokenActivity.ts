import { z } from 'zod';
import { operation } from '../operation.ts';
import { optional } from '../scalars.ts';
import { amount, eventPlace, hash, historyDescription, raw, tokenPage, wallet } from './tokenHistory.ts';

export const activityTypes = ['trade', 'transfer', 'lp', 'lifecycle'] as const;
export const activitySubtypes = [
  'buy',
  'sell',
  'local',
  'cross_chain_sent',
  'cross_chain_received',
  'deposit',
  'withdrawal',
  'graduation',
] as const;

const types = optional(z.array(z.enum(activityTypes, { error: `must be one of ${activityTypes.join(', ')}` })).max(16));
const subtypes = optional(
  z.array(z.enum(activitySubtypes, { error: `must be one of ${activitySubtypes.join(', ')}` })).max(16),
);

export const ActivityRecord = z
  .looseObject({
    pk: z.string().meta({ description: 'Stable and unique: the same in the stream `tokenActivity`.' }),
    ...eventPlace,
    tx_hash: hash,
    activity_type: z.enum(activityTypes),
    activity_subtype: z.enum(activitySubtypes),
    is_external: z.boolean().nullable(),
    wallet: wallet.nullable(),
    trader: wallet.nullable(),
    receiver: wallet.nullable(),
    router: wallet.nullable(),
    from_address: wallet.nullable(),
    to_address: wallet.nullable(),
    token_amount: amount,
    token_amount_raw: raw,
    usd_amount: amount,
    usd_amount_raw: raw,
    price_usd: amount,
    price_usd_raw: raw,
    market_cap_usd: amount,
    market_cap_usd_raw: raw,
    pool: hash.nullable(),
    liquidity_amount: amount,
    liquidity_amount_raw: raw,
    amount0: amount,
    amount0_raw: raw,
    amount1: amount,
    amount1_raw: raw,
    guid: z.string().nullable(),
    src_eid: z.string().nullable(),
    dst_eid: z.string().nullable(),
    final_supply: amount,
    final_supply_raw: raw,
    final_reserves: amount,
    final_reserves_raw: raw,
    token_decimals: z.string().nullable(),
    price_usd_at_event: amount,
    price_usd_at_event_raw: raw,
    usd_value: amount,
    usd_value_raw: raw,
  })
  .meta({ id: 'ActivityRecord', description: 'Every key is there; what a kind of activity does not have is null.' });

export const getTokenActivity = operation({
  name: 'getTokenActivity',
  summary: 'Trades, transfers between wallets, the deposit into the pool and the graduation of a token, in one list.',
  description: `${historyDescription} An absent or empty \`include\` list includes everything; \`ignore\` wins over \`include\`.`,
  method: 'POST',
  path: '/get-token-activity',
  tag: 'Tokens',
  input: z.object({
    ...tokenPage,
    include_activity_types: types,
    ignore_activity_types: types,
    include_activity_subtypes: subtypes,
    ignore_activity_subtypes: subtypes,
  }),
  output: z.object({ success: z.literal(true), activities: z.array(ActivityRecord) }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token', ignore_activity_types: ['transfer'] },
});
