import { type Address, chainTypeOf, formatUnits, isBuy, isExactIn, limitsOf } from '@mintage/protocol';
import type { DecodedCall, TradeQuote, TransactionItem, Warning } from '@mintage/protocol/operations';
import type { Order, Outcome, PreparedCall, PreparedStep, SignedVoucher } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Market } from '../../chain/market.ts';
import { gasLimitOf } from '../../chain/outcome.ts';
import { venueWord } from '../wire/venueWord.ts';
import { antiSnipe, describeOutcome, expiresAt, feeLines, poolFees, sidesOf, stateOf } from './describe.ts';
import { type OrderIntent, type Quote, quoteMarket } from './quote.ts';
import { slippageBpsOf } from './terms.ts';
import { warningsOf } from './warnings.ts';
import { shownWhole } from './wholeTransaction.ts';

/** The chain on which something is prepared. */
export type PreparedOn = Pick<ChainContext, 'chain' | 'deployment' | 'client'>;

export interface TradeRequest {
  served: PreparedOn;
  market: Market;
  intent: OrderIntent;
  /** Dollar allowance of the Launchpad; null: unknown, so an approval is included wherever one can be needed. */
  usdAllowance: bigint | null;
  /** Sets the trader's protocol referrer in the same call; the intent names the referrer already. */
  voucher: SignedVoucher | null;
  /** Undefined: the default. */
  slippageBps: number | undefined;
  /** The worst that the trader accepts, where it is stricter than the slippage; base units. Null: nothing was said. */
  ownLimit: bigint | null;
  /** Unix seconds. */
  deadline: number;
  /** The server's clock. */
  nowMs: number;
}

/** A trade ready for its wallet, not yet simulated. */
export interface PreparedTrade {
  request: TradeRequest;
  quote: Quote;
  /** The one that was asked for, or the default. */
  slippageBps: number;
  /** Limit of this trade: the least received or the most paid. */
  limit: bigint;
  /** The approval when needed, then the trade. */
  steps: readonly Step[];
}

export interface Step extends PreparedStep {
  description: string;
  /** Of an approval: dollars that the Launchpad may take after it, base units. */
  approves?: bigint;
}

/**
 * Prices an order and has it encoded with its limit and deadline. The price follows from the request alone; a family may ask its chain
 * for what the encoded call has to name.
 *
 * @throws SLIPPAGE_TOO_HIGH, and what `quoteMarket` throws.
 */
export const prepareTrade = async (request: TradeRequest): Promise<PreparedTrade> => {
  const { served, market, intent, voucher, deadline } = request;
  const slippageBps = slippageBpsOf(request.slippageBps, market);
  const quote = quoteMarket(market, intent);
  const limits = limitsOf(quote.trade, BigInt(slippageBps), request.ownLimit);
  const trade: Step = {
    ...(await served.client.trade(orderOf(quote, limits.ofOrder, deadline), voucher)),
    description: describeWith(voucher, describeTrade(quote)),
  };
  const approval = approvalOf(request, quote, limits.ofOrder);
  return {
    request,
    quote,
    slippageBps,
    limit: limits.ofTrade,
    steps: approval === null ? [trade] : [approval, trade],
  };
};

/** The order as the chain takes it; the trader receives the proceeds. */
export const orderOf = (quote: Quote, limit: bigint, deadline: number): Order => {
  const { market, intent, referral } = quote;
  const { kind, amount, trader: recipient, builder } = intent;
  const { address: token } = market.token as { address: Address };
  return { kind, token, amount, limit, recipient, builder, referral, deadline, venue: venueMet(quote) };
};

const venueMet = ({ market, completes, opensPool }: Quote): Order['venue'] => {
  if (opensPool) return 'openingPool';
  if (market.curve === null) return 'pool';
  return completes ? 'lastOfCurve' : 'curve';
};

/** The approval that a buy needs, of the exact amount, when the allowance is lower; sells need none, nor do some chains. */
export const approvalOf = (
  { served, usdAllowance }: Pick<TradeRequest, 'served' | 'usdAllowance'>,
  quote: Quote,
  limit: bigint,
): Step | null => {
  const { kind, amount } = quote.intent;
  if (!isBuy(kind)) return null;
  const needed = isExactIn(kind) ? amount : limit;
  return usdAllowance !== null && usdAllowance >= needed ? null : approvalStep(served, needed);
};

const approvalStep = ({ client, deployment }: PreparedOn, amount: bigint): Step | null => {
  const step = client.approve(amount);
  if (step === null) return null;
  const description = `Approve exactly ${formatUnits(amount, deployment.usdDecimals)} ${deployment.usdSymbol}`;
  return { ...step, description, approves: amount };
};

