import { formatUsd18 } from '@mintage/protocol';
import { definitions, totalPage } from '@mintage/protocol/operations';
import { cardsOfWallets } from '../people/cards.ts';
import { readEarners } from '../reads/earners.ts';
import { basePath } from '../wire/limits.ts';
import { numberOf } from '../wire/usd.ts';
import { handler } from './handler.ts';

/** Ranks by all credits, claimed or not, so a claim lowers nobody. */
export const getLeaderboard = handler(
  definitions.getLeaderboard,
  async (context, { period, network_mode, ...page }) => {
    const ranking = { networkMode: network_mode, period };
    const { page: earners, total } = await readEarners(context, ranking, page);
    const users = await cardsOfWallets(
      context.db,
      earners.map(({ address }) => address),
    );
    return {
      avatars: `${context.config.publicUrl}${basePath}/avatar/`,
      leaderboard: earners.map((earner, index) => ({
        rank: page.offset + index + 1,
        recipient_address: earner.address,
        user_id: users.get(earner.address)?.id ?? null,
        username: users.get(earner.address)?.username ?? null,
        profile_picture: users.get(earner.address)?.profile_picture ?? null,
        total_earned_all_tokens: usdNumber(earner.earned18),
        unique_chains_count: earner.chains.length,
        chain_balances: earner.chains.map(({ slug, earned18 }) => ({ chain: slug, balance: usdNumber(earned18) })),
      })),
      pagination: totalPage(page, total),
    };
  },
);

const usdNumber = (amount18: bigint): number => numberOf(formatUsd18(amount18));
