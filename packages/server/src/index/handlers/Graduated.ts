import { distributionTypes, graduationActivities, launchpadAbi, liquidityAt } from '@mintage/protocol';
import type { GraduationJson } from '../../db/chainTables.ts';
import { isUniswap, lockedRangesOf } from '../../db/venueOf.ts';
import { activity, bookCredits, needCreator } from '../aggregates/fees.ts';
import { evmEvent } from '../events/evm/evmEvent.ts';
import type { RawLog } from '../events/evm/log.ts';
import { intAt, topicAddress, topicPool, uintAt } from '../events/evm/words.ts';
import { solanaEvent } from '../events/solana/solanaEvent.ts';
import { activityChain } from '../outbox/news.ts';
import { type EventOf, eventKind } from './event.ts';

/** The curve's floor moves into the pool; the creator's reward and the dust are credited by this event alone. */
export const Graduated = eventKind('Graduated', {
  evm: evmEvent(launchpadAbi, 'Graduated', {
    emitter: 'launchpad',
    decode: ({ topics, data }) => ({
      token: topicAddress(topics, 1),
      poolId: topicPool(topics, 2),
      /** Amounts as decimal digits. */
      graduation: {
        sqrtPriceX96: uintAt(data, 0).toString(),
        tick: intAt(data, 1),
        fullRange: rangeAt(data, 2),
        floor: rangeAt(data, 5),
        usdLocked: uintAt(data, 8).toString(),
        tokensLocked: uintAt(data, 9).toString(),
        floorUsd: uintAt(data, 10).toString(),
        creatorReward: uintAt(data, 11).toString(),
        dustUsd: uintAt(data, 12).toString(),
        dustTokens: uintAt(data, 13).toString(),
      } as Graduation,
    }),
  }),
  solana: solanaEvent('Graduated', ({ mint, tokens, usd, floorUsd, creatorRewardUsd, dustUsd }, { launchOf }) => ({
    token: mint,
    poolId: launchOf(mint),
    graduation: {
      usdLocked: usd.toString(),
      tokensLocked: tokens.toString(),
      floorUsd: floorUsd.toString(),
      creatorReward: creatorRewardUsd.toString(),
      dustUsd: dustUsd.toString(),
      dustTokens: '0',
    },
  })),
  needs(page, { token }) {
    needCreator(page, token);
  },
  handle(page, event) {
    const { at, graduation } = event;
    const token = page.token(at, event.token);
    token.graduated_at = at.time;
    token.stage = 'graduated';
    token.graduation = { txHash: at.txHash, blockNumber: at.block, logIndex: at.logIndex, ...graduation };
    token.pool_id = event.poolId;
    if (isUniswap(token.graduation)) {
      token.sqrt_price_x96 = BigInt(token.graduation.sqrtPriceX96);
      token.liquidity = liquidityAt(lockedRangesOf(token.graduation), token.graduation.tick);
      token.tick = token.graduation.tick;
    } else {
      token.pool_tokens = BigInt(graduation.tokensLocked);
      token.pool_usd = BigInt(graduation.usdLocked);
      // What the floor cannot count stays in the token's vault, as the treasury's share of it.
      token.treasury_share += BigInt(graduation.dustUsd);
    }
    token.floor_usd = 0n;
    page.pools.set(event.poolId, event.token);

    const reward = BigInt(graduation.creatorReward);
    const dust = isUniswap(token.graduation) ? BigInt(graduation.dustUsd) : 0n;
    if (dust > 0n && page.treasury === null) throw new Error('a graduation left dust before a treasury was set');
    const shared = { activityId: activity.graduation, token: event.token };
    bookCredits(page, at, [
      { ...shared, recipient: token.creator, amount: reward, distributionType: distributionTypes.creator },
      ...(page.treasury === null
        ? []
        : [{ ...shared, recipient: page.treasury, amount: dust, distributionType: distributionTypes.treasury }]),
    ]);
  },
  activities: (page, from) =>
    page.rows.token.changed().flatMap((token) => {
      const { graduation, graduated_at: time } = token;
      if (graduation === null || time === null || graduation.blockNumber < from) return [];
      return graduationActivities(activityChain(page), token, graduation, time).map((one) => ({ time, activity: one }));
    }),
});

export type Graduated = EventOf<typeof Graduated>;

type WithoutPlace<Whole> = Whole extends unknown ? Omit<Whole, 'txHash' | 'blockNumber' | 'logIndex'> : never;
type Graduation = WithoutPlace<GraduationJson>;

const rangeAt = (data: RawLog['data'], index: number) => ({
  tickLower: intAt(data, index),
  tickUpper: intAt(data, index + 1),
  liquidity: uintAt(data, index + 2).toString(),
});
