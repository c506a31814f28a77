import type { Kysely } from 'kysely';
import type { Database, Row } from '../../src/db/chainTables.ts';

/**
 * The kept tables again, the slow way: from the rows of trades, transfers and credits alone, by the definitions of
 * `docs/decisions/0012` and nothing of the indexer's code. Rows are compared as sets of text.
 */
export const recomputedOf = async (db: Kysely<Database>): Promise<Record<string, string[]>> => {
  const chain = await db.selectFrom('chain').selectAll().executeTakeFirstOrThrow();
  const inOrder = ['block_number', 'log_index'] as const;
  const tokens = await db.selectFrom('token').selectAll().execute();
  const trades = await db.selectFrom('trade').selectAll().orderBy(inOrder[0]).orderBy(inOrder[1]).execute();
  const transfers = await db.selectFrom('transfer').selectAll().orderBy(inOrder[0]).orderBy(inOrder[1]).execute();
  const credits = await db.selectFrom('fee_credit').selectAll().execute();
  const links = await db.selectFrom('earner_wallet').selectAll().execute();
  const scale = 10n ** BigInt(18 - chain.usd_decimals);
  const now = (chain.indexed_time as Date).getTime();
  return {
    candle: tokens.flatMap((token) => candlesOf(token, trades, scale)).toSorted(),
    token_window: tokens.map((token) => windowsOf(token, trades, transfers, now, scale)).toSorted(),
    trader: tradersOf(trades).toSorted(),
    fee_sum: feeSumsOf(credits).toSorted(),
    earner: earnersOf(credits, links, now, scale).toSorted(),
    traded: tradedOf(trades).toSorted(),
  };
};

/** The same of the kept tables. */
export const keptOf = async (db: Kysely<Database>): Promise<Record<string, string[]>> => {
  const candles = await db.selectFrom('candle').selectAll().execute();
  const windows = await db.selectFrom('token_window').selectAll().execute();
  const traders = await db.selectFrom('trader').selectAll().execute();
  const sums = await db.selectFrom('fee_sum').selectAll().execute();
  const earners = await db.selectFrom('earner').selectAll().execute();
  const balances = await db.selectFrom('balance').selectAll().execute();
  return {
    candle: candles
      .map((row) =>
        text(
          row.token,
          row.seconds,
          row.bucket.getTime(),
          row.open_usd18,
          row.high_usd18,
          row.low_usd18,
          row.close_usd18,
          row.volume_tokens,
          row.volume_usd18,
          row.trades,
        ),
      )
      .toSorted(),
    token_window: windows
      .map((row) =>
        text(
          row.token,
          row.volume_usd18_1m,
          ...(['5m', '1h', '6h', '24h'] as const).flatMap((window) => [
            row[`volume_usd18_${window}`],
            row[`before_usd18_${window}`],
            row[`price_then_usd18_${window}`],
            row[`holders_then_${window}`],
            row[`progress_then_pct18_${window}`],
          ]),
          row.price_change_usd18_24h,
        ),
      )
      .toSorted(),
    trader: traders
      .map((row) =>
        text(row.wallet, row.volume_usd, row.trades, row.first_trade_at.getTime(), row.last_trade_at.getTime()),
      )
      .toSorted(),
    fee_sum: sums.map((row) => text(row.recipient, row.distribution_type, row.credits, row.earned)).toSorted(),
    earner: earners.map((row) => text(row.network, row.account, row.earned_usd18, row.earned_7d_usd18)).toSorted(),
    traded: balances
      .filter((row) => row.bought_tokens > 0n || row.sold_tokens > 0n)
      .map((row) => text(row.token, row.wallet, row.bought_usd, row.bought_tokens, row.sold_usd, row.sold_tokens))
      .toSorted(),
  };
};

const text = (...values: (string | number | bigint)[]): string => values.join(' ');

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

const max = (values: readonly bigint[]): bigint => values.reduce((most, value) => (value > most ? value : most));

const min = (values: readonly bigint[]): bigint => values.reduce((least, value) => (value < least ? value : least));

