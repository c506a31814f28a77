/** What the page of a token shows beside its market: trades, or what people say. Kept in the address. */
export interface TokenView {
  isPosts: boolean;
  feed: 'latest' | 'top';
  /** An invite to its hub; null: none. */
  invite: string | null;
}

export const tokenViewOf = (search: URLSearchParams): TokenView => {
  const invite = search.get('invite');
  return {
    isPosts: search.get('view') === 'posts' || invite !== null,
    feed: search.get('feed') === 'top' ? 'top' : 'latest',
    invite,
  };
};

export const tokenPath = (
  slug: string,
  { isPosts = false, feed = 'latest', invite = null }: Partial<TokenView>,
): string => {
  const search = new URLSearchParams();
  if (isPosts) search.set('view', 'posts');
  if (feed === 'top') search.set('feed', feed);
  if (invite !== null) search.set('invite', invite);
  return search.size === 0 ? `/token/${slug}` : `/token/${slug}?${search}`;
};

/** Of one token the best posts of all time: there are few, and the best stay interesting. */
export const tokenPosts = (tokenId: string, feed: TokenView['feed']) => ({
  taggedCoinId: tokenId,
  feed,
  ...(feed === 'top' && { window: 'all' as const }),
});
