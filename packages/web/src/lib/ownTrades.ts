import type { ChainSlug, Prepared, Sent } from '@mintage/sdk';
import { useMemo } from 'react';
import { keyOf } from './onChain.ts';
import { useSession } from './session.ts';
import { store, stored } from './storage.ts';
import { useStored } from './useStored.ts';

/** A trade of this browser, from the moment it is given to a wallet until it is final. */
export interface OwnTrade {
  id: string;
  /** Whose it is: nobody else of this browser sees it, or asks what became of it. */
  userId: string | null;
  /** Contract address of the token, as `keyOf`. */
  token: string;
  chainSlug: ChainSlug;
  /** As `keyOf`. */
  wallet: string;
  side: 'buy' | 'sell';
  /** Base units of the token on this chain: as quoted, and as they were once it is mined. */
  tokensRaw: string;
  /** Base units of the chain's dollar, fees included: as quoted, and as they were once it is mined. */
  usdRaw: string;
  usdDecimals: number;
  /** Null: it is not known yet. */
  hash: string | null;
  /** Of an embedded wallet; null: an own wallet sent it. */
  intentId: string | null;
  /** Milliseconds since 1970, by this device. */
  sentAtMs: number;
  /**
   * asked: the wallet was given it, and has not said yet whether it was sent. takenBack: it was in a block that the chain took back.
   * reverted: it is in a block and did nothing, which a reorganisation may still undo. final and failed do not change any more.
   */
  status: 'asked' | 'sent' | 'mined' | 'takenBack' | 'reverted' | 'final' | 'failed';
  /** Null while it is in none. */
  blockNumber: number | null;
  /** What it can be found by, where the page went away before a wallet of its own had answered. */
  asked?: { prepared: Prepared<'tradeToken'>; sent: Sent } | undefined;
  /** The same where the service sends it: the key of the call. */
  callKey?: string;
}

const name = 'trades';
const most = 50;

export const ownTrades = (): OwnTrade[] => stored<OwnTrade[]>(name) ?? [];

export const addOwnTrade = (trade: OwnTrade): void => store(name, [trade, ...ownTrades()].slice(0, most));

export const changeOwnTrade = (id: string, change: Partial<OwnTrade>): void =>
  store(
    name,
    ownTrades().map((trade) => (trade.id === id ? { ...trade, ...change } : trade)),
  );

export const dropOwnTrade = (id: string): void =>
  store(
    name,
    ownTrades().filter((trade) => trade.id !== id),
  );

const none: readonly OwnTrade[] = [];

const useTradesOf = (token: string, isWanted: (trade: OwnTrade) => boolean): readonly OwnTrade[] => {
  const all = useStored<OwnTrade[]>(name);
  const user = useSession()?.userId;
  return useMemo(
    () => all?.filter((trade) => trade.userId === user && trade.token === keyOf(token) && isWanted(trade)) ?? none,
    [all, user, token, isWanted],
  );
};

/** What is left to happen to it. */
export const isOpen = ({ status }: OwnTrade): boolean => status !== 'final' && status !== 'failed';

/** The user's trades with a token by this browser that are not settled yet, also those that a wallet is asked for. */
export const useOpenTrades = (token: string): readonly OwnTrade[] => useTradesOf(token, isOpen);

const isSent = ({ status }: OwnTrade): boolean => status !== 'asked';

const isAny = (): boolean => true;

/** All of the user's trades with a token by this browser, also those that a wallet is asked for, newest first, the same in all tabs; none on the server. */
export const useOwnTrades = (token: string): readonly OwnTrade[] => useTradesOf(token, isAny);

/** Those that were sent. */
export const useSentTrades = (token: string): readonly OwnTrade[] => useTradesOf(token, isSent);