const candlesOf = (token: Row<'token'>, all: readonly Row<'trade'>[], scale: bigint): string[] => {
  const trades = all.filter((trade) => trade.token === token.address);
  return [60, 300, 900, 3600, 14_400, 86_400].flatMap((seconds) => {
    const bucketOf = (trade: Row<'trade'>) => trade.time.getTime() - (trade.time.getTime() % (seconds * 1000));
    return [...new Set(trades.map(bucketOf))].map((bucket) => {
      const own = trades.filter((trade) => bucketOf(trade) === bucket);
      const open = trades.findLast((trade) => trade.time.getTime() < bucket)?.price_usd18 ?? token.start_price_usd18;
      const prices = [open, ...own.map((trade) => trade.price_usd18)];
      return text(
        token.address,
        seconds,
        bucket,
        open,
        max(prices),
        min(prices),
        prices.at(-1) as bigint,
        sum(own.map((trade) => trade.tokens)),
        sum(own.map((trade) => trade.gross_usd)) * scale,
        own.length,
      );
    });
  });
};

const windowsOf = (
  token: Row<'token'>,
  allTrades: readonly Row<'trade'>[],
  allTransfers: readonly Row<'transfer'>[],
  now: number,
  scale: bigint,
): string => {
  const trades = allTrades.filter((trade) => trade.token === token.address);
  const transfers = allTransfers.filter((transfer) => transfer.token === token.address);
  const price = trades.at(-1)?.price_usd18 ?? token.start_price_usd18;
  const volume = (from: number, to: number): bigint =>
    sum(
      trades
        .filter(({ time }) => time.getTime() > now - from * 1000 && time.getTime() <= now - to * 1000)
        .map((trade) => trade.gross_usd),
    ) * scale;
  const then = (seconds: number) => {
    const isBefore = ({ time }: { time: Date }) => time.getTime() <= now - seconds * 1000;
    const trade = trades.findLast(isBefore);
    return {
      price: trade?.price_usd18 ?? token.start_price_usd18,
      holders: transfers.findLast(isBefore)?.holders ?? 0,
      progress: trade?.progress_pct18 ?? 0n,
    };
  };
  return text(
    token.address,
    volume(60, 0),
    ...[300, 3600, 21_600, 86_400].flatMap((seconds) => [
      volume(seconds, 0),
      volume(2 * seconds, seconds),
      ...Object.values(then(seconds)),
    ]),
    price - then(86_400).price,
  );
};

const tradersOf = (trades: readonly Row<'trade'>[]): string[] =>
  [...Map.groupBy(ownTrades(trades), (trade) => trade.trader)].map(([wallet, own]) =>
    text(
      wallet,
      sum(own.map((trade) => trade.gross_usd)),
      own.length,
      (own[0] as Row<'trade'>).time.getTime(),
      (own.at(-1) as Row<'trade'>).time.getTime(),
    ),
  );

/** Without what foreign routers did in a person's transaction. */
const ownTrades = (trades: readonly Row<'trade'>[]): Row<'trade'>[] => trades.filter((trade) => !trade.foreign_router);

const feeSumsOf = (credits: readonly Row<'fee_credit'>[]): string[] =>
  [...Map.groupBy(credits, (credit) => `${credit.recipient} ${credit.distribution_type}`)].map(([key, own]) =>
    text(key, own.length, sum(own.map((credit) => credit.amount))),
  );

const earnersOf = (
  credits: readonly Row<'fee_credit'>[],
  links: readonly Row<'earner_wallet'>[],
  now: number,
  scale: bigint,
): string[] => {
  const accountOf = (wallet: string) => links.find((link) => link.wallet === wallet)?.account ?? wallet;
  const people = credits.filter((credit) => credit.distribution_type !== 255);
  const weekAgo = now - 7 * 86_400_000;
  return [...Map.groupBy(people, (credit) => accountOf(credit.recipient))].flatMap(([account, own]) => {
    const week = own.filter((credit) => credit.time.getTime() > weekAgo);
    const sums = [own, week].map((list) => sum(list.map((credit) => credit.amount)) * scale) as [bigint, bigint];
    return ['testnet', 'both'].map((network) => text(network, account, ...sums));
  });
};

const tradedOf = (trades: readonly Row<'trade'>[]): string[] =>
  [...Map.groupBy(ownTrades(trades), (trade) => `${trade.token} ${trade.trader}`)].map(([key, own]) => {
    const buys = own.filter((trade) => trade.side === 'buy');
    const sells = own.filter((trade) => trade.side === 'sell');
    return text(
      key,
      sum(buys.map((trade) => trade.gross_usd)),
      sum(buys.map((trade) => trade.tokens)),
      sum(sells.map((trade) => trade.gross_usd - trade.base - trade.excess - trade.builder_fee)),
      sum(sells.map((trade) => trade.tokens)),
    );
  });
