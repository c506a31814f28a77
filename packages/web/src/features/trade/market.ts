import { answeredState, type PricedState, type QuoteTokenAnswer, type ServedChain } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLive } from '../../lib/live.ts';
import { sameAddress } from '../../lib/onChain.ts';
import { quote, quoteKey } from '../../lib/queries.ts';
import type { Side } from './terms.ts';

/** A token as far as it is traded here. */
export interface Traded {
  id: string;
  symbol: string;
  /** Contract address, as `keyOf`. */
  address: string;
  chainSlug: ServedChain['slug'];
}

export interface Market {
  /** Prices any amount, by the time of blocks; null: not known yet. */
  state: PricedState | null;
  blockNumber: number | null;
  /** Seconds since the state was read, and for how many it is good. */
  ageSeconds: number;
  lifetimeSeconds: number;
  /** Whether the opening fee is above its end at the newest block, as the service says. */
  isOpening: boolean;
  error: unknown;
  retry(): void;
}

/** How often the clock of the figures goes, milliseconds: their seconds are whole ones. */
const stepMs = 250;
/** While the opening fee falls, each block is of interest. */
const windowRefreshMs = 1_000;
/** Trades that come together are one reason to read again; an answer may be a second behind them, and is asked for so often. */
const againMs = 200;
const mostAgain = 6;

/** Milliseconds since a value was first seen here, by a clock that nobody sets. */
const useAgeMs = (value: unknown): number => {
  const [age, setAge] = useState<{ value: unknown; ms: number }>({ value, ms: 0 });
  useEffect(() => {
    const beganMs = performance.now();
    const timer = setInterval(() => setAge({ value, ms: performance.now() - beganMs }), stepMs);
    return () => clearInterval(timer);
  }, [value]);
  return age.value === value ? age.ms : 0;
};

/** For how long an answer may be shown, milliseconds. */
const lifetimeMs = ({ data }: QuoteTokenAnswer): number => Date.parse(data.expiresAt) - Date.parse(data.timestamp);

/** The market of a token, followed: read again when it gets old and when somebody trades. */
export const useMarket = (token: Traded, chain: ServedChain | undefined, side: Side): Market => {
  const { id, address, chainSlug } = token;
  const { data, error, refetch } = useQuery({
    ...quote(id, chainSlug, side),
    refetchInterval: ({ state }) => {
      const { data: answer } = state;
      if (answer === undefined) return 5_000;
      return answer.data.antiSnipe === null ? lifetimeMs(answer) : windowRefreshMs;
    },
  });
  useReadAgain(token);
  const ageMs = useAgeMs(data);
  const answered = useMemo(
    () => (data === undefined || chain === undefined ? null : stateOf(data, chain, address)),
    [data, chain, address],
  );
  const seconds = Math.floor(ageMs / 1_000);
  const state = useMemo(
    () => answered && { ...answered, ageSeconds: answered.ageSeconds + seconds },
    [answered, seconds],
  );
  return {
    state,
    blockNumber: data?.data.state.blockNumber ?? null,
    ageSeconds: ageMs / 1_000,
    lifetimeSeconds: data === undefined ? 0 : lifetimeMs(data) / 1_000,
    isOpening: data === undefined || data.data.antiSnipe !== null,
    error,
    retry: () => void refetch(),
  };
};

/** Reads the price again after each trade, until it is of that trade's block. */
const useReadAgain = ({ id, chainSlug }: Traded): void => {
  const client = useQueryClient();
  const newest = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const again = (left: number): void => {
    timer.current = setTimeout(async () => {
      await client.invalidateQueries({ queryKey: [quoteKey, id] });
      const answers = client.getQueriesData<QuoteTokenAnswer>({ queryKey: [quoteKey, id], type: 'active' });
      const isNew = answers.every(([, answer]) => (answer?.data.state.blockNumber ?? 0) >= newest.current);
      timer.current = undefined;
      if (!isNew && left > 1) again(left - 1);
      else newest.current = 0;
    }, againMs);
  };
  useLive({ topic: 'tokenActivity', tokenId: id, chains: [chainSlug] }, (item) => {
    // What came before the stream began, and what was taken back, has no block to wait for.
    const block = item.type === 'event' ? item.data.evt_block_number : Number.POSITIVE_INFINITY;
    newest.current = Math.max(newest.current, block);
    if (timer.current === undefined) again(item.type === 'event' ? mostAgain : 2);
  });
};

/** Null for an answer about another contract: it prices nothing of this one. */
const stateOf = ({ data }: QuoteTokenAnswer, { dollarToken }: ServedChain, address: string): PricedState | null =>
  sameAddress(data.state.token, address) ? answeredState(data.state, { usd: dollarToken.address }) : null;
