import { MintageError, type TransactionStatusAnswer } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Api, apiOf } from '../../lib/api.ts';
import { changeOwnTrade, dropOwnTrade, isOpen, type OwnTrade, ownTrades, useOpenTrades } from '../../lib/ownTrades.ts';
import { quoteKey } from '../../lib/queries.ts';
import { ownKey, signedInUser, useSession } from '../../lib/session.ts';
import { connectedWallet, isOn } from '../../lib/wallet.ts';

const everyMs = 1_000;
/** A transaction that no block took for so long is given up. */
const patienceMs = 600_000;

/** Follows the own trades of a token until they are final, also those that an earlier page began. One tab does it for all. */
export const useFollowTrades = (token: string, tokenId: string): void => {
  const client = useQueryClient();
  const session = useSession();
  const open = useOpenTrades(token);
  const hasOpen = open.length > 0;
  const states = open.map(({ id, status }) => `${id} ${status}`).join();
  // The figures follow whenever one of them has come further
  useEffect(() => {
    void client.invalidateQueries({ queryKey: [quoteKey, tokenId] });
    void client.invalidateQueries({ queryKey: [ownKey] });
  }, [client, tokenId, states]);
  useEffect(() => {
    if (!hasOpen || session === null) return;
    const end = new AbortController();
    alone(end.signal, () => follow(apiOf(client), token, end.signal)).catch((error: unknown) => {
      if (!end.signal.aborted) throw error;
    });
    return () => end.abort();
  }, [client, hasOpen, session, token]);
};

const alone = (signal: AbortSignal, work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request('mintage trades', { signal }, work) : work();

const follow = async (api: Api, token: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    for (const trade of ownTrades()) {
      if (trade.userId !== signedInUser() || trade.token !== token || !isOpen(trade)) continue;
      if (askedHere.has(trade.id)) continue;
      if (trade.status === 'asked' && trade.callKey === undefined) await findAsked(api, trade);
      else await look(api, trade);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
};

/** How far it is, by the service. */
const look = async (api: Api, trade: OwnTrade): Promise<void> => {
  const { hash, intentId, callKey, chainSlug } = trade;
  const named =
    intentId !== null
      ? { intentId }
      : callKey === undefined
        ? { hash: hash ?? '', chainSlug }
        : { idempotencyKey: callKey };
  let answer: TransactionStatusAnswer | null;
  try {
    answer = await api.transactionStatus(named);
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    if (error.code !== 'TRANSACTION_NOT_FOUND') return; // the service is away: asked again
    answer = null;
  }
  const change = changeBy(trade, answer, Date.now());
  if (change !== null) changeOwnTrade(trade.id, change);
};

/** What an answer makes of a trade; null: nothing. No answer: nobody knows the transaction. */
export const changeBy = (
  trade: OwnTrade,
  answer: Pick<TransactionStatusAnswer, 'status' | 'hash' | 'blockNumber'> | null,
  nowMs: number,
): Partial<OwnTrade> | null => {
  const wasMined = trade.status === 'mined' || trade.status === 'reverted';
  const status = answer?.status ?? 'sent';
  if (status === 'sent' || status === 'queued') {
    if (wasMined) return { status: 'takenBack', blockNumber: null };
    if (answer === null && nowMs - trade.sentAtMs > patienceMs) return { status: 'failed' };
    return trade.status === 'asked' && answer !== null ? { status: 'sent' } : null;
  }
  const { hash, blockNumber } = { hash: answer?.hash || trade.hash, blockNumber: answer?.blockNumber ?? null };
  const isSame = status === trade.status && blockNumber === trade.blockNumber && hash === trade.hash;
  return isSame ? null : { status, hash, blockNumber };
};

/** These are of this page's life: their wallet or the service is being asked, and answers here. */
export const askedHere = new Set<string>();

/** A trade whose wallet was asked by a page that went away: looked for among what the wallet has sent. */
const findAsked = async (api: Api, trade: OwnTrade): Promise<void> => {
  const wallet = connectedWallet();
  const { asked } = trade;
  if (asked === undefined) return dropOwnTrade(trade.id);
  // Nobody asked for another chain: what was sent on this one is found once the wallet is there.
  const [first] = asked.prepared.answer.transactions;
  if (wallet?.address !== trade.wallet || first === undefined) return;
  if (!isOn(wallet, { slug: trade.chainSlug, chainId: first.chainId })) return;
  const { executeHere } = await import('../../lib/signing.ts');
  try {
    const { transactions } = await executeHere(api, asked.prepared, wallet, { sent: [asked.sent], timeoutMs: 5_000 });
    changeOwnTrade(trade.id, { hash: transactions.at(-1)?.hash ?? null, status: 'sent', asked: undefined });
  } catch (error) {
    if (!(error instanceof MintageError)) throw error; // nothing of it is known yet: looked for again
    if (error.code === 'TRANSACTION_EXPIRED') dropOwnTrade(trade.id);
  }
};
