import { isBuy, isExactIn } from '@mintage/protocol';
import {
  MintageError,
  type Prepared,
  prepare,
  type Sent,
  type ServedChain,
  type TradeTokenInput,
  type Warning,
} from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Api, apiOf } from '../../lib/api.ts';
import { addOwnTrade, changeOwnTrade, dropOwnTrade, type OwnTrade, ownTrades } from '../../lib/ownTrades.ts';
import { quoteKey } from '../../lib/queries.ts';
import { hashIn, isRefusal, mayBeSent } from '../../lib/refusal.ts';
import { ownKey, signedInUser } from '../../lib/session.ts';
import { isWorse } from './figures.ts';
import { askedHere } from './followTrades.ts';
import type { Traded } from './market.ts';
import type { Payer } from './payer.ts';
import { amountField, type Terms } from './terms.ts';

/** An order as it was shown when the button was pressed. */
export interface Agreed {
  terms: Terms;
  /** The amount as it was typed. */
  text: string;
  limit: bigint;
  slippageBps: number;
  referral: string | null;
}

/** What is going on. */
export type Phase =
  | { name: 'idle' }
  | { name: 'connecting' | 'signingIn' | 'switching' | 'preparing' | 'executing' | 'minting' }
  /** The wallet is asked to sign exactly this, or has: base units. */
  | { name: 'approving' | 'trading' | 'mining'; limit: bigint; about: bigint };

/** What has to be seen before the next press. */
export interface Halt {
  /** The limit that was shown and the one that is prepared now. */
  moved: { from: bigint; to: bigint; terms: Terms } | null;
  warnings: readonly Warning[];
}

type Acting = Exclude<Payer, { kind: 'nobody' | 'away' | 'stranger' | 'loading' }>;

/** Codes of warnings that the box shows by itself, before anything is prepared; the approval it has signed anyway. */
const shownAnyway: ReadonlySet<string> = new Set([
  'ANTI_SNIPE_WINDOW',
  'PRICE_IMPACT',
  'SLIPPAGE',
  'CURVE_END',
  'ALLOWANCE_NEEDED',
]);

/** Prepares, checks, has signed and follows a trade; and what comes before it. */
export const useTrade = (token: Traded, chain: ServedChain | undefined) => {
  const client = useQueryClient();
  const [phase, setPhase] = useState<Phase>({ name: 'idle' });
  const [halt, setHalt] = useState<Halt | null>(null);
  const [seen, setSeen] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<unknown>(null);
  const [isRefused, setRefused] = useState(false);

  const isBusy = useRef(false);
  /** Of the trade that a wallet is asked for. */
  const discarding = useRef<AbortController | null>(null);
  /** Does one thing at a time; what goes wrong is told, and nothing else is lost. */
  const during = async (
    name: Exclude<Phase['name'], 'idle' | 'approving' | 'trading' | 'mining'>,
    work: () => Promise<void>,
  ): Promise<void> => {
    // A second press may come before the button shows that it is taken.
    if (isBusy.current) return;
    isBusy.current = true;
    setPhase({ name });
    setProblem(null);
    setRefused(false);
    try {
      await work();
    } catch (error) {
      if (isRefusal(error)) setRefused(true);
      else if (!(error instanceof DiscardedError)) setProblem(error);
    } finally {
      isBusy.current = false;
      setPhase({ name: 'idle' });
    }
  };

  /** @param onSent - Called once it was sent, or may have been: another press must not mean another trade. */
  const trade = (agreed: Agreed, payer: Acting, onSent: () => void): Promise<void> =>
    during('preparing', async () => {
      const api = apiOf(client);
      const asked = askedOf(agreed, token, payer);
      const prepared = await prepare(api, 'tradeToken', asked);
      const { checkHere, executeHere } = await import('../../lib/signing.ts');
      await checkHere(api, prepared, payer.address);
      const { quote, warnings } = prepared.answer;
      const [limit, about] = [BigInt(quote.limitAmountRaw), aboutOf(prepared, agreed.terms)];
      const moved = isWorse(agreed.terms, limit, agreed.limit)
        ? { from: agreed.limit, to: limit, terms: agreed.terms }
        : null;
      const unseen = warnings.filter(({ code }) => !shownAnyway.has(code) && !seen.includes(code));
      refuseFailing(prepared);
      if (moved !== null || unseen.length > 0) {
        setHalt({ moved, warnings: unseen });
        setSeen([...seen, ...unseen.map(({ code }) => code)]);
        await client.invalidateQueries({ queryKey: [quoteKey, token.id] });
        return;
      }
      setHalt(null);
      const own = recordOf(token, chain, payer.address, agreed.terms, prepared);
      if (payer.kind === 'embedded') {
        setPhase({ name: 'executing' });
        const callKey = crypto.randomUUID();
        askedHere.add(own.id);
        addOwnTrade({ ...own, callKey });
        try {
          // The service prices it once more: what it signs then is no worse than what is shown now.
          const order = { ...asked, limitAmountRaw: limit.toString(), execute: true };
          const answer = await api.tradeToken(order, { idempotencyKey: callKey });
          changeOwnTrade(own.id, { hash: answer.transactionHash, intentId: answer.intentId, status: 'sent' });
          onSent();
        } catch (error) {
          settle(own.id, error);
          if (mayBeSent(error)) onSent();
          throw error;
        } finally {
          askedHere.delete(own.id);
        }
        return;
      }
      setPhase({ name: 'approving', limit, about });
      askedHere.add(own.id);
      const end = new AbortController();
      discarding.current = end;
      try {
        const executing = executeHere(api, prepared, payer.wallet, {
          onSent: (sent) => {
            // After an approval that came late, nothing more is asked for.
            end.signal.throwIfAborted();
            if (sent.key.endsWith(' approve')) return;
            setPhase({ name: sent.hash === null ? 'trading' : 'mining', limit, about });
            if (sent.hash === null) addOwnTrade({ ...own, asked: { prepared, sent } });
            else changeOwnTrade(own.id, { hash: sent.hash, status: 'sent', asked: undefined });
          },
        });
        const { traded, transactions } = await Promise.race([executing, discarded(end.signal)]);
        const hash = transactions.at(-1)?.hash ?? null;
        const isNew = ownTrades().some(({ id, status }) => id === own.id && status === 'asked');
        changeOwnTrade(own.id, {
          hash,
          asked: undefined,
          ...(isNew && { status: 'sent' }),
          ...(traded && amountsOf(agreed.terms, traded.amountIn, traded.amountOut)),
        });
        onSent();
      } catch (error) {
        if (error instanceof DiscardedError) dropOwnTrade(own.id);
        else {
          settle(own.id, error);
          if (mayBeSent(error)) onSent();
        }
        throw error;
      } finally {
        askedHere.delete(own.id);
        discarding.current = null;
        await client.invalidateQueries({ queryKey: [ownKey] });
      }
    });

  return {
    phase,
    halt,
    problem,
    isRefused,
    trade,
    during,
    /** Waits no longer for a wallet, which may never answer. */
    discard: (): void => discarding.current?.abort(new DiscardedError()),
    /** Another order is meant: what was said of the last one no longer counts. */
    forget: (): void => {
      setHalt(null);
      setProblem(null);
      setRefused(false);
    },
  };
};

