import type { GetTokenCandlesInput, TokenAbout, TokenV2 } from '@mintage/sdk';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { apiOf, read } from './api.ts';
import { type Candle, type Candles, candleOf, type Interval, withEarlier, withNewer } from './candles.ts';
import { ownKey } from './session.ts';
import { type Trade, type TradeList, tradeOfRecord, withNewest, withOlder } from './trades.ts';

/** The questions of the page of one token. All but the first name it by its id, which no other token can take. */

/** Exactly this token: id, platform id, contract address or slug. */
export const tokenAbout = (reference: string) =>
  read(
    ['about', reference],
    (api, options) => api.getTokenAbout({ token_id: reference }, options).then(({ token }) => token),
    { staleTime: 10_000 },
  );

/** Everything of a token that changes with its trades begins with this. */
export const ofToken = (id: string) => ['of token', id] as const;

export const tokenStats = (id: string) =>
  read([...ofToken(id), 'stats'], (api, options) =>
    api.getTokenStats({ token_id: id }, options).then(({ stats }) => stats),
  );

export const tokenCurve = (id: string) =>
  read([...ofToken(id), 'curve'], (api, options) => api.getPoolData({ tokenId: id }, options).then(({ data }) => data));

export const tokenFacts = (id: string) =>
  read(
    [...ofToken(id), 'facts'],
    (api, options) => api.getTokenFacts({ token_id: id }, options).then(({ facts }) => facts),
    { staleTime: 10_000 },
  );

export const tokenHolders = (id: string) =>
  read([...ofToken(id), 'holders'], (api, options) => api.getTokenHolders({ token_id: id, limit: 100 }, options));

/** What its creator wrote about it; null: nothing is known of it. */
export const tokenSaid = ({ id }: TokenAbout) =>
  read(
    [...ofToken(id), 'said'],
    async (api, options): Promise<TokenV2 | null> => {
      const { tokens } = await api.getTokensV2({ token_ids: [id] }, options);
      return tokens[0] ?? null;
    },
    { staleTime: 60_000 },
  );

const tradesOnPage = 20;
const tradesKey = (id: string) => [...ofToken(id), 'trades'] as const;

export const tokenTrades = (id: string) =>
  queryOptions({
    queryKey: tradesKey(id),
    queryFn: async ({ client, signal }): Promise<TradeList> => {
      const before = client.getQueryData<TradeList>(tradesKey(id));
      const page = await tradesFrom(client, id, 0, signal);
      return withNewest(before, client.getQueryData<TradeList>(tradesKey(id)), page, tradesOnPage);
    },
  });

const tradesFrom = async (client: QueryClient, id: string, offset: number, signal?: AbortSignal): Promise<Trade[]> => {
  const asked = { token_id: id, limit: tradesOnPage, offset };
  const { activities } = await apiOf(client).getTokenTrades(asked, signal && { signal });
  return activities.map(tradeOfRecord);
};

/** Adds the page of trades before those that are shown. */
export const readOlderTrades = async (client: QueryClient, id: string): Promise<void> => {
  const shown = client.getQueryData<TradeList>(tradesKey(id));
  if (shown === undefined || shown.isWhole) return;
  const counted = shown.rows.filter(({ isTakenBack }) => !isTakenBack).length;
  const page = await tradesFrom(client, id, counted);
  client.setQueryData<TradeList>(tradesKey(id), (now) => now && withOlder(now, page, tradesOnPage));
};

const candlesAtOnce = 300;
const candlesKey = (id: string, interval: Interval) => [...ofToken(id), 'candles', interval] as const;

/** Read whole once, then from the newest one on. */
export const tokenCandles = (id: string, interval: Interval) =>
  queryOptions({
    queryKey: candlesKey(id, interval),
    queryFn: async ({ client, signal }): Promise<Candles> => {
      const shown = client.getQueryData<Candles>(candlesKey(id, interval));
      const from = shown?.rereadFrom ?? shown?.list.at(-1)?.[0];
      if (shown === undefined || from === undefined) {
        const list = await candlesOf(client, { token_id: id, candle_interval: interval, limit: candlesAtOnce }, signal);
        return { interval, list, isWhole: list.length < candlesAtOnce, rereadFrom: null };
      }
      const asked = { token_id: id, candle_interval: interval, from_timestamp: isoOf(from), limit: mostCandles };
      const newer = await candlesOf(client, asked, signal);
      return withNewer(client.getQueryData<Candles>(candlesKey(id, interval)) ?? shown, newer);
    },
    refetchInterval: 20_000,
  });

const mostCandles = 5_000;
const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** The newest that are asked for, oldest first. */
const candlesOf = async (client: QueryClient, asked: GetTokenCandlesInput, signal?: AbortSignal): Promise<Candle[]> => {
  const { candles } = await apiOf(client).getTokenCandles({ ...asked, ascending: false }, signal && { signal });
  return candles.map(candleOf).toReversed();
};

/** Adds the candles before those that are shown. */
export const readEarlierCandles = async (client: QueryClient, id: string, interval: Interval): Promise<void> => {
  const key = candlesKey(id, interval);
  const shown = client.getQueryData<Candles>(key);
  const first = shown?.list[0];
  if (shown === undefined || first === undefined || shown.isWhole) return;
  const limit = 1_000;
  const asked = { token_id: id, candle_interval: interval, to_timestamp: isoOf(first[0]), limit };
  const earlier = await candlesOf(client, asked);
  client.setQueryData<Candles>(key, (now) => now && withEarlier(now, earlier, limit));
};

/** What the caller's wallets hold of it, and what that cost. */
export const ownPosition = (id: string, isSignedIn: boolean) =>
  read([ownKey, 'position', id], (api, options) => api.getUserPnl({ token_id: id }, options).then(({ data }) => data), {
    enabled: isSignedIn,
    staleTime: 5_000,
  });
