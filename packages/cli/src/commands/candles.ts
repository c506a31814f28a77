import { read } from '../command/read.ts';
import { drawCandles } from '../output/candles.ts';
import { plain } from '../output/plain.ts';
import { dollars, short } from '../output/words.ts';

export const candles = read({
  operation: 'getTokenCandles',
  words: { token: 'token_id' },
  show: ({ candles: answered }) => {
    const inOrder = answered.toSorted((one, other) => one.bucket_start.localeCompare(other.bucket_start));
    const [first, last] = [inOrder.at(0), inOrder.at(-1)];
    if (first === undefined || last === undefined) return 'None.';
    const bars = inOrder.map((candle) => ({
      open: Number(candle.open_price_usd),
      high: Number(candle.high_price_usd),
      low: Number(candle.low_price_usd),
      close: Number(candle.close_price_usd),
    }));
    const volume = inOrder.reduce((sum, { volume_usd }) => sum + Number(volume_usd), 0);
    const width = process.stdout.columns || 100;
    const told = plain(
      `${last.candle_interval} to ${last.bucket_end.slice(0, 16)}Z · last ${dollars(last.close_price_usd)} · volume $${short(volume.toFixed(2), 2)}`,
    );
    return `${drawCandles(bars, width, (price, digits) => dollars(price, digits) ?? '')}\n${told}`;
  },
  follows: ({ token_id }) => ({ topic: 'tokenActivity', tokenId: String(token_id), activityTypes: ['trade'] }),
});
