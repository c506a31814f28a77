import {
  type Address,
  bpsScale,
  type FeeRecipient,
  formatUnits,
  isBuy,
  isMintagePool,
  type LockedRange,
  type Pool,
  partBps,
  quotedFees,
  type Rewards,
  rewardBps,
  rewardParts,
} from '@mintage/protocol';
import type { AntiSnipe, FeeLine, PoolFee, QuoteState, Reward, Simulation } from '@mintage/protocol/operations';
import type { Outcome } from '../../chain/chainClient.ts';
import { type Market, tierFeeOf } from '../../chain/market.ts';
import { balanceChanges } from '../../chain/outcome.ts';
import { isoTime } from '../wire/isoTime.ts';
import type { Quote } from './quote.ts';

/** How long a quote may be shown, milliseconds: product.md, section 1, "Quote lifetime". */
const curveLifetimeMs = 15_000;
const poolLifetimeMs = 30_000;

export const expiresAt = ({ curve }: Market, nowMs: number): string =>
  isoTime(nowMs + (curve === null ? poolLifetimeMs : curveLifetimeMs));

/** The trade's two sides as the answers name them. */
export const sidesOf = ({ market, trade }: Quote) => {
  const token = launched(market.token?.symbol ?? 'NEW', market.tokenDecimals);
  return isBuy(trade.kind) ? { input: market.usd, output: token } : { input: token, output: market.usd };
};

/** One line per kind of recipient that gets something; the amounts sum to the whole fee. */
export const feeLines = ({ market, intent, order, trade, referral }: Quote): FeeLine[] => {
  const rates = partBps(order);
  const recipients = recipientsOf({ market, intent, referral });
  return quotedFees
    .filter(({ part }) => rates[part] !== 0n || trade.fees[part] !== 0n)
    .map(({ part, recipient, quoteKind }) => ({
      kind: quoteKind,
      recipient: recipient && recipients[recipient],
      bps: Number(rates[part]),
      amountUsd: formatUnits(trade.fees[part], market.usd.decimals),
      amountUsdRaw: trade.fees[part].toString(),
    }));
};

const recipientsOf = ({
  market,
  intent,
  referral,
}: Pick<Quote, 'market' | 'intent' | 'referral'>): Record<FeeRecipient, Address | null> => ({
  creator: market.token?.creator ?? null,
  builder: intent.builder?.code ?? null,
  referral,
  referrer: intent.referrer,
  trader: intent.trader,
  treasury: null,
});

/** What only pools with a fee of their own have. */
export const poolFees = (quote: Quote): { poolFee: PoolFee | null; rewards: Reward[] } => {
  const { market, order, tierFeeIn, rewards } = quote;
  if (tierFeeIn === null || rewards === null) return { poolFee: null, rewards: [] };
  const { input } = sidesOf(quote);
  const recipients = recipientsOf(quote);
  return {
    poolFee: {
      bps: (tierFeeOf(market) ?? 0) / pipsPerBps,
      symbol: input.symbol,
      amount: formatUnits(tierFeeIn, input.decimals),
      amountRaw: tierFeeIn.toString(),
    },
    rewards: rewardRows.flatMap(({ part, recipient: role, quoteKind: kind }): Reward[] => {
      const recipient = recipients[role];
      const bps = Number(rewardBps(part, order));
      if (recipient === null || bps === 0) return [];
      const amountUsd = formatUnits(rewards[part], market.usd.decimals);
      return [{ kind, recipient, bps, amountUsd, amountUsdRaw: rewards[part].toString() }];
    }),
  };
};

const pipsPerBps = 100;
type RewardRow = Extract<(typeof quotedFees)[number], { part: keyof Rewards }>;
const rewardRows = quotedFees.filter((row): row is RewardRow => rewardParts.some((part) => part === row.part));

