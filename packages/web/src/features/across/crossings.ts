import type { ChainSlug, Prepared, Sent, TransactionStatusAnswer } from '@mintage/sdk';
import { type Api, read } from '../../lib/api.ts';
import { mayBeSent } from '../../lib/refusal.ts';
import { ownKey } from '../../lib/session.ts';
import { store, stored } from '../../lib/storage.ts';
import { connectedWallet, isOn } from '../../lib/wallet.ts';

/** Tokens on their way to another chain or another wallet, as this browser keeps it until they are there. */
export interface Crossing {
  id: string;
  chain: ChainSlug;
  to: ChainSlug;
  /** Whose it is: nobody else of this browser sees it. */
  userId: string | null;
  tokenId: string;
  symbol: string;
  /** Whole tokens, decimal text; null: only a word that the token is there. */
  amount: string | null;
  /** Null: a wallet or the service was asked, and has not said yet whether it was sent. */
  hash: string | null;
  /** Until then, by what it is found: what an own wallet was given. */
  asked?: { prepared: Prepared<'transferToken'> | Prepared<'registerToken'>; sent: Sent } | undefined;
  /** The same where the service sends it: the key of the call. */
  callKey?: string | undefined;
}

export const crossingsName = 'crossings';
const most = 20;

const crossings = (): Crossing[] => stored<Crossing[]>(crossingsName) ?? [];

/** Adds it, or puts it in the place of what was known of it. */
export const keepCrossing = (crossing: Crossing): void => {
  const others = crossings().filter(({ id }) => id !== crossing.id);
  store(crossingsName, [crossing, ...others].slice(0, most));
};

export const dropCrossing = (id: string): void =>
  store(
    crossingsName,
    crossings().filter((one) => one.id !== id),
  );

export type CrossingState = 'asked' | 'sending' | 'sent' | 'verified' | 'delivered' | 'failed' | 'lost' | 'reverted';

export const stateOf = (
  { hash, chain, to }: Crossing,
  answer: TransactionStatusAnswer | null | undefined,
): CrossingState => {
  if (hash === null) return 'asked';
  if (answer?.delivery !== undefined) return answer.delivery.state;
  // Within a chain it is there as soon as it is in a block.
  if (chain === to && (answer?.status === 'mined' || answer?.status === 'final')) return 'delivered';
  if (answer?.status === 'reverted' || answer?.status === 'failed') return 'reverted';
  return 'sending';
};

/** These are of this page's life: the service is being asked, and answers here. */
export const askedHere = new Set<string>();

/** How far it is; null: nobody knows the transaction yet. Asked until nothing changes any more. */
export const crossingStatus = (crossing: Crossing, isSignedIn: boolean) => ({
  ...read(
    [ownKey, 'crossing', crossing.id, crossing.hash],
    async (api, options): Promise<TransactionStatusAnswer | null> => {
      const { hash, chain, callKey } = crossing;
      if (askedHere.has(crossing.id)) return null;
      const named = hash === null ? { idempotencyKey: callKey ?? '' } : { hash, chainSlug: chain };
      if (hash === null && callKey === undefined) {
        await findAsked(api, crossing);
        return null;
      }
      try {
        const answer = await api.transactionStatus(named, options);
        if (hash === null && answer.hash !== '') keepCrossing({ ...crossing, hash: answer.hash, callKey: undefined });
        return answer;
      } catch (error) {
        if ((error as { code?: unknown }).code === 'TRANSACTION_NOT_FOUND') return null;
        throw error;
      }
    },
    { enabled: isSignedIn },
  ),
  refetchInterval: (query: { state: { data: TransactionStatusAnswer | null | undefined } }): number | false =>
    ['delivered', 'lost', 'reverted'].includes(stateOf(crossing, query.state.data)) ? false : 2_000,
});

/** Looks for it among what the wallet has sent, where it is on that chain now. */
const findAsked = async (api: Api, crossing: Crossing): Promise<void> => {
  const { asked } = crossing;
  const wallet = connectedWallet();
  const from = asked?.prepared.answer.transactions[0];
  if (asked === undefined || wallet === null || from === undefined) return;
  if (!isOn(wallet, { slug: crossing.chain, chainId: from.chainId })) return;
  const { executeHere } = await import('../../lib/signing.ts');
  try {
    const { transactions } = await executeHere(api, asked.prepared, wallet, { sent: [asked.sent], timeoutMs: 5_000 });
    keepCrossing({ ...crossing, hash: transactions.at(-1)?.hash ?? null, asked: undefined });
  } catch (error) {
    if (!mayBeSent(error)) throw error;
  }
};
