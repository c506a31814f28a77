import { z } from 'zod';
import { amount, eventPlace, hash, pool, raw, wallet } from './tokenHistory.ts';

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

export const ActivityRecord = z
  .looseObject({
    pk: z.string().meta({ description: 'Stable and unique key; the stream `tokenActivity` has the same.' }),
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
    pool: pool.nullable(),
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
  .meta({
    id: 'ActivityRecord',
    description: 'Every key is present; fields that do not apply to the activity are null.',
  });
