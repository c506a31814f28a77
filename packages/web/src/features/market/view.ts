import type { ChainSlug, GetTokensV2Input, LaunchStage } from '@mintage/sdk';
import { chainLooks } from '../../lib/chainLooks.ts';

export const stages = ['new', 'graduating', 'graduated'] as const satisfies readonly LaunchStage[];
export const orders = ['volume_24h', 'market_cap', 'created_at', 'holders', 'trx'] as const;
export type Order = (typeof orders)[number];

/** What the address says of the market: links and the back button keep all of it. */
export interface View {
  /** Null: all of them. */
  stage: LaunchStage | null;
  /** Null: all of them. */
  chain: ChainSlug | null;
  /** Null: the order of the stage. */
  order: Order | null;
  /** Only tokens that are starred in this browser. */
  isWatched: boolean;
  /** What was searched for; '': nothing. */
  keyword: string;
  /** How many rows are shown at most, a multiple of 50. */
  rows: number;
}

export const rowsOfPage = 50;
/** As many as one question may name. */
export const mostWatched = 100;
const mostRows = 1_000;

const oneOf = <const Word extends string>(words: readonly Word[], text: string | null): Word | null =>
  words.find((word) => word === text) ?? null;

export const viewOf = (search: URLSearchParams): View => {
  const chain = search.get('chain') ?? '';
  const pages = Math.ceil(Number(search.get('rows')) / rowsOfPage);
  return {
    stage: oneOf(stages, search.get('stage')),
    chain: chainLooks(chain) === null ? null : (chain as ChainSlug),
    order: oneOf(orders, search.get('order')),
    isWatched: search.has('watched'),
    keyword: (search.get('q') ?? '').trim().slice(0, 128),
    rows: Math.min(mostRows, Math.max(1, Number.isInteger(pages) ? pages : 1) * rowsOfPage),
  };
};

/** The address of a view, below the root; what is usual is left out. */
export const hrefOf = ({ stage, chain, order, isWatched, keyword, rows }: View): string => {
  const search = new URLSearchParams();
  if (stage !== null) search.set('stage', stage);
  if (chain !== null) search.set('chain', chain);
  if (order !== null) search.set('order', order);
  if (isWatched) search.set('watched', '1');
  if (keyword !== '') search.set('q', keyword);
  if (rows > rowsOfPage) search.set('rows', String(rows));
  const text = search.toString();
  return text === '' ? '/' : `/?${text}`;
};

/** Another view, from its beginning. */
export const changed = (view: View, change: Partial<View>): string => hrefOf({ ...view, rows: rowsOfPage, ...change });

/** By what a stage is ordered where nobody chose: the service's own order of it. */
export const usualOrder = (stage: View['stage']) =>
  (({ all: 'volume_24h', new: 'created_at', graduating: 'progress', graduated: 'graduated_at' }) as const)[
    stage ?? 'all'
  ];

/** The questions for the rows of a view, a page each. */
export const questionsOf = (view: View, watched: readonly string[]): GetTokensV2Input[] => {
  const { stage, chain, keyword, isWatched, rows } = view;
  const order = view.order ?? (stage === null ? 'volume_24h' : null);
  const filter: GetTokensV2Input = {
    ...(stage === null ? {} : { stage }),
    ...(chain === null ? {} : { chains: [chain] }),
    ...(order === null ? {} : { order_by: order }),
    ...(keyword === '' ? {} : { keyword }),
    ...(isWatched ? { token_ids: watched.slice(-mostWatched) } : {}),
  };
  return Array.from({ length: rows / rowsOfPage }, (_, at) => ({
    ...filter,
    limit: rowsOfPage,
    offset: at * rowsOfPage,
  }));
};
