import type { HandlerOf } from '../context.ts';
import { exactAmountOf } from '../trade/amount.ts';
import { attributionOf } from '../trade/attribution.ts';
import { chainOf, senderOf } from '../trade/chainOf.ts';
import { type PreparedTrade, prepareTrade, type TradeRequest } from '../trade/prepareTrade.ts';
import type { OrderIntent } from '../trade/quote.ts';
import { readMarket } from '../trade/readMarket.ts';
import { simulate } from '../trade/simulate.ts';
import { deadlineOf } from '../trade/terms.ts';
import { tradeAnswer } from '../trade/tradeAnswer.ts';

type State = Pick<TradeRequest, 'market' | 'usdAllowance'> & Pick<OrderIntent, 'referrer'>;

export const tradeToken: HandlerOf<'tradeToken'> = async (context, input, { caller }) => {
  const served = chainOf(context, input.chainSlug);
  const trader = senderOf(input);
  const exact = exactAmountOf(input, served.deployment.usdDecimals);
  const attribution = attributionOf(input);
  const nowMs = context.now();

  const prepare = async ({ market, usdAllowance, referrer: known }: State): Promise<PreparedTrade> => {
    const blockTime = market.block?.time ?? null;
    const deadline = deadlineOf(input.deadline, { slug: served.chain.slug, blockTime, nowMs });
    const voucher = known === null ? await context.vouchers.issue(caller, served, trader, deadline) : null;
    const referrer = known ?? voucher?.referrer ?? null;
    return prepareTrade({
      served,
      market,
      intent: { ...exact, ...attribution, trader, referrer },
      usdAllowance,
      voucher,
      slippageBps: input.slippageBps,
      deadline,
      nowMs,
    });
  };

  if (input.simulate === false) {
    const market = await context.markets.require(served, input.tokenId);
    const referrer = await context.markets.referrerOf(served, trader);
    return tradeAnswer(await prepare({ market, usdAllowance: null, referrer }), null);
  }

  const { market, block, trader: wallet } = await readMarket(context, served, input.tokenId, trader);
  const prepared = await prepare({ market, usdAllowance: wallet.usdAllowance, referrer: wallet.referrer });
  const calls = prepared.steps.map(({ call }) => call);
  const units = { usd: market.usd, tokenSymbol: market.token?.symbol ?? '', kind: exact.kind };
  return tradeAnswer(prepared, await simulate(served, trader, calls, block.number, units));
};
