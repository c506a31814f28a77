import type { PostFilter } from '../../lib/peopleQueries.ts';

/** What the page of all posts shows, as its address says. */
export interface FeedView {
  feed: 'latest' | 'top' | 'following';
  /** Of the best: how old they may be. */
  window: '24h' | '7d' | 'all';
  /** Only posts with this tag; null: all. */
  tag: string | null;
}

const oneOf = <Word extends string>(words: readonly Word[], typed: string | null): Word =>
  words.find((word) => word === typed) ?? (words[0] as Word);

export const feeds = ['latest', 'top', 'following'] as const;
export const windows = ['24h', '7d', 'all'] as const;

export const feedViewOf = (search: URLSearchParams): FeedView => ({
  feed: oneOf(feeds, search.get('feed')),
  window: oneOf(windows, search.get('window')),
  tag: search.get('tag')?.replace(/^#/, '').trim().slice(0, 64) || null,
});

export const feedPath = ({ feed = 'latest', window = '24h', tag = null }: Partial<FeedView>): string => {
  const search = new URLSearchParams();
  if (feed !== 'latest') search.set('feed', feed);
  if (feed === 'top' && window !== '24h') search.set('window', window);
  if (tag !== null) search.set('tag', tag);
  return search.size === 0 ? '/feed' : `/feed?${search}`;
};

export const filterOf = ({ feed, window, tag }: FeedView): PostFilter => ({
  feed,
  ...(feed === 'top' && { window }),
  ...(tag !== null && { hashtag: tag }),
});
