import { z } from 'zod';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { IsoTime, TokenRef } from '../schemas/scalars.ts';
import { amount, CountText, raw, wallet } from '../schemas/tokenHistory.ts';
import { operation } from './operation.ts';

/** Length of each window in seconds. */
export const statsWindows = { '5m': 300, '1h': 3_600, '6h': 21_600, '24h': 86_400 } as const;
export type StatsWindow = keyof typeof statsWindows;

/** The keys of one window, in the words of the wire. */
const windowKeys = <W extends StatsWindow>(window: W) =>
  [
    `price_change_${window}_pct`,
    `price_change_${window}_abs`,
    `market_cap_change_${window}_pct`,
    `market_cap_change_${window}_abs`,
    `volume_usd_${window}`,
    `volume_change_${window}_abs`,
    `volume_change_${window}_pct`,
    `holder_count_change_${window}_abs`,
    `holder_count_change_${window}_pct`,
    `launchpad_progress_change_${window}_abs`,
    `launchpad_progress_change_${window}_pct`,
  ] as const;

export type StatsWindowKey<W extends StatsWindow> = ReturnType<typeof windowKeys<W>>[number];

const windows = Object.fromEntries(
  Object.keys(statsWindows).flatMap((window) => windowKeys(window as StatsWindow).map((key) => [key, amount])),
) as Record<StatsWindowKey<StatsWindow>, typeof amount>;

const Stats = z
  .looseObject({
    chain: z.string(),
    platform_id: ShownPlatformId,
    token_address: wallet,
    price_usd: amount.meta({ description: 'After the last trade.' }),
    market_cap_usd: amount,
    holder_count: CountText.nullable(),
    last_trade_at: IsoTime.nullable(),
    last_trade_venue: z.enum(['launchpad', 'uniswap_v4']).nullable(),
    evt_block_number: z.int().nullable().meta({ description: 'Newest indexed block of the chain: windows end there.' }),
    updated_at: IsoTime.nullable().meta({ description: 'Time of that block.' }),
    total_volume_token: amount,
    total_volume_token_raw: raw,
    total_volume_usd: amount.meta({ description: 'Gross.' }),
    total_volume_usd_raw: raw.meta({ description: 'Base units of the chain’s dollar.' }),
    ...windows,
    launchpad_price_usd: amount.meta({ description: 'Of the curve; after graduation its last price.' }),
    launchpad_supply: amount.meta({ description: 'Tokens that the curve sold.' }),
    launchpad_supply_raw: raw,
    launchpad_tokens_left: amount,
    launchpad_tokens_left_raw: raw,
    launchpad_liquidity_usd: amount.meta({ description: 'Net dollars in the curve; 0 after graduation.' }),
    launchpad_liquidity_usd_raw: raw.meta({ description: 'Base units of the chain’s dollar.' }),
    launchpad_progress_pct: amount.meta({ description: '0 to 100.' }),
  })
  .meta({ id: 'TokenStats' });

export const getTokenStats = operation({
  name: 'getTokenStats',
  summary: 'What a token is worth, how much it is traded, and how that changed in 5 minutes, 1, 6 and 24 hours.',
  description: [
    'One row per chain that the token is deployed on; all values are decimal text. A change is now less then; `_pct` is in',
    'percent of then, and null where then was nothing. Then is the time a window ago, or the creation when that was later.',
    'A change of volume compares the window with the one before it. Null is unknown, never 0.',
  ].join(' '),
  method: 'POST',
  path: '/get-token-stats',
  tag: 'Tokens',
  input: z.object({ token_id: TokenRef }),
  output: z.object({ success: z.literal(true), stats: z.array(Stats) }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token' },
});
