import {
  chargedFees,
  creditedFees,
  curveOf,
  isNobody,
  launchpadAbi,
  liquidityAt,
  marketPrice,
  mintagePoolPrice,
  poolRewardsDown,
  poolTypeById,
  priceUsd18Down,
  progressPct18Down,
  rewardParts,
  shareBase,
  splitFee,
  stageAt,
  tierPoolFeeBps,
  tradeActivity,
} from '@mintage/protocol';
import type { Hex } from 'viem';
import type { Row } from '../../db/chainTables.ts';
import { isUniswap, lockedRangesOf, ownPoolOf } from '../../db/venueOf.ts';
import { addToCandles, needCandles } from '../aggregates/candles.ts';
import { activity, bookCredits, needCreator, needPayee } from '../aggregates/fees.ts';
import { addToTrader } from '../aggregates/traders.ts';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { tradeWords } from '../events/evm/tradeWords.ts';
import { addressAt, numberAt, topicAddress, uintAt } from '../events/evm/words.ts';
import { solanaEvent } from '../events/solana/solanaEvent.ts';
import { activityChain } from '../outbox/news.ts';
import type { Page } from '../page/page.ts';
import { type EventOf, eventKind } from './event.ts';

export const Trade = eventKind('Trade', {
  evm: evmEvent(launchpadAbi, 'Trade', {
    emitter: 'launchpad',
    decode: ({ topics, data }) => {
      const { venue, tokens, stateA, stateB } = tradeWords({ data });
      const charged = {
        grossUsd: uintAt(data, 2),
        feeBps: uintAt(data, 4),
        builderBps: uintAt(data, 6),
        referral: addressAt(data, 7) as Hex,
        referrer: addressAt(data, 8) as Hex,
      };
      const { base, excess, builder: builderFee, cashback } = chargedFees(charged);
      return {
        token: topicAddress(topics, 1),
        trader: topicAddress(topics, 2),
        recipient: addressAt(data, 0),
        side: tokens < 0n ? ('sell' as const) : ('buy' as const),
        venue: venueOf(venue),
        /**
         * A swap in the pool by a foreign router: `trader` sent the transaction and may not know of the swap, `recipient` is
         * the router.
         */
        foreignRouter: venue === 2,
        grossUsd: charged.grossUsd,
        tokens: tokens < 0n ? -tokens : tokens,
        feeBps: numberAt(data, 4),
        base,
        excess,
        builder: addressAt(data, 5),
        builderBps: numberAt(data, 6),
        builderFee,
        referral: addressAt(data, 7),
        referrer: addressAt(data, 8),
        cashback,
        stateA,
        /** Of the curve; in a pool of our own its dollars, in another 0. */
        stateB: venue === 0 ? stateB : 0n,
        /** Of the pool; 0 on the curve. */
        tick: venue === 0 ? 0 : Number(stateB),
      };
    },
  }),
  solana: solanaEvent('Trade', (told, { decimals, poolTypeOf }) => {
    const { mint, trader, recipient, builder, referral, referrer, grossUsd, netUsd, tokens, feeBps, builderBps } = told;
    const { tokensLeft, reserveUsd } = told;
    const named = { hasReferral: !isNobody(referral), hasReferrer: !isNobody(referrer) };
    const fees = splitFee(grossUsd, grossUsd - netUsd, {
      ...named,
      feeBps: BigInt(feeBps),
      builderBps: BigInt(builderBps),
    });
    const venue = venueOf(told.venue);
    const curve = curveOf(poolTypeOf(mint), decimals, { tokensLeft, reserveUsd });
    return {
      token: mint,
      trader,
      recipient,
      // The two kinds of buy come first.
      side: told.kind < 2 ? ('buy' as const) : ('sell' as const),
      venue,
      foreignRouter: false,
      grossUsd,
      tokens,
      feeBps,
      base: fees.base,
      excess: fees.excess,
      builder,
      builderBps,
      builderFee: fees.builder,
      referral,
      referrer,
      cashback: fees.cashback,
      stateA: venue === 'curve' ? curve.virtualTokens : tokensLeft,
      stateB: venue === 'curve' ? curve.virtualUsd : reserveUsd,
      tick: 0,
    };
  }),
  needs(page, event) {
    page.rows.balance.need(event.token, event.trader);
    if (!event.foreignRouter) page.rows.trader.need(event.trader);
    needCandles(page, event.token, event.at.time);
    for (const { recipient, words } of creditedFees) {
      if (recipient === 'creator') needCreator(page, event.token);
      else needPayee(page, event[recipient], words.distributionType);
    }
  },
  handle(page, event) {
    const { at, grossUsd, base } = event;
    const feeBps = BigInt(event.feeBps);
    const named = { hasReferral: !isNobody(event.referral), hasReferrer: !isNobody(event.referrer) };
    const shares = shareBase(grossUsd, base, { ...named, feeBps });
    // As the contract pays them; its event PoolRewards says the same without naming who gets them.
    const { treasury_share: share } = page.knownToken(event.token);
    const rewards = feeBps === tierPoolFeeBps ? poolRewardsDown(grossUsd, named, share) : null;
    const cashback = rewards?.cashback ?? event.cashback;
    const token = bookTrade(page, { ...event, cashback });
    addToTrader(page, page.written.trade.at(-1) as Row<'trade'>);
    token.treasury_share += shares.treasury;
    for (const part of rewardParts) token.treasury_share -= rewards?.[part] ?? 0n;
    const parts = { ...shares, builder: event.builderFee, cashback, ...rewards };
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
  },
  activities: (page, from) =>
    page.written.trade
      .filter((row) => row.block_number >= from)
      .map((row) => ({
        time: row.time,
        activity: tradeActivity(activityChain(page), page.knownToken(row.token), row),
      })),
});

