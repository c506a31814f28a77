import type { GetUserPnlAnswer, GetUserPortfolioAnswer, Position } from '@mintage/sdk';
import { percentOf, signOf, sumOf } from '../../lib/exact.ts';

type Profits = GetUserPnlAnswer['data'];
type Holdings = GetUserPortfolioAnswer['data'];

/** What one wallet holds of a token on one chain. */
export interface Place {
  chain: string;
  wallet: string;
  /** Decimal text, tokens. */
  amount: string;
}

/** A token that the caller's wallets hold or held, all chains together; amounts are decimal text. */
export interface Holding {
  tokenId: string;
  name: string;
  symbol: string;
  slug: string;
  logo: string | null;
  chains: string[];
  amount: string;
  valueUsd: string;
  /** Of the held tokens whose cost is known. */
  unrealisedUsd: string;
  realisedUsd: string;
  /** Of their cost; null: it is 0, or not known. */
  unrealisedPercent: string | null;
  /** Part of the amount whose cost is not known. */
  unpriced: string;
  firstAcquired: string;
  positions: Position[];
  places: Place[];
}

/** Positions are by chain; one row is a token. In the order of the service: most valuable first. */
export const holdingsOf = (profits: Profits, holdings: Holdings | undefined): Holding[] => {
  const places = new Map(
    (holdings?.tokens ?? []).map(({ tokenId, chainBalances }) => [
      tokenId,
      chainBalances.map(({ chain, walletAddress, balanceFormatted }) => ({
        chain,
        wallet: walletAddress,
        amount: balanceFormatted,
      })),
    ]),
  );
  const byToken = Map.groupBy(profits.tokens, ({ tokenId }) => tokenId);
  return [...byToken].flatMap(([tokenId, positions]): Holding[] => {
    const [first] = positions;
    if (first === undefined) return [];
    const sum = (field: 'balance' | 'valueUsd' | 'unrealisedUsd' | 'realisedUsd' | 'costUsd' | 'unpricedTokens') =>
      sumOf(positions.map((one) => one[field]));
    const unrealisedUsd = sum('unrealisedUsd');
    return [
      {
        tokenId,
        name: first.name,
        symbol: first.symbol,
        slug: first.slug,
        logo: first.logo ?? null,
        chains: positions.map(({ chainSlug }) => chainSlug),
        amount: sum('balance'),
        valueUsd: sum('valueUsd'),
        unrealisedUsd,
        realisedUsd: sum('realisedUsd'),
        unrealisedPercent: percentOf(unrealisedUsd, sum('costUsd')),
        unpriced: sum('unpricedTokens'),
        firstAcquired: positions.map(({ firstAcquired }) => firstAcquired).toSorted()[0] ?? first.firstAcquired,
        positions,
        places: places.get(tokenId) ?? [],
      },
    ];
  });
};

export const isHeld = ({ amount }: Holding): boolean => signOf(amount) > 0;

/** A table of every position, a row a token and chain, amounts to the last digit. */
export const csvRows = (positions: readonly Position[]): string[][] => [
  [
    'Token',
    'Symbol',
    'Chain',
    'Contract',
    'Amount',
    'Price USD',
    'Value USD',
    'Cost USD',
    'Unrealised USD',
    'Realised USD',
    'Average cost USD',
    'Amount of unknown cost',
    'Bought USD',
    'Bought tokens',
    'Sold USD',
    'Sold tokens',
    'First held',
  ],
  ...positions.map((one) => [
    one.name,
    one.symbol,
    one.chainSlug,
    one.tokenAddress,
    one.balance,
    one.priceUsd,
    one.valueUsd,
    one.costUsd,
    one.unrealisedUsd,
    one.realisedUsd,
    one.averageCostUsd ?? '',
    one.unpricedTokens,
    one.boughtUsd,
    one.boughtTokens,
    one.soldUsd,
    one.soldTokens,
    one.firstAcquired,
  ]),
];
