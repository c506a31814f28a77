import {
  type Address,
  type ExactAmount,
  formOf,
  isBuy,
  isExactIn,
  isNobody,
  limitsOf,
  type OrderTerms,
  type PricedOrder,
  type PricedState,
  partBps,
  priceOrder,
  quotedFees,
} from '@mintage/protocol';
import type { Builder, FeeLine, TradeQuote } from '../generated/types.ts';
import { oneForm, type TrustedChain } from '../trusted.ts';
import { differs, requireSame } from './differs.ts';

/** An order as it stands in bytes, of any family. */
export interface ReadOrder {
  token: string;
  /** Base units, as the next. */
  amount: bigint;
  limit: bigint;
  recipient: string;
  builder: string;
  builderBps: bigint;
  referral: string;
  /** Unix seconds. */
  deadline: bigint;
}

/** What an order has to be: by what was asked, by who executes it, and by the quote. Addresses are in their one form. */
export interface WantedOrder {
  chain: Pick<TrustedChain, 'slug'>;
  wallet: Address;
  /** Of the asked input. */
  exact: ExactAmount;
  asked: { builder?: Builder | undefined; token_referral?: string | undefined; deadline?: number | undefined };
  token: Address;
  quote: TradeQuote;
  /** By which the quote is priced again. */
  state: PricedState;
  /** Of a voucher in the same call. */
  referrer: Address | null;
  /** Of a first buy, base units; absent: by the quote's slippage. */
  limit?: bigint | undefined;
  /** The trader's own, base units; absent: none. */
  ownLimit?: bigint | undefined;
}

/**
 * @returns What the price depends on.
 * @throws MintageError BYTES_DIFFER at the first field that is not what it has to be.
 */
export const checkOrder = (kind: string, order: ReadOrder, wanted: WantedOrder): OrderTerms => {
  const { chain, wallet, exact, asked, token, quote } = wanted;
  requireSame('order.kind', kind, exact.kind);
  requireSame('order.token', oneForm(order.token), token);
  requireSame('order.amount', order.amount, exact.amount);
  requireSame('order.recipient', oneForm(order.recipient), wallet);
  const builder = personOf(asked.builder?.code, wallet);
  requireSame('order.builder', oneForm(order.builder), builder);
  requireSame('order.builderBps', order.builderBps, isNobody(builder) ? 0 : (asked.builder?.fee ?? 0));
  const referral = personOf(asked.token_referral, wallet);
  if (oneForm(order.referral) !== referral)
    requireSame('order.referral', oneForm(order.referral), ownIsNobody(referral, wallet));
  requireSame('order.deadline', order.deadline, asked.deadline ?? quote.deadline);
  requireSame('quote.deadline', quote.deadline, order.deadline);
  if (quote.state.token !== null) requireSame('quote.state.token', oneForm(quote.state.token), token);
  requireSame('quote.state.chainSlug', quote.state.chainSlug, chain.slug);
  return checkQuote(order, wanted);
};

/** Who was named; of the wallet's family is who stands for nobody. */
export const personOf = (address: string | undefined, wallet: Address): Address =>
  address === undefined ? formOf(wallet).nobody : oneForm(address);
/** Who names the own wallet as referral names nobody. */
export const ownIsNobody = (referral: Address, wallet: Address): Address =>
  referral === wallet ? formOf(wallet).nobody : referral;

/** Prices the order again. */
const checkQuote = (
  order: ReadOrder,
  { wallet, exact, quote, state, referrer, limit, ownLimit }: WantedOrder,
): OrderTerms => {
  const people = [...quote.fees, ...quote.rewards];
  const named = people.find(({ kind }) => kind === 'protocol_referrer')?.recipient ?? null;
  if (referrer !== null) requireSame('voucher.referrer', referrer, named);
  const referral = ownIsNobody(oneForm(order.referral), wallet);
  const terms: OrderTerms = {
    kind: exact.kind,
    amount: exact.amount,
    builderBps: order.builderBps,
    hasReferral: !isNobody(referral),
    hasReferrer: named !== null,
  };
  const priced = priceOrder(state, terms);
  const { trade } = priced;
  requireSame('quote.state.feeBps', quote.state.feeBps, priced.order.feeBps);
  requireSame('quote.inputAmountRaw', quote.inputAmountRaw, trade.amountIn);
  requireSame('quote.outputAmountRaw', quote.outputAmountRaw, trade.amountOut);
  const isLeast = isExactIn(exact.kind);
  const limits = limitsOf(trade, BigInt(quote.slippageBps), ownLimit ?? null);
  requireSame('order.limit', order.limit, limit ?? limits.ofOrder);
  requireSame('quote.limitKind', quote.limitKind, isLeast ? 'min_output' : 'max_input');
  requireSame('quote.limitAmountRaw', quote.limitAmountRaw, limit ?? limits.ofTrade);
  const recipients = { builder: oneForm(order.builder), token_referral: referral, cashback: wallet };
  checkFees(quote.fees, priced, recipients);
  for (const { kind, recipient } of quote.rewards)
    requireSame(
      `quote.rewards.${kind}`,
      oneForm(recipient),
      kind in recipients ? recipients[kind as 'cashback'] : named,
    );
  return terms;
};

const checkFees = (
  lines: readonly FeeLine[],
  { order, trade }: PricedOrder,
  recipients: Partial<Record<FeeLine['kind'], Address>>,
): void => {
  const rates = partBps(order);
  const due = quotedFees.filter(({ part }) => rates[part] !== 0n || trade.fees[part] !== 0n);
  requireSame(
    'quote.fees',
    lines.map(({ kind }) => kind),
    due.map(({ quoteKind }) => quoteKind),
  );
  due.forEach(({ part }, index) => {
    const { kind, amountUsdRaw, bps, recipient } = lines[index] as FeeLine;
    requireSame(`quote.fees.${kind}.amountUsdRaw`, amountUsdRaw, trade.fees[part]);
    requireSame(`quote.fees.${kind}.bps`, bps, rates[part]);
    const expected = recipients[kind];
    if (expected !== undefined) requireSame(`quote.fees.${kind}.recipient`, recipient, expected);
  });
};

/** Dollars that the Launchpad may take for this order: what has to be approved, exactly. */
export const takenUsd = ({ kind, amount }: ExactAmount, limit: bigint): bigint => {
  if (!isBuy(kind)) return 0n;
  return isExactIn(kind) ? amount : limit;
};

/** Most slippage that a caller accepts who named none. Source: product.md, section 1, "Trading". */
const mostUnaskedBps = 300;

export const checkSlippage = (quote: TradeQuote, asked: number | undefined): void => {
  if (asked !== undefined) requireSame('quote.slippageBps', quote.slippageBps, asked);
  else if (quote.slippageBps > mostUnaskedBps)
    throw differs('quote.slippageBps', quote.slippageBps, `at most ${mostUnaskedBps}, as none was asked for`);
};
