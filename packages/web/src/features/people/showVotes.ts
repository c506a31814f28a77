import type { Post, VoteCount } from '@mintage/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { peopleKeys } from '../../lib/peopleQueries.ts';

/** Puts the votes on a post into everything that shows it. No list is asked again: none changes its order under the hand that voted. */
export const showVotes = (client: QueryClient, postId: string, votes: VoteCount): void => {
  for (const queryKey of peopleKeys)
    client.setQueriesData<unknown>({ queryKey }, (answer: unknown) => withVotes(answer, postId, votes));
};

const withVotes = (value: unknown, postId: string, votes: VoteCount): unknown => {
  if (Array.isArray(value)) return value.map((one) => withVotes(one, postId, votes));
  if (typeof value !== 'object' || value === null) return value;
  if (isPost(value) && value.id === postId) return { ...value, votes };
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withVotes(part, postId, votes)]));
};

const isPost = (value: object): value is Post => 'id' in value && 'votes' in value;
