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
    tx_hash: hash.meta({ description: 'Transaction that it is in.' }),
    activity_type: z.enum(activityTypes).meta({ description: '`lp`: liquidity of the pool. `lifecycle`: graduation.' }),
    activity_subtype: z
      .enum(activitySubtypes)
      .meta({ description: 'What of that type; `local`: a transfer on one chain.' }),
    is_external: z.boolean().nullable().meta({ description: 'False of a graduation; null of all others.' }),
    wallet: wallet.nullable().meta({ description: 'Trader of a trade; the Launchpad of a deposit.' }),
    trader: wallet.nullable().meta({ description: 'Who traded.' }),
    receiver: wallet.nullable().meta({ description: 'Who receives what a trade brings.' }),
    router: wallet
      .nullable()
      .meta({ description: 'Of a swap by another router its address; `trader` then only sent the transaction.' }),
    from_address: wallet.nullable().meta({ description: 'Sender of a transfer.' }),
    to_address: wallet.nullable().meta({ description: 'Receiver of a transfer.' }),
    token_amount: amount.meta({ description: 'Tokens that moved.' }),
    token_amount_raw: raw.meta({ description: '`token_amount`.' }),
    usd_amount: amount.meta({ description: 'Gross dollars of a trade.' }),
    usd_amount_raw: raw.meta({ description: '`usd_amount`, of the chain’s dollar.' }),
    price_usd: amount.meta({ description: 'Of one token, after the trade.' }),
    price_usd_raw: raw.meta({ description: '`price_usd`.' }),
    market_cap_usd: amount.meta({ description: 'Price times the whole supply.' }),
    market_cap_usd_raw: raw.meta({ description: '`market_cap_usd`.' }),
    pool: pool
      .nullable()
      .meta({ description: 'The pool of a trade or deposit: its id, or its address on a v3 exchange.' }),
    liquidity_amount: amount.meta({ description: 'Liquidity of a deposit; it has no unit.' }),
    liquidity_amount_raw: raw.meta({ description: '`liquidity_amount`, as the pool counts it.' }),
    amount0: amount.meta({ description: 'What a deposit put in of the pool’s currency 0.' }),
    amount0_raw: raw.meta({ description: '`amount0`.' }),
    amount1: amount.meta({ description: 'What a deposit put in of the pool’s currency 1.' }),
    amount1_raw: raw.meta({ description: '`amount1`.' }),
    guid: z.string().nullable().meta({ description: 'LayerZero’s id of the message of a transfer between chains.' }),
    src_eid: z.string().nullable().meta({ description: 'LayerZero’s id of the chain that it came from.' }),
    dst_eid: z.string().nullable().meta({ description: 'LayerZero’s id of the chain that it went to.' }),
    final_supply: amount.meta({ description: 'Tokens that the curve had sold at graduation.' }),
    final_supply_raw: raw.meta({ description: '`final_supply`.' }),
    final_reserves: amount.meta({ description: 'Dollars that the curve held at graduation.' }),
    final_reserves_raw: raw.meta({ description: '`final_reserves`, of the chain’s dollar.' }),
    token_decimals: z.string().nullable().meta({ description: 'Decimals of the token.' }),
    price_usd_at_event: amount.meta({ description: 'Of one token, at that moment.' }),
    price_usd_at_event_raw: raw.meta({ description: '`price_usd_at_event`.' }),
    usd_value: amount.meta({ description: 'Of the tokens that moved, at that price.' }),
    usd_value_raw: raw.meta({ description: '`usd_value`.' }),
  })
  .meta({
    id: 'ActivityRecord',
    description: 'Every key is present; fields that do not apply to the activity are null.',
  });
