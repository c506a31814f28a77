import { z } from 'zod';
import { DecimalText } from '../schemas/scalars.ts';
import {
  CountText,
  eventPlace,
  hash,
  historyDescription,
  pool,
  RawText,
  tokenPage,
  wallet,
} from '../schemas/tokenHistory.ts';
import { TradeVenue } from '../schemas/venue.ts';
import { operation } from './operation.ts';

export const TradeRecord = z
  .looseObject({
    ...eventPlace,
    evt_tx_hash: hash.meta({ description: 'Transaction that it is in.' }),
    venue: TradeVenue.meta({ description: 'Where it was traded.' }),
    trade_type: z.enum(['buy', 'sell']).meta({ description: 'By the trader.' }),
    wallet: wallet.meta({
      description: 'The trader; for a swap through another router, the sender of the transaction.',
    }),
    router: wallet.nullable().meta({
      description:
        'Address of another router that swapped; the swap counts as a trade of the token, not of the wallet. Null otherwise.',
    }),
    pool: pool.nullable().meta({ description: 'Pool id, or the pool’s address on a v3 exchange; null on the curve.' }),
    token_amount: DecimalText.meta({ description: 'Tokens that moved.' }),
    token_amount_raw: RawText.meta({ description: '`token_amount`, in the token’s base units.' }),
    usd_amount: DecimalText.meta({ description: 'Gross: what the buyer paid, or what the venue paid before fees.' }),
    usd_amount_raw: RawText.meta({ description: 'Base units of the chain’s dollar, see quote_decimals.' }),
    price_usd: DecimalText.meta({ description: 'USD per whole token after this trade.' }),
    price_usd_raw: RawText.meta({ description: 'USD with 18 fraction digits.' }),
    market_cap_usd: DecimalText.meta({ description: 'Price times the whole supply.' }),
    market_cap_usd_raw: RawText.meta({ description: 'USD with 18 fraction digits.' }),
    token_decimals: CountText.meta({ description: 'Of the token.' }),
    quote_decimals: CountText.meta({ description: 'Of the chain’s dollar.' }),
    token_decimals_source: z.string().meta({ description: 'Where `token_decimals` is known from.' }),
    quote_decimals_source: z.string().meta({ description: 'Where `quote_decimals` is known from.' }),
  })
  .meta({ id: 'TradeRecord' });

export const getTokenTrades = operation({
  name: 'getTokenTrades',
  summary: 'Lists the trades of a token on the curve and the pool.',
  description: historyDescription,
  method: 'POST',
  path: '/get-token-trades',
  tag: 'Tokens',
  input: z.object(tokenPage),
  output: z.object({ success: z.literal(true), activities: z.array(TradeRecord) }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token', limit: 20 },
});
