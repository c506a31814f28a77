import type { HandlerOf } from '../context.ts';
import { readEarners } from '../reads/earners.ts';
import { formatUsd18, numberOf } from '../reads/usd.ts';

/**
 * Ranks what was ever credited, so a claim lowers nobody. Amounts of chains with different decimals are added with 18
 * fraction digits. Names and pictures are null until users have profiles.
 */
export const getLeaderboard: HandlerOf<'getLeaderboard'> = async (context, { limit, offset, network_mode }) => {
  const { page, total } = await readEarners(context, network_mode, limit, offset);
  return {
    leaderboard: page.map((earner, index) => ({
      rank: offset + index + 1,
      recipient_address: earner.address,
      user_id: earner.userId,
      username: null,
      profile_picture: null,
      total_earned_all_tokens: usdNumber(earner.earned18),
      unique_chains_count: earner.chains.length,
      chain_balances: earner.chains.map(({ slug, earned18 }) => ({ chain: slug, balance: usdNumber(earned18) })),
    })),
    pagination: { limit, offset, total, has_more: offset + page.length < total },
  };
};

const usdNumber = (amount18: bigint): number => numberOf(formatUsd18(amount18));