export type Trade = EventOf<typeof Trade>;

const venueOf = (word: number): 'curve' | 'pool' => (word === 0 ? 'curve' : 'pool');

/** Moves the market, and writes the trade with its place in candles. */
export const bookTrade = (page: Page, event: Omit<Trade, 'name'>): Row<'token'> => {
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
  page.written.trade.push(trade);
  addToCandles(page, trade, priceBefore);
  return token;
};

const moveState = (token: Row<'token'>, event: Omit<Trade, 'name'>): void => {
  if (event.venue === 'pool') {
    if (token.graduation === null) throw new Error(`token ${token.address} was traded in a pool before it had one`);
    if (!isUniswap(token.graduation)) {
      token.pool_tokens = event.stateA;
      token.pool_usd = event.stateB;
      return;
    }
    token.sqrt_price_x96 = event.stateA;
    // Of the locked liquidity, which is all on Uniswap v4, the tick says how much is in range.
    token.liquidity = liquidityAt(lockedRangesOf(token.graduation), event.tick);
    token.tick = event.tick;
    return;
  }
  token.virtual_tokens = event.stateA;
  token.virtual_usd = event.stateB;
  // A sell on a completed curve reopens it. A buy that completes it is followed by an event of its own.
  if (event.side === 'sell') token.completed = false;
};

const movePrice = (page: Page, token: Row<'token'>): void => {
  const poolType = poolTypeById(token.pool_type);
  if (poolType === undefined) throw new Error(`token ${token.address} has the unknown pool type ${token.pool_type}`);
  const own = ownPoolOf(token);
  const price =
    own === null
      ? marketPrice({
          token: token.address,
          usd: page.chain.usd,
          virtualTokens: token.virtual_tokens,
          virtualUsd: token.virtual_usd,
          sqrtPriceX96: token.sqrt_price_x96,
        })
      : mintagePoolPrice(own);
  token.price_usd18 = priceUsd18Down(price, page.chain.decimals);
  token.progress_pct18 = progressPct18Down(poolType, page.chain.decimals, token.virtual_tokens);
  token.stage = stageAt(token.progress_pct18, token.graduated_at !== null);
};
