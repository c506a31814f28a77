import type { StreamActivity, TradeRecord } from '@mintage/sdk';

/** A trade as pages show it. Amounts and prices are decimal text. */
export interface Trade {
  /** Of its log: unique, and the same in lists and streams. */
  key: string;
  chain: string;
  hash: string;
  block: number;
  index: number;
  at: string;
  side: 'buy' | 'sell';
  wallet: string;
  /** It went through another router, so the wallet only sent the transaction. */
  isForeign: boolean;
  tokens: string;
  /** Gross dollars, fees included. */
  usd: string;
  price: string;
  marketCap: string;
  /** It happened on a branch that the chain left. */
  isTakenBack: boolean;
}

/** Newest first. */
export interface TradeList {
  rows: readonly Trade[];
  /** Whether there is nothing older. */
  isWhole: boolean;
}

const keyOf = (chain: string, hash: string, index: number): string => `${chain} ${hash} ${index}`;

export const tradeOfRecord = (record: TradeRecord): Trade => ({
  key: keyOf(record.chain, record.evt_tx_hash, record.evt_index),
  chain: record.chain,
  hash: record.evt_tx_hash,
  block: record.evt_block_number,
  index: record.evt_index,
  at: record.evt_block_time,
  side: record.trade_type,
  wallet: record.wallet,
  isForeign: record.router !== null,
  tokens: record.token_amount,
  usd: record.usd_amount,
  price: record.price_usd,
  marketCap: record.market_cap_usd,
  isTakenBack: false,
});

/** Null: the activity is no trade. */
export const tradeOfActivity = (activity: StreamActivity): Trade | null => {
  const {
    activity_subtype: side,
    token_amount: tokens,
    usd_amount: usd,
    price_usd: price,
    market_cap_usd: marketCap,
  } = activity;
  if (side !== 'buy' && side !== 'sell') return null;
  if (tokens === null || usd === null || price === null || marketCap === null) return null;
  return {
    key: keyOf(activity.chain, activity.tx_hash, activity.evt_index),
    chain: activity.chain,
    hash: activity.tx_hash,
    block: activity.evt_block_number,
    index: activity.evt_index,
    at: activity.evt_block_time,
    side,
    wallet: activity.trader ?? activity.wallet ?? '',
    isForeign: activity.router != null,
    tokens,
    usd,
    price,
    marketCap,
    isTakenBack: false,
  };
};

const newestFirst = (a: Trade, b: Trade): number => b.block - a.block || b.index - a.index;

/** With a trade that a stream told. One that was taken back and happened again stands once. */
export const withTrade = ({ rows, isWhole }: TradeList, trade: Trade): TradeList => ({
  rows: [trade, ...rows.filter(({ key }) => key !== trade.key)].toSorted(newestFirst),
  isWhole,
});

/** The row stays, struck through. */
export const takenBack = ({ rows, isWhole }: TradeList, key: string): TradeList => ({
  rows: rows.map((row) => (row.key === key ? { ...row, isTakenBack: true } : row)),
  isWhole,
});

/**
 * What is shown once the newest page was read again. A row in its range that was shown when it was asked, and that it has no more, was
 * taken back meanwhile; one that a stream told since is newer than it. Where the two have nothing in common, something between them is
 * not known, and only the new page is shown.
 */
export const withNewest = (
  before: TradeList | undefined,
  now: TradeList | undefined,
  page: readonly Trade[],
  limit: number,
): TradeList => {
  const isWhole = page.length < limit;
  if (now === undefined || before === undefined) return { rows: page, isWhole };
  const inPage = new Set(page.map(({ key }) => key));
  const wasShown = new Set(before.rows.map(({ key }) => key));
  const oldest = page.at(-1);
  const isInRange = (row: Trade): boolean => isWhole || oldest === undefined || newestFirst(row, oldest) < 0;
  if (!isWhole && !before.rows.some(({ key }) => inPage.has(key))) return { rows: page, isWhole };
  const kept = now.rows.flatMap((row) => {
    if (inPage.has(row.key)) return [];
    return [wasShown.has(row.key) && isInRange(row) ? { ...row, isTakenBack: true } : row];
  });
  return { rows: [...page, ...kept].toSorted(newestFirst), isWhole: isWhole || now.isWhole };
};

/** With an older page at its end. */
export const withOlder = (shown: TradeList, page: readonly Trade[], limit: number): TradeList => {
  const known = new Set(shown.rows.map(({ key }) => key));
  return { rows: [...shown.rows, ...page.filter(({ key }) => !known.has(key))], isWhole: page.length < limit };
};
