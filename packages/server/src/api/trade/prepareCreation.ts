import type { Address, PoolType } from '@mintage/protocol';
import { NoRoomForVoucherError, type SignedVoucher } from '../../chain/chainClient.ts';
import type { TokenIdentity } from '../tokens/tokenAddress.ts';
import { type InitialBuy, initialLimitOf } from './initialBuy.ts';
import { newMarket } from './markets.ts';
import {
  approvalOf,
  describeTrade,
  describeWith,
  orderOf,
  type PreparedOn,
  type PreparedTrade,
  type Step,
} from './prepareTrade.ts';
import { type OrderIntent, type Quote, quoteMarket } from './quote.ts';

/** A creation whose token is known and whose metadata is not stored yet. */
export interface CreationPlan {
  served: PreparedOn;
  creator: Address;
  identity: TokenIdentity;
  name: string;
  symbol: string;
  poolType: PoolType;
  /** Chosen for this creation; decides the address. */
  salt: `0x${string}`;
  /** Unix seconds. */
  deadline: number;
  /** Sets the creator's protocol referrer in the same call. */
  voucher: SignedVoucher | null;
  /** Null without an initial buy. */
  buy: { quote: Quote; orderLimit: bigint } | null;
}

type Terms = Pick<OrderIntent, 'builder' | 'referral' | 'referrer'> & { executes: boolean };

/**
 * Prices the initial buy at the token's first second, with the full opening fee and no earlier trades.
 *
 * @throws what `quoteMarket` and `initialLimitOf` throw.
 */
export const planCreation = (
  plan: Omit<CreationPlan, 'buy'>,
  buy: InitialBuy | null,
  { builder, referral, referrer, executes }: Terms,
): CreationPlan => {
  if (buy === null) return { ...plan, buy: null };
  const { creator, identity, name, symbol, poolType } = plan;
  const token = { ...identity, name, symbol, creator, poolType, createdAt: null };
  const market = newMarket(poolType, plan.served, token);
  const intent = { kind: buy.kind, amount: buy.amount, trader: creator, builder, referral, referrer };
  const quote = quoteMarket(market, intent);
  const orderLimit = initialLimitOf(buy, quote, market.usd);
  // Nothing can move the price before the buy, so a transaction that we sign ourselves approves and allows exactly the
  // cost.
  const isCost = executes && buy.kind === 'buyExactOut';
  return { ...plan, buy: { quote, orderLimit: isCost ? quote.trade.amountIn : orderLimit } };
};

/**
 * The approval when needed, then the creation: one call, with voucher and first buy if there are.
 *
 * @param usdAllowance - What the Launchpad may already pull; null: not read.
 */
export const creationSteps = async (
  plan: CreationPlan,
  tokenUri: string,
  usdAllowance: bigint | null,
): Promise<Step[]> => {
  const { served, creator, name, symbol, poolType, salt, deadline, voucher, buy } = plan;
  const creation = { creator, name, symbol, uri: tokenUri, salt, poolType: poolType.id, deadline };
  const description = `Create ${name} (${symbol})`;
  if (buy === null) {
    const createWith = async (carried: SignedVoucher | null): Promise<Step[]> => [
      { ...(await served.client.create(creation, null, carried)), description: describeWith(carried, description) },
    ];
    return createWith(voucher).catch((error: unknown) => {
      if (error instanceof NoRoomForVoucherError) return createWith(null);
      throw error;
    });
  }
  const { quote, orderLimit } = buy;
  const both: Step = {
    ...(await served.client.create(creation, orderOf(quote, orderLimit, deadline), voucher)),
    description: describeWith(voucher, `${description} and ${lowerFirst(describeTrade(quote))}`),
  };
  const approval = approvalOf({ served, usdAllowance }, quote, orderLimit);
  return approval === null ? [both] : [approval, both];
};

/** The first buy as a trade, for its part of the answer. Its price cannot slip. */
export const firstBuyOf = (
  { served, deadline, voucher, buy }: CreationPlan,
  steps: readonly Step[],
  nowMs: number,
): PreparedTrade | null =>
  buy && {
    request: {
      served,
      market: buy.quote.market,
      intent: buy.quote.intent,
      usdAllowance: null,
      voucher,
      slippageBps: 0,
      ownLimit: null,
      deadline,
      nowMs,
    },
    quote: buy.quote,
    slippageBps: 0,
    limit: buy.quote.intent.kind === 'buyExactIn' ? buy.quote.trade.amountOut : buy.orderLimit,
    steps,
  };

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
