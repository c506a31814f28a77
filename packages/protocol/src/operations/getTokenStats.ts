import { z } from 'zod';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { IsoTime, TokenRef } from '../schemas/scalars.ts';
import { amount, CountText, raw, wallet } from '../schemas/tokenHistory.ts';
import { TradeVenue } from '../schemas/venue.ts';
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
    chain: z.string().meta({ description: 'Slug of the chain.' }),
    platform_id: ShownPlatformId,
    token_address: wallet.meta({ description: 'Contract address there.' }),
    price_usd: amount.meta({ description: 'USD per whole token after the last trade.' }),
    market_cap_usd: amount.meta({ description: 'Price times the whole supply.' }),
    holder_count: CountText.nullable().meta({ description: 'Wallets that hold some on this chain.' }),
    last_trade_at: IsoTime.nullable().meta({ description: 'Time of the last trade; null: none.' }),
    last_trade_venue: TradeVenue.nullable().meta({ description: 'Where the last trade was made; null: none.' }),
    evt_block_number: z
      .int()
      .nullable()
      .meta({ description: 'Newest indexed block of the chain, where the windows end.' }),
    updated_at: IsoTime.nullable().meta({ description: 'Time of that block.' }),
    total_volume_token: amount.meta({ description: 'Tokens that were ever traded.' }),
    total_volume_token_raw: raw.meta({ description: '`total_volume_token`, in the token’s base units.' }),
    total_volume_usd: amount.meta({ description: 'Gross, fees included.' }),
    total_volume_usd_raw: raw.meta({ description: 'Base units of the chain’s dollar.' }),
    ...windows,
    launchpad_price_usd: amount.meta({
      description: 'USD per whole token on the curve; after graduation the last price there.',
    }),
    launchpad_supply: amount.meta({ description: 'Tokens that the curve sold.' }),
    launchpad_supply_raw: raw.meta({ description: '`launchpad_supply`, in the token’s base units.' }),
    launchpad_tokens_left: amount.meta({ description: 'Tokens that the curve still sells.' }),
    launchpad_tokens_left_raw: raw.meta({ description: '`launchpad_tokens_left`, in the token’s base units.' }),
    launchpad_liquidity_usd: amount.meta({ description: 'Net dollars in the curve; 0 after graduation.' }),
    launchpad_liquidity_usd_raw: raw.meta({ description: 'Base units of the chain’s dollar.' }),
    launchpad_progress_pct: amount.meta({ description: '0 to 100.' }),
  })
  .meta({ id: 'TokenStats' });

export const getTokenStats = operation({
  name: 'getTokenStats',
  summary: 'Returns price, market cap and volume of a token, and their change over 5 minutes, 1, 6 and 24 hours.',
  description:
    'One row per chain that the token is deployed on, its home first; all values are decimal text. It trades at home: ' +
    'other rows have its price and their own holders. A change is the value now minus ' +
    'the value one window ago, or at creation if the token is younger than the window. `_pct` is that change in ' +
    'percent of the earlier value, and null where that value was 0. A change of volume compares the window with the ' +
    'window before it. Null means unknown, never 0.',
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
