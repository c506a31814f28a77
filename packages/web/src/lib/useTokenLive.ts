import type { TokenAbout, TokenStats } from '@mintage/sdk';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { bucketOf, type Candles, withTradeIn } from './candles.ts';
import { useLive } from './live.ts';
import { ownKey } from './session.ts';
import { ofToken, tokenAbout, tokenStats, tokenTrades } from './tokenQueries.ts';
import { type Trade, type TradeList, takenBack, tradeOfActivity, withTrade } from './trades.ts';

/** After the last event all that follows from it is read again, milliseconds: a busy token is not read once a trade. */
const settledMs = 700;

/** Keeps the page of a token as the chain has it: trades and price at once, what follows from them a moment later. */
export const useTokenLive = (about: TokenAbout, reference: string): void => {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      void client.invalidateQueries({ queryKey: ofToken(about.id) });
      void client.invalidateQueries({ queryKey: [ownKey, 'position', about.id] });
    }, settledMs);
  };
  useLive({ topic: 'tokenActivity', tokenId: about.id }, (item) => {
    readAgain();
    if (item.type === 'begin') return;
    // Its pool is there, or is gone again.
    if (item.data.activity_type === 'lifecycle')
      void client.invalidateQueries({ queryKey: tokenAbout(reference).queryKey });
    const trade = tradeOfActivity(item.data);
    if (trade === null) return;
    if (item.type === 'event') show(client, about.id, trade);
    else takeBack(client, about.id, trade);
  });
};

const candlesOf = (id: string) => ({ queryKey: [...ofToken(id), 'candles'] });

const show = (client: QueryClient, id: string, trade: Trade): void => {
  client.setQueryData<TradeList>(tokenTrades(id).queryKey, (list) => list && withTrade(list, trade));
  client.setQueriesData<Candles>(candlesOf(id), (candles) => candles && withTradeIn(candles, trade));
  client.setQueryData<TokenStats[]>(tokenStats(id).queryKey, (stats) =>
    stats?.map((row) => ({ ...row, price_usd: trade.price, market_cap_usd: trade.marketCap, last_trade_at: trade.at })),
  );
};

const takeBack = (client: QueryClient, id: string, { key, at }: Trade): void => {
  client.setQueryData<TradeList>(tokenTrades(id).queryKey, (list) => list && takenBack(list, key));
  client.setQueriesData<Candles>(candlesOf(id), (candles) => {
    if (candles === undefined) return undefined;
    const from = bucketOf(Date.parse(at), candles.interval);
    return { ...candles, rereadFrom: Math.min(from, candles.rereadFrom ?? from) };
  });
};
