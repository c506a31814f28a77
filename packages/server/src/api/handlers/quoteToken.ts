import { families, formatUnits, isBuy, isExactIn, poolTypeBySlug, type TradeKind, unitsOf } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Market } from '../../chain/market.ts';
import { decimalsOf } from '../../chain/servedChain.ts';
import { movingChainOf } from '../trade/chainOf.ts';
import { antiSnipe, expiresAt, feeLines, poolFees, sidesOf, stateOf } from '../trade/describe.ts';
import { exactMarket } from '../trade/exactMarket.ts';
import { findMarket } from '../trade/findMarket.ts';
import { newMarket } from '../trade/markets.ts';
import { quoteMarket } from '../trade/quote.ts';
import { isoTime } from '../wire/isoTime.ts';
import { numberOf } from '../wire/usd.ts';
import { protocolWord } from '../wire/venueWord.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** What `amount` means, by direction and the unit it is in. */
const kinds = {
  buy: { usdc: 'buyExactIn', token: 'buyExactOut' },
  sell: { token: 'sellExactIn', usdc: 'sellExactOut' },
} as const satisfies Record<string, Record<string, TradeKind>>;

export const quoteToken = handler(definitions.quoteToken, async (context, input) => {
  const served = await movingChainOf(context, input.chainSlug);
  const direction = input.direction ?? 'sell';
  const inputToken = input.inputToken ?? 'token';
  const amountIsUsd = inputToken === 'usdc';
  const kind = kinds[direction][inputToken];
  const asked = input.amount ?? 1;
  const amount = unitsOf(asked, decimalsOf(served)[amountIsUsd ? 'usd' : 'token'], 'amount');
  const nowMs = context.now();

  const market =
    input.tokenId === undefined
      ? newMarket(poolTypeBySlug(input.poolType ?? 'meme'), served)
      : await marketOf(context, served, input.tokenId);
  const quote = quoteMarket(market, {
    kind,
    amount,
    trader: families[served.chain.family].addresses.nobody,
    builder: null,
    referral: null,
    referrer: null,
  });

  const { trade } = quote;
  const sides = sidesOf(quote);
  const [given, other] = amountIsUsd === isBuy(kind) ? [sides.input, sides.output] : [sides.output, sides.input];
  const output = isExactIn(kind) ? trade.amountOut : trade.amountIn;
  const used = isExactIn(kind) ? trade.amountIn : trade.amountOut;
  const graduated = market.curve === null;
  return {
    success: true,
    data: {
      tokenId: market.token?.tokenId ?? nilUuid,
      tokenSymbol: market.token?.symbol ?? 'NEW',
      tokenName: market.token?.name ?? 'New token',
      chainSlug: input.chainSlug,
      direction,
      inputToken,
      inputAmount: asked,
      inputAmountRaw: amount.toString(),
      outputAmount: numberOf(formatUnits(output, other.decimals)),
      outputAmountRaw: output.toString(),
      inputTokenSymbol: given.symbol,
      outputTokenSymbol: other.symbol,
      protocol: protocolWord(graduated ? 'pool' : 'curve', market),
      isGraduated: graduated,
      ...(graduated ? {} : { initFee: 0 }),
      usedAmountRaw: used.toString(),
      priceImpactBps: quote.priceImpactBps,
      fees: feeLines(quote),
      ...poolFees(quote),
      antiSnipe: antiSnipe(quote),
      state: stateOf(quote, input.chainSlug),
      expiresAt: expiresAt(market, nowMs),
      timestamp: isoTime(nowMs),
    },
  };
});

/** The index's state, or the chain's where the index does not have all of it; a draft is priced at its first second. */
const marketOf = async (context: Context, served: ChainContext, tokenRef: string): Promise<Market> => {
  const found = await findMarket(context, served, tokenRef);
  if (found.market !== null) return exactMarket(served, found.market);
  const poolType = poolTypeBySlug(found.draft.poolType);
  return newMarket(poolType, served, { ...found.draft, poolType, createdAt: null });
};
