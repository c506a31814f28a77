import { read } from '../command/read.ts';
import { table } from '../output/table.ts';
import { abridged, ago, dollars, short } from '../output/words.ts';

export const trades = read({
  operation: 'getTokenTrades',
  words: { token: 'token_id' },
  show: ({ activities }) =>
    table(activities, [
      { head: 'when', of: ({ evt_block_time }) => ago(evt_block_time) },
      { head: '', of: ({ trade_type }) => ({ text: trade_type, tone: trade_type === 'buy' ? 'up' : 'down' }) },
      { head: 'tokens', isNumber: true, of: ({ token_amount }) => short(token_amount) },
      { head: 'dollars', isNumber: true, of: ({ usd_amount }) => dollars(usd_amount) },
      { head: 'price', isNumber: true, of: ({ price_usd }) => dollars(price_usd) },
      { head: 'wallet', of: ({ wallet }) => abridged(wallet) },
      { head: 'chain', of: ({ chain }) => chain },
      { head: 'transaction', of: ({ evt_tx_hash }) => abridged(evt_tx_hash) },
    ]),
  follows: ({ token_id }) => ({ topic: 'tokenActivity', tokenId: String(token_id), activityTypes: ['trade'] }),
});