/** Whether the treasury's share is too small for what the trade would earn people. */
export const isShort = ({ rewards, order, trade }: Quote): boolean =>
  rewards !== null && rewardParts.some((part) => rewards[part] < (trade.grossUsd * rewardBps(part, order)) / bpsScale);

export const antiSnipe = ({ market, window }: Quote): AntiSnipe | null =>
  window && {
    feeBps: window.feeBps,
    secondsLeft: window.secondsLeft,
    outputAfterWindow: formatUnits(window.tokensAfterWindow, market.tokenDecimals),
    outputAfterWindowRaw: window.tokensAfterWindow.toString(),
  };

export const stateOf = ({ market, order }: Quote, chainSlug: QuoteState['chainSlug']): QuoteState => ({
  source: market.source,
  chainSlug,
  token: market.token?.address ?? null,
  blockNumber: market.block?.number ?? null,
  blockHash: market.block?.hash ?? null,
  blockTime: market.block?.time ?? null,
  createdAt: market.token?.createdAt ?? null,
  feeBps: Number(order.feeBps),
  usdDecimals: market.usd.decimals,
  curve: market.curve && {
    virtualTokens: market.curve.virtualTokens.toString(),
    virtualUsd: market.curve.virtualUsd.toString(),
    tokensLeft: market.curve.tokensLeft.toString(),
  },
  pool: market.pool && poolIn(market.pool),
  treasuryShareUsdRaw: market.treasuryShareUsd.toString(),
});

const poolIn = (pool: Pool): NonNullable<QuoteState['pool']> => {
  if (isMintagePool(pool))
    return {
      tokens: pool.tokens.toString(),
      usd: pool.usd.toString(),
      floorUsd: pool.floorUsd.toString(),
      edgeTokens: pool.edgeTokens.toString(),
      floorTokens: pool.floorTokens.toString(),
      supply: pool.supply.toString(),
    };
  return {
    sqrtPriceX96: pool.sqrtPriceX96.toString(),
    tick: pool.tick,
    liquidity: pool.liquidity.toString(),
    protocolFee: pool.protocolFee,
    tierFee: pool.tierFee ?? null,
    fullRange: rangeOf(pool.fullRange),
    floor: rangeOf(pool.floor),
    ticks: pool.ticks?.map(({ tick, liquidityNet }) => ({ tick, liquidityNet: liquidityNet.toString() })) ?? null,
  };
};

const rangeOf = ({ tickLower, tickUpper, liquidity }: LockedRange) => ({
  tickLower,
  tickUpper,
  liquidity: liquidity.toString(),
});

/** Basis points as percent text: 80 %, 0.5 %. */
export const percent = (bps: number): string => `${formatUnits(BigInt(bps), 2)} %`;

/** The result of the simulation, with balance changes of the dollar token and, when known, of the launched token. */
export const describeOutcome = (
  outcome: Outcome,
  trader: Address,
  {
    usd,
    tokenDecimals,
    token,
  }: Pick<Market, 'usd' | 'tokenDecimals'> & { token: { address: Address; symbol: string } | null },
): Simulation => {
  switch (outcome.ok) {
    case null:
      return { ok: null, code: null, reason: null, gasUsed: null, balanceChanges: [] };
    case false:
      return {
        ok: false,
        code: outcome.error.code,
        reason: outcome.error.message,
        gasUsed: outcome.gasUsed.toString(),
        balanceChanges: [],
      };
    case true:
      return {
        ok: true,
        code: null,
        reason: null,
        gasUsed: outcome.gasUsed.toString(),
        balanceChanges: [...balanceChanges(trader, outcome.transfers)].flatMap(([asset, change]) => {
          const unit =
            asset === usd.address ? usd : token?.address === asset ? launched(token.symbol, tokenDecimals) : null;
          if (unit === null) return [];
          const text = formatUnits(change, unit.decimals);
          return [{ asset, symbol: unit.symbol, change: text, changeRaw: change.toString() }];
        }),
      };
  }
};

const launched = (symbol: string, decimals: number) => ({ symbol, decimals });
