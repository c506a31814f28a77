import { read } from '../command/read.ts';
import { table } from '../output/table.ts';
import { ago, dollars, short } from '../output/words.ts';

export const tokens = read({
  operation: 'getTokensV2',
  show: ({ tokens }) =>
    table(tokens, [
      { head: 'token', of: ({ name }) => name },
      { head: 'symbol', of: ({ symbol }) => symbol },
      { head: 'slug', of: ({ slug }) => slug },
      { head: 'price', isNumber: true, of: ({ price }) => dollars(price) },
      { head: 'market cap', isNumber: true, of: ({ market_cap }) => dollars(market_cap) },
      { head: 'volume 24 h', isNumber: true, of: ({ volume_24h }) => dollars(volume_24h) },
      { head: '24 h', isNumber: true, of: ({ price_change_24h_percent }) => change(price_change_24h_percent) },
      { head: 'sold', isNumber: true, of: (token) => progress(token.launchpad_progress_pct) },
      { head: 'created', isNumber: true, of: ({ created_at }) => ago(created_at) },
    ]),
  follows: () => ({ topic: 'tokenActivity' }),
});

const progress = (percent: number | null) => (percent === null ? null : `${short(percent.toFixed(1), 1)} %`);

const change = (percent: number | null) =>
  percent === null ? null : ({ text: `${percent.toFixed(1)} %`, tone: percent < 0 ? 'down' : 'up' } as const);
