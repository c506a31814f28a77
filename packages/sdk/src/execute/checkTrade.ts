import { exactAmountOf, type Order, type TradeKind } from '@mintage/protocol';
import type { Hex } from 'viem';
import { answeredState } from '../quotes/answeredState.ts';
import { decimalsOf, lower, type Trusted, trustedOn } from '../trusted.ts';
import { checkOrder, checkSlippage, takenUsd } from './checkOrder.ts';
import { differs, requireSame } from './differs.ts';
import { type CheckedCall, callOf, checkApproval, checkDecoded, launchpadCalls } from './items.ts';
import type { Prepared } from './prepared.ts';
import { requireSameItem } from './sameItem.ts';
import { requireToken } from './tokenNamed.ts';

/** The order of a trade: after an approval where the service saw none, and in one call with a voucher where there is one. */
export const checkTrade = ({ asked, answer }: Prepared<'tradeToken'>, wallet: Hex, trusted: Trusted): CheckedCall[] => {
  const chain = trustedOn(trusted, asked.chainSlug);
  const { transaction, transactions, quote } = answer;
  const calls = transactions.map((item) => callOf(chain, item));
  const trade = calls.at(-1);
  if (trade === undefined || calls.length > 2) throw differs('transactions.length', calls.length, '1 or 2');
  requireSameItem(transaction, transactions.at(-1));
  requireSame('transaction.chain', transaction.chain, chain.slug);
  const read = launchpadCalls(trade);
  checkDecoded(read, quote.decoded, chain.launchpad);
  const [order, voucher, ...more] = read.toReversed();
  if (order === undefined || more.length > 0) throw differs('calls.length', read.length, '1 or 2');
  const terms = orderIn(order);
  const exact = exactAmountOf(asked, decimalsOf(chain));
  requireToken('tokenId', asked.tokenId, lower(terms.order.token));
  checkSlippage(quote, asked.slippageBps);
  const referrer = voucher === undefined ? null : checkVoucher(voucher, wallet);
  const token = lower(terms.order.token);
  const priced = checkOrder(terms.kind, terms.order, {
    chain,
    wallet,
    exact,
    asked,
    token,
    quote,
    state: answeredState(quote.state, chain),
    referrer,
    ownLimit: asked.limitAmountRaw === undefined ? undefined : BigInt(asked.limitAmountRaw),
  });
  const takesUsd = takenUsd(exact, terms.order.limit);
  if (calls.length === 2) checkApproval(calls[0] as CheckedCall, takesUsd);
  const marketOrder = {
    token,
    terms: priced,
    limit: terms.order.limit,
    slippageBps: BigInt(quote.slippageBps),
    blockNumber: quote.state.blockNumber === null ? null : BigInt(quote.state.blockNumber),
  };
  return [{ ...trade, takesUsd, deadline: terms.order.deadline, order: marketOrder }];
};

type ReadCall = ReturnType<typeof launchpadCalls>[number];

/** @throws MintageError BYTES_DIFFER for any other call. */
export const orderIn = (call: ReadCall): { kind: TradeKind; order: Order } => {
  switch (call.functionName) {
    case 'buyExactIn':
    case 'buyExactOut':
    case 'sellExactIn':
    case 'sellExactOut':
      return { kind: call.functionName, order: call.args[0] };
    default:
      throw differs('call', call.functionName, 'an order');
  }
};

/** A voucher for the wallet that executes; its signature is for the contract to check. Who is named is the quote's matter. */
export const checkVoucher = (call: ReadCall, wallet: Hex): Hex => {
  if (call.functionName !== 'setReferrer') throw differs('call', call.functionName, 'setReferrer');
  const [{ user, referrer }] = call.args;
  requireSame('voucher.user', lower(user), wallet);
  return lower(referrer);
};