export const describeTrade = (quote: Quote): string => {
  const { input, output } = sidesOf(quote);
  const { amountIn, amountOut } = quote.trade;
  const paid = `${formatUnits(amountIn, input.decimals)} ${input.symbol}`;
  const received = `${formatUnits(amountOut, output.decimals)} ${output.symbol}`;
  return isBuy(quote.intent.kind) ? `Buy ${received} for ${paid}` : `Sell ${paid} for ${received}`;
};

export const describeWith = (voucher: SignedVoucher | null, description: string): string =>
  voucher === null ? description : `${description}, with your referrer set first`;

/** Parts of the answer for a prepared trade, on its own or as the first buy of a creation. */
export interface TradeAnswer {
  transactions: PreparedItem[];
  quote: TradeQuote;
  warnings: Warning[];
}

/** @param outcome - Null when nothing was simulated. */
export const answerTrade = (prepared: PreparedTrade, outcome: Outcome | null): TradeAnswer => {
  const { request, quote, slippageBps, steps } = prepared;
  return {
    transactions: itemsOf(request.served, steps, lastGasLimit(steps, quote.completes, outcome)),
    quote: describeQuote(prepared, request.served.client.decode(lastOf(steps).call), outcome),
    warnings: warningsOf(quote, slippageBps, outcome),
  };
};

/**
 * Gas limit of the last step: the simulated gas plus a fifth, otherwise the bound of its kind, which is also what stands in a whole
 * transaction.
 *
 * @param graduates - The call opens the pool; it also succeeds without the gas for that, so a simulation may not show
 *   it: the limit is at least the bound.
 */
export const lastGasLimit = (steps: readonly Step[], graduates: boolean, outcome: Outcome | null): bigint => {
  const { gasBound, whole } = lastOf(steps);
  if (whole !== undefined || outcome === null || outcome.ok !== true) return gasBound;
  const measured = gasLimitOf(outcome.gasUsed);
  return graduates && measured < gasBound ? gasBound : measured;
};

const lastOf = (steps: readonly Step[]): Step => {
  const last = steps.at(-1);
  if (last === undefined) throw new Error('a prepared transaction has at least one step');
  return last;
};

/** What an answer says of a step, with the call as it was prepared. */
export type PreparedItem = TransactionItem & Pick<PreparedCall, 'to' | 'data'>;

/** @param lastGasLimit - Gas limit of the last step; earlier steps use their bound. */
export const itemsOf = (
  { chain }: Pick<ChainContext, 'chain'>,
  steps: readonly Step[],
  lastGasLimit: bigint,
): PreparedItem[] =>
  steps.map(({ call, description, gasBound, ...step }, index) => ({
    to: call.to,
    data: call.data,
    value: (call.value ?? 0n).toString(),
    gasLimit: (index === steps.length - 1 ? lastGasLimit : gasBound).toString(),
    description,
    chainId: chain.chainId ?? 0,
    chainType: chainTypeOf(chain),
    chainSlug: chain.slug,
    transactionDelay: 0,
    ...shownWhole(step),
  }));

export const describeQuote = (
  { request, quote, slippageBps, limit }: PreparedTrade,
  decoded: DecodedCall[],
  outcome: Outcome | null,
): TradeQuote => {
  const { market, trade, intent } = quote;
  const { input, output } = sidesOf(quote);
  const exactIn = isExactIn(intent.kind);
  const limited = exactIn ? output : input;
  return {
    venue: venueWord(market.curve === null ? 'pool' : 'curve', market),
    isGraduated: market.curve === null,
    inputSymbol: input.symbol,
    inputAmount: formatUnits(trade.amountIn, input.decimals),
    inputAmountRaw: trade.amountIn.toString(),
    outputSymbol: output.symbol,
    outputAmount: formatUnits(trade.amountOut, output.decimals),
    outputAmountRaw: trade.amountOut.toString(),
    limitKind: exactIn ? 'min_output' : 'max_input',
    limitAmount: formatUnits(limit, limited.decimals),
    limitAmountRaw: limit.toString(),
    slippageBps,
    deadline: request.deadline,
    expiresAt: expiresAt(market, request.nowMs),
    priceImpactBps: quote.priceImpactBps,
    fees: feeLines(quote),
    ...poolFees(quote),
    antiSnipe: antiSnipe(quote),
    state: stateOf(quote, request.served.chain.slug),
    decoded,
    simulation: outcome && describeOutcome(outcome, intent.trader, market),
  };
};
