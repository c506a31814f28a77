import { type Base58, exactAmountOf } from '@mintage/protocol';
import { answeredState } from '../../quotes/answeredState.ts';
import { decimalsOf, type Trusted, trustedSolanaOn } from '../../trusted.ts';
import { checkSlippage } from '../checkOrder.ts';
import { differs, requireSame } from '../differs.ts';
import type { Prepared } from '../prepared.ts';
import { requireSameItem } from '../sameItem.ts';
import { requireToken } from '../tokenNamed.ts';
import { requireNone, requireOpens } from './accounts.ts';
import { checkDecoded } from './decoded.ts';
import { checkBefore, checkOrderCall, opensOf, requireUsers } from './orders.ts';
import { type CheckedTransaction, checkedOf, wholeOf } from './whole.ts';

/** The order of a trade, on the curve or in the pool, with a voucher where there is one. */
export const checkTrade = (
  { asked, answer }: Prepared<'tradeToken'>,
  wallet: Base58,
  trusted: Trusted,
): CheckedTransaction[] => {
  const chain = trustedSolanaOn(trusted, asked.chainSlug);
  const { transaction, transactions, quote } = answer;
  const [item] = transactions;
  if (item === undefined || transactions.length > 1) throw differs('transactions.length', transactions.length, 1);
  requireSameItem(transaction, item);
  requireSame('transaction.chain', transaction.chain, chain.slug);
  const whole = wholeOf(chain, item, wallet);
  const { calls, transfers } = whole.read;
  requireNone('transfers', transfers);
  checkDecoded(whole, quote.decoded);
  const order = calls.at(-1);
  const token = order?.accounts.mint;
  if (order === undefined || !token) throw differs('call', order?.name, 'an order');
  requireToken('tokenId', asked.tokenId, token);
  checkSlippage(quote, asked.slippageBps);
  const before = calls.slice(0, -1);
  const people = checkOrderCall(whole, order, {
    exact: exactAmountOf(asked, decimalsOf(chain)),
    asked,
    token,
    creator: quote.fees.find(({ kind }) => kind === 'creator')?.recipient ?? undefined,
    quote,
    state: answeredState(quote.state, chain),
    referrer: checkBefore(whole, before),
    ownLimit: asked.limitAmountRaw === undefined ? undefined : BigInt(asked.limitAmountRaw),
  });
  requireUsers(before, people);
  requireOpens(whole, opensOf(whole, token));
  return [checkedOf(whole)];
};
