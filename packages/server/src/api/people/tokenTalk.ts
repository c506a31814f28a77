import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';
import { launchIds } from './hubPosts.ts';
import { voteCounts } from './voteCounts.ts';

/** What people say of tokens, as the older list of tokens has it. */
export const tokenTalk = async (db: Db, tokenIds: readonly string[], readerId: string | null) => {
  const [hubs, launches, votes] = await Promise.all([
    db
      .selectFrom('hub')
      .select(['token_id', 'posts_count', 'media_count'])
      .where(oneOf('token_id', tokenIds))
      .execute(),
    launchIds(db, tokenIds),
    voteCounts(db, { type: 'token', ids: tokenIds }, readerId),
  ]);
  return (tokenId: string) => {
    const { weighted_upvotes, weighted_downvotes, ...counts } = votes.of(tokenId);
    const hub = hubs.find((one) => one.token_id === tokenId);
    return {
      launch_post_id: launches.get(tokenId) ?? null,
      total_posts_count: hub?.posts_count ?? 0,
      total_media_count: hub?.media_count ?? 0,
      ...counts,
      weighted_upvotes: wholeNumber(weighted_upvotes),
      weighted_downvotes: wholeNumber(weighted_downvotes),
    };
  };
};

/** Of decimal text, rounded down; beyond what a number holds exactly, the nearest. */
const wholeNumber = (text: string): number => Number(text.split('.')[0]);
