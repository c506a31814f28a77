import { isBuy } from '@mintage/protocol';
import { mostGiven } from './figures.ts';
import type { Holdings } from './payer.ts';
import type { Terms } from './terms.ts';

/** What the button does next. Each step leads to the one after it. */
export type Step =
  | 'connect'
  | 'signIn'
  | 'loading'
  | 'switch'
  /** There is no amount that can be traded. */
  | 'amount'
  /** The wallet has less than the order gives. */
  | 'short'
  /** Approve exactly what is taken, then trade. */
  | 'approve'
  | 'trade';

export const nextStep = (
  { payer, usd, token, allowance }: Holdings,
  chainId: number | undefined,
  order: { terms: Terms; limit: bigint } | null,
): Step => {
  if (payer.kind === 'nobody' || payer.kind === 'away') return 'connect';
  if (payer.kind === 'stranger') return 'signIn';
  if (payer.kind === 'loading' || chainId === undefined) return 'loading';
  if (payer.kind === 'wallet' && payer.wallet.type === 'evm' && payer.wallet.chainId !== chainId) return 'switch';
  if (order === null) return 'amount';
  const given = mostGiven(order.terms, order.limit);
  const isBuying = isBuy(order.terms.kind);
  const held = isBuying ? usd : token;
  if (held !== null && held < given) return 'short';
  const needsApproval = payer.kind === 'wallet' && isBuying && allowance !== null && allowance < given;
  return needsApproval ? 'approve' : 'trade';
};
