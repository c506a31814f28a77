import { index, onchainTable, primaryKey } from 'ponder';

export const trade = onchainTable(
  'trade',
  (t) => ({
    id: t.text().primaryKey(),
    token: t.hex().notNull(),
    trader: t.hex().notNull(),
    isBuy: t.boolean().notNull(),
    grossUsd: t.bigint().notNull(),
    tokens: t.bigint().notNull(),
    base: t.bigint().notNull(),
    time: t.integer().notNull(),
    block: t.integer().notNull(),
  }),
  (table) => ({ byToken: index().on(table.token, table.time) }),
);

export const token = onchainTable('token', (t) => ({
  address: t.hex().primaryKey(),
  creator: t.hex().notNull(),
  name: t.text().notNull(),
  symbol: t.text().notNull(),
  price: t.bigint().notNull(),
  volume: t.bigint().notNull(),
  trades: t.integer().notNull(),
}));

export const balance = onchainTable(
  'balance',
  (t) => ({ token: t.hex().notNull(), wallet: t.hex().notNull(), amount: t.bigint().notNull() }),
  (table) => ({ pk: primaryKey({ columns: [table.token, table.wallet] }) }),
);

export const candle = onchainTable(
  'candle',
  (t) => ({
    token: t.hex().notNull(),
    bucket: t.integer().notNull(),
    open: t.bigint().notNull(),
    high: t.bigint().notNull(),
    low: t.bigint().notNull(),
    close: t.bigint().notNull(),
    volume: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.token, table.bucket] }) }),
);