/** The user waits no longer for the wallet. */
class DiscardedError extends Error {
  override name = 'DiscardedError';
}

const discarded = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** What is asked of the service: exactly what is shown. The token is named by its contract, which is in what is signed. */
const askedOf = ({ terms, text, slippageBps, referral }: Agreed, token: Traded, payer: Acting): TradeTokenInput => ({
  tokenId: token.address,
  chainSlug: token.chainSlug,
  ...amountField(terms, text),
  slippageBps,
  userAddress: payer.address,
  ...(referral !== null && { token_referral: referral }),
});

/** What the exact side of the order is not: received where it gives, given where it receives. */
const aboutOf = ({ answer: { quote } }: Prepared<'tradeToken'>, { kind }: Terms): bigint =>
  BigInt(isExactIn(kind) ? quote.outputAmountRaw : quote.inputAmountRaw);

/** @throws MintageError Why the chain would refuse it now. */
const refuseFailing = ({ answer: { quote } }: Prepared<'tradeToken'>): void => {
  const { simulation } = quote;
  if (simulation?.ok !== false) return;
  throw new MintageError((simulation.code ?? 'TRANSACTION_FAILED') as MintageError['code'], simulation.reason ?? '');
};

/** What was certainly not sent is no trade. */
const settle = (id: string, error: unknown): void => {
  if (mayBeSent(error)) return;
  const { sent } = ((error as MintageError).details ?? {}) as { sent?: Sent };
  // Nothing holds it, and nothing can any more: it stays to be looked at.
  if ((error as MintageError).code === 'TRANSACTION_EXPIRED' && sent?.hash)
    return changeOwnTrade(id, { hash: sent.hash, status: 'failed', asked: undefined });
  const hash = hashIn(error);
  if (hash === undefined) dropOwnTrade(id);
  else changeOwnTrade(id, { hash, status: 'reverted', asked: undefined });
};

const amountsOf = ({ kind }: Terms, amountIn: bigint, amountOut: bigint) => {
  const [tokens, usd] = isBuy(kind) ? [amountOut, amountIn] : [amountIn, amountOut];
  return { tokensRaw: tokens.toString(), usdRaw: usd.toString() };
};

const recordOf = (
  token: Traded,
  chain: ServedChain | undefined,
  wallet: string,
  terms: Terms,
  { answer: { quote } }: Prepared<'tradeToken'>,
): OwnTrade => ({
  id: crypto.randomUUID(),
  userId: signedInUser(),
  token: token.address,
  chainSlug: token.chainSlug,
  wallet,
  side: isBuy(terms.kind) ? 'buy' : 'sell',
  ...amountsOf(terms, BigInt(quote.inputAmountRaw), BigInt(quote.outputAmountRaw)),
  usdDecimals: chain?.dollarToken.decimals ?? 6,
  hash: null,
  intentId: null,
  sentAtMs: Date.now(),
  status: 'asked',
  blockNumber: null,
});

/** Test dollars for the payer, where the chain has some. */
export const mintHere = async (api: Api, { chainSlug }: Traded, payer: Acting): Promise<void> => {
  if (payer.kind === 'embedded') {
    await api.mintUsd({ chainSlug, execute: true });
    return;
  }
  const prepared = await prepare(api, 'mintUsd', { chainSlug, userAddress: payer.address });
  const { executeHere } = await import('../../lib/signing.ts');
  await executeHere(api, prepared, payer.wallet);
};
