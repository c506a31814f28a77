import type { GetUserFeesAnswer } from '@mintage/sdk';
import { sumOf } from '../../lib/exact.ts';
import { type Job, newStep } from '../../lib/jobs.ts';
import { keyOf, sameAddress } from '../../lib/onChain.ts';

/** What one wallet can claim on one chain: one transaction. */
export interface ClaimRow {
  /** Also the name of its step. */
  key: string;
  chain: string;
  /** As `keyOf`. */
  wallet: string;
  isEmbedded: boolean;
  /** Decimal text with their symbols. */
  parts: { amount: string; symbol: string; isDollar: boolean }[];
  usd: string;
}

export interface About {
  rows: ClaimRow[];
}

/** @param dollars - Contract of the dollar token by chain. */
export const isDollar = (
  dollars: ReadonlyMap<string, string>,
  { chain, currency_address }: { chain: string; currency_address: string },
): boolean => sameAddress(dollars.get(chain), currency_address);

/** @param dollars - As above. */
export const claimRows = (
  { wallets }: Pick<GetUserFeesAnswer, 'wallets'>,
  embedded: ReadonlySet<string>,
  dollars: ReadonlyMap<string, string>,
): ClaimRow[] =>
  wallets.flatMap(({ address, chains }) =>
    [...Map.groupBy(chains, ({ chain }) => chain)].map(([chain, parts]): ClaimRow => {
      const wallet = keyOf(address);
      return {
        key: `${chain} ${wallet}`,
        chain,
        wallet,
        isEmbedded: embedded.has(wallet),
        parts: parts.map(({ claimable_amount_with_decimals: amount, symbol, currency_address }) => ({
          amount,
          symbol,
          isDollar: isDollar(dollars, { chain, currency_address }),
        })),
        usd: sumOf(parts.map(({ claimable_usd }) => claimable_usd)),
      };
    }),
  );

/** A step a row: by its own wallet, or by the service for the embedded one. */
export const newClaims = (userId: string, rows: readonly ClaimRow[]): Job<About> => ({
  userId,
  about: { rows: [...rows] },
  steps: rows.map(({ key, chain, wallet, isEmbedded }) =>
    newStep({
      name: key,
      operation: 'claimRewards',
      asked: { chains: [chain], ...(!isEmbedded && { userAddress: wallet }) },
      wallet: isEmbedded ? null : wallet,
    }),
  ),
});
