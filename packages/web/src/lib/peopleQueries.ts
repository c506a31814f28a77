import type { GetHubMembersInput, GetPostsInput, UserProfile } from '@mintage/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { read, readPages } from './api.ts';
import { ownKey, useSession } from './session.ts';

/** Questions about people and what they say. What is answered depends on who asks: their votes, and whom they block. */

/** Id of who is signed in; null: nobody, as where pages are rendered. */
export type Viewer = string | null;

export const useViewer = (): Viewer => useSession()?.userId ?? null;

const people = 'people';

/** What somebody sees is forgotten when they sign out. */
const seenBy = (viewer: Viewer, ...key: readonly unknown[]) =>
  viewer === null ? [people, ...key] : [ownKey, people, viewer, ...key];

/** Everything that a post, a vote or a membership can change. */
export const peopleKeys = [[people], [ownKey, people]] as const;

/** After an act of one's own. */
export const readPeopleAgain = (client: QueryClient): Promise<unknown> =>
  Promise.all(peopleKeys.map((queryKey) => client.invalidateQueries({ queryKey })));

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const orNull = (code: string) => (error: { code?: unknown }) => {
  if (error.code === code || error.code === 'INVALID_PARAMETERS') return null;
  throw error;
};

/** By username or id; null: there is nobody. */
export const user = (name: string, viewer: Viewer) =>
  read(
    seenBy(viewer, 'user', name.toLowerCase()),
    (api, options): Promise<UserProfile | null> =>
      api
        .getUser(uuid.test(name) ? { user_id: name } : { username: name }, options)
        .then(({ user: found }) => found, orNull('USER_NOT_FOUND')),
  );

export const createdTokens = (userId: string, limit: number) =>
  read([people, 'tokens', userId, limit], (api, options) =>
    api.getUserTokens({ user_id: userId, kind: 'created', limit }, options),
  );

export type PeopleOf = 'followers' | 'following' | 'blocked';

/** Who follows a user, whom they follow, or, of the caller alone, whom they block. */
export const peopleOf = (which: PeopleOf, userId: string, viewer: Viewer) =>
  readPages(seenBy(viewer, which, userId), (api, from, options) => {
    if (which === 'blocked') return api.getBlocked(from, options);
    const asked = { user_id: userId, ...from };
    return which === 'followers' ? api.getFollowers(asked, options) : api.getFollowing(asked, options);
  });

export type PostFilter = Pick<
  GetPostsInput,
  'feed' | 'window' | 'taggedCoinId' | 'author_id' | 'hashtag' | 'parent_id'
>;

export const posts = (filter: PostFilter, viewer: Viewer) =>
  readPages(
    seenBy(viewer, 'posts', filter),
    (api, from, options) => api.getPosts({ ...filter, ...from, limit: 20 }, options),
    { enabled: filter.feed !== 'following' || viewer !== null },
  );

/** Null: there is none that this viewer sees. */
export const post = (id: string, viewer: Viewer) =>
  read(seenBy(viewer, 'post', id), (api, options) =>
    api.getPost({ post_id: id }, options).then(({ post: found }) => found, orNull('POST_NOT_FOUND')),
  );

export const hub = (tokenId: string, viewer: Viewer) =>
  read(seenBy(viewer, 'hub', tokenId), (api, options) =>
    api.getHub({ token_id: tokenId }, options).then(({ hub: found }) => found),
  );

/** Those in which somebody posted last. */
export const activeHubs = () =>
  read([people, 'hubs'], (api, options) => api.getHubs({ limit: 8 }, options).then(({ hubs }) => hubs), {
    staleTime: 30_000,
  });

export const hubMembers = (tokenId: string, role: GetHubMembersInput['role'] | null, viewer: Viewer) =>
  readPages(seenBy(viewer, 'members', tokenId, role), (api, from, options) =>
    api.getHubMembers({ token_id: tokenId, ...(role !== null && { role }), ...from }, options),
  );

/** How people voted on a token, and the viewer's own vote. */
export const tokenVotes = (tokenId: string, viewer: Viewer) =>
  read(seenBy(viewer, 'votes', tokenId), (api, options) =>
    api.getVotes({ target_type: 'token', target_id: tokenId, limit: 1 }, options).then(({ votes }) => votes),
  );

/** Whether a username can be taken, and why not. */
export const usernameCheck = (username: string) =>
  read([people, 'username', username], (api, options) => api.checkUsername({ username }, options), {
    enabled: username !== '',
    staleTime: 10_000,
  });
