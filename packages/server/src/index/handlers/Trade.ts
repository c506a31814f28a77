import {
  creditedFees,
  marketPrice,
  poolTypeById,
  priceUsd18Down,
  progressPct18Down,
  shareBase,
  stageAt,
} from '@mintage/protocol';
import type { Row } from '../../db/chainTables.ts';
import type { Trade } from '../events/events.ts';
import type { Hex } from '../events/log.ts';
import { addToCandles } from '../store/aggregates/candles.ts';
import { activity, bookCredits } from '../store/aggregates/fees.ts';
import { addToTrader } from '../store/aggregates/traders.ts';
import type { Page } from '../store/page.ts';

export const handleTrade = (page: Page, event: Trade): void => {
  const { at } = event;
  const token = page.token(at, event.token);
  const priceBefore = token.price_usd18;
  moveState(token, event);
  movePrice(page, token);
  token.floor_usd += event.excess;
  token.trades += 1;
  token.volume_usd += event.grossUsd;
  token.volume_usd18 += page.usd18(event.grossUsd);
  token.volume_tokens += event.tokens;
  token.last_trade_at = at.time;
  const trade: Row<'trade'> = {
    ...page.writtenOnce(at),
    token: event.token,
    trader: event.trader,
    recipient: event.recipient,
    side: event.side,
    venue: event.venue,
    foreign_router: event.foreignRouter,
    gross_usd: event.grossUsd,
    tokens: event.tokens,
    fee_bps: event.feeBps,
    base: event.base,
    excess: event.excess,
    builder: event.builder,
    builder_bps: event.builderBps,
    builder_fee: event.builderFee,
    referral: event.referral,
    referrer: event.referrer,
    cashback: event.cashback,
    state_a: event.stateA,
    state_b: event.stateB,
    tick: event.tick,
    price_usd18: token.price_usd18,
    progress_pct18: token.progress_pct18,
  };
  page.trades.push(trade);
  addToCandles(page, trade, priceBefore);
  addToTrader(page, trade);

  const named = { hasReferral: isNamed(event.referral), hasReferrer: isNamed(event.referrer) };
  const shares = shareBase(event.grossUsd, event.base, named);
  token.treasury_share += shares.treasury;
  const parts = { ...shares, builder: event.builderFee, cashback: event.cashback };
  const activityId = event.venue === 'curve' ? activity.curveTrade : activity.poolTrade;
  bookCredits(
    page,
    at,
    creditedFees.map(({ part, recipient, words }) => ({
      recipient: recipient === 'creator' ? token.creator : event[recipient],
      amount: parts[part],
      distributionType: words.distributionType,
      activityId,
      token: event.token,
    })),
  );
};

const moveState = (token: Row<'token'>, event: Trade): void => {
  if (event.venue === 'pool') {
    token.sqrt_price_x96 = event.stateA;
    token.liquidity = event.stateB;
    token.tick = event.tick;
    return;
  }
  token.virtual_tokens = event.stateA;
  token.virtual_usd = event.stateB;
  // Who sells back on a completed curve opens it again; a buy that completes it says so by its own event.
  if (event.side === 'sell') token.completed = false;
};

const movePrice = (page: Page, token: Row<'token'>): void => {
  const poolType = poolTypeById(token.pool_type);
  if (poolType === undefined) throw new Error(`token ${token.address} has the unknown pool type ${token.pool_type}`);
  const price = marketPrice({
    token: token.address,
    usd: page.chain.usd,
    virtualTokens: token.virtual_tokens,
    virtualUsd: token.virtual_usd,
    sqrtPriceX96: token.sqrt_price_x96,
  });
  token.price_usd18 = priceUsd18Down(price, page.chain.usdDecimals);
  token.progress_pct18 = progressPct18Down(poolType, token.virtual_tokens);
  token.stage = stageAt(token.progress_pct18, token.graduated_at !== null);
};

const isNamed = (address: Hex): boolean => BigInt(address) !== 0n;
