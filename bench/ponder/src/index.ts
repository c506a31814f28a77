import { ponder } from 'ponder:registry';
import { balance, candle, token, trade } from 'ponder:schema';

const scale = 10n ** 18n;

ponder.on('Launchpad:TokenCreated', async ({ event, context: { db } }) => {
  const { token: address, creator, name, symbol, virtualTokens, virtualUsd } = event.args;
  const price = (virtualUsd * scale) / virtualTokens;
  await db.insert(token).values({ address, creator, name, symbol, price, volume: 0n, trades: 0 });
});

ponder.on('Launchpad:Trade', async ({ event, context: { db } }) => {
  const { token: address, trader, record } = event.args;
  const time = Number(event.block.timestamp);
  const tokens = record.tokens < 0n ? -record.tokens : record.tokens;
  const price = (record.grossUsd * scale) / tokens;
  await db.insert(trade).values({
    id: event.id,
    token: address,
    trader,
    isBuy: record.tokens >= 0n,
    grossUsd: record.grossUsd,
    tokens,
    base: (record.grossUsd + 99n) / 100n,
    time,
    block: Number(event.block.number),
  });
  await db
    .update(token, { address })
    .set((row) => ({ price, volume: row.volume + record.grossUsd, trades: row.trades + 1 }));
  const bucket = time - (time % 60);
  const first = { token: address, bucket, open: price, high: price, low: price, close: price, volume: record.grossUsd };
  await db
    .insert(candle)
    .values(first)
    .onConflictDoUpdate((row) => ({
      high: price > row.high ? price : row.high,
      low: price < row.low ? price : row.low,
      close: price,
      volume: row.volume + record.grossUsd,
    }));
});

ponder.on('Token:Transfer', async ({ event, context: { db } }) => {
  const { from, to, value } = event.args;
  const address = event.log.address;
  await db
    .insert(balance)
    .values({ token: address, wallet: from, amount: -value })
    .onConflictDoUpdate((row) => ({ amount: row.amount - value }));
  await db
    .insert(balance)
    .values({ token: address, wallet: to, amount: value })
    .onConflictDoUpdate((row) => ({ amount: row.amount + value }));
});
