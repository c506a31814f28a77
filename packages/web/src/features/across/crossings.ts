import type { ChainSlug, TransactionStatusAnswer } from '@mintage/sdk';
import { read } from '../../lib/api.ts';
import { ownKey } from '../../lib/session.ts';
import { store, stored } from '../../lib/storage.ts';

/** Tokens on their way to another chain, as this browser keeps it until they are there. */
export interface Crossing {
  chain: ChainSlug;
  to: ChainSlug;
  hash: string;
  /** Whose it is: nobody else of this browser sees it. */
  userId: string | null;
  tokenId: string;
  symbol: string;
  /** Whole tokens, decimal text; null: only a word that the token is there. */
  amount: string | null;
}

export const crossingsName = 'crossings';
const most = 20;

export const addCrossing = (crossing: Crossing): void => {
  const others = (stored<Crossing[]>(crossingsName) ?? []).filter(({ hash }) => hash !== crossing.hash);
  store(crossingsName, [crossing, ...others].slice(0, most));
};

export const dropCrossing = (hash: string): void =>
  store(
    crossingsName,
    (stored<Crossing[]>(crossingsName) ?? []).filter((one) => one.hash !== hash),
  );

export type CrossingState = 'sending' | 'sent' | 'verified' | 'delivered' | 'failed' | 'lost' | 'reverted';

export const stateOf = (answer: TransactionStatusAnswer | null | undefined): CrossingState => {
  if (answer?.delivery !== undefined) return answer.delivery.state;
  if (answer?.status === 'reverted' || answer?.status === 'failed') return 'reverted';
  return 'sending';
};

/** How far it is; null: the chain does not know the transaction yet. Asked until nothing changes any more. */
export const crossingStatus = ({ hash, chain }: Crossing, isSignedIn: boolean) => ({
  ...read(
    [ownKey, 'crossing', hash],
    async (api, options): Promise<TransactionStatusAnswer | null> => {
      try {
        return await api.transactionStatus({ hash, chainSlug: chain }, options);
      } catch (error) {
        if ((error as { code?: unknown }).code === 'TRANSACTION_NOT_FOUND') return null;
        throw error;
      }
    },
    { enabled: isSignedIn },
  ),
  refetchInterval: (query: { state: { data: TransactionStatusAnswer | null | undefined } }): number | false =>
    ['delivered', 'lost', 'reverted'].includes(stateOf(query.state.data)) ? false : 2_000,
});
