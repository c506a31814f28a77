import { exactAmountOf } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { NoRoomForVoucherError, type SignedVoucher } from '../../chain/chainClient.ts';
import { requireSuccess } from '../../chain/outcome.ts';
import { decimalsOf } from '../../chain/servedChain.ts';
import { requireAgentSlippage } from '../execution/agentSlippage.ts';
import { execute, notExecuted } from '../execution/execute.ts';
import { openCalls } from '../execution/openCalls.ts';
import { senderOf } from '../execution/sender.ts';
import { refuseWalls } from '../tokens/walls.ts';
import { attributionOf, earnersOf } from '../trade/attribution.ts';
import { chainOf, requireMotion } from '../trade/chainOf.ts';
import { exactMarket } from '../trade/exactMarket.ts';
import { requireMarket } from '../trade/findMarket.ts';
import { type PreparedTrade, prepareTrade, type TradeRequest } from '../trade/prepareTrade.ts';
import type { OrderIntent } from '../trade/quote.ts';
import { readMarket } from '../trade/readMarket.ts';
import { deadlineOf } from '../trade/terms.ts';
import { tradeAnswer } from '../trade/tradeAnswer.ts';
import { handler } from './handler.ts';

type State = Pick<TradeRequest, 'market' | 'usdAllowance'> & Pick<OrderIntent, 'referrer'>;

export const tradeToken = handler(definitions.tradeToken, async (context, input, call) => {
  const served = chainOf(context, input.chainSlug);
  const attribution = attributionOf(served.chain, input);
  const sender = await senderOf(context, call.caller, served.chain, {
    ...input,
    field: 'userAddress',
    named: input.userAddress,
  });
  const { address: trader, caller } = sender;
  const recipients = [{ address: trader, field: 'userAddress' }, ...earnersOf(attribution)];
  await refuseWalls(context, served, caller, recipients, input.acknowledge);
  const exact = exactAmountOf(input, decimalsOf(served));
  const nowMs = context.now();

  const prepare = async ({ market, usdAllowance, referrer: known }: State): Promise<PreparedTrade> => {
    const blockTime = market.block?.time ?? null;
    const deadline = deadlineOf(input.deadline, { slug: served.chain.slug, blockTime, nowMs });
    const voucher =
      known === null ? await context.vouchers.issue(caller, served, trader, { deadline, blockTime }) : null;
    const prepareWith = (carried: SignedVoucher | null): Promise<PreparedTrade> =>
      prepareTrade({
        served,
        market,
        intent: { ...exact, ...attribution, trader, referrer: known ?? carried?.referrer ?? null },
        usdAllowance,
        voucher: carried,
        slippageBps: input.slippageBps,
        ownLimit: input.limitAmountRaw === undefined ? null : BigInt(input.limitAmountRaw),
        deadline,
        nowMs,
      });
    return prepareWith(voucher).catch((error: unknown) => {
      if (error instanceof NoRoomForVoucherError) return prepareWith(null);
      throw error;
    });
  };

  if (input.simulate === false) {
    await requireMotion(context, served);
    const market = await exactMarket(served, await requireMarket(context, served, input.tokenId));
    const referrer = await context.markets.referrerOf(served, trader);
    return { ...tradeAnswer(await prepare({ market, usdAllowance: null, referrer }), null), ...notExecuted };
  }

  const aloneWillDo = !sender.executes;
  const reading = await readMarket(context, served, input.tokenId, trader, aloneWillDo);
  const { market, block, trader: wallet } = reading;
  const before = sender.executes ? await openCalls(context, served, trader, block.number) : [];
  // Other transactions of this wallet may spend the allowance that this block shows, so the server always approves
  // anew.
  const usdAllowance = sender.executes ? null : wallet.usdAllowance;
  const prepared = await prepare({ market, usdAllowance, referrer: wallet.referrer });
  const calls = prepared.steps.map((step) => step.call);
  const units = {
    usd: market.usd,
    token: { symbol: market.token?.symbol ?? '', decimals: market.tokenDecimals },
    kind: exact.kind,
  };
  const how = { blockNumber: block.number, units, before, aloneWillDo };
  const outcome = await served.client.simulate(trader, calls, how);
  const answer = tradeAnswer(prepared, outcome, reading);
  if (!sender.executes) return { ...answer, ...notExecuted };
  requireSuccess(outcome);
  await requireAgentSlippage(context, caller, prepared.slippageBps);
  const { deadline } = prepared.request;
  const { acknowledge } = input;
  const state = { seenBlock: block.number, premise: reading.premise };
  const wish = { served, sender, transactions: answer.transactions, deadline, acknowledge, ...state };
  return { ...answer, ...(await execute(context, wish, call)) };
});
