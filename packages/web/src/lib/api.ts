import type { Calls, CursorPage } from '@mintage/sdk';
import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { plain } from './plain.ts';

/** The calls of the service, typed by the SDK: over HTTP in a browser, within the process where pages are rendered. */
export type Api = Calls;

const apis = new WeakMap<QueryClient, Api>();

export const setApi = (client: QueryClient, api: Api): void => {
  apis.set(client, api);
};

export const apiOf = (client: QueryClient): Api => {
  const api = apis.get(client);
  if (api === undefined) throw new Error('This query client has no service to ask.');
  return api;
};

/**
 * A question to the service, to be used as `useQuery(tokens(…))`, and to be asked ahead where a page is rendered. What strangers wrote in
 * the answer looks like nothing else.
 */
export const read = <Answer>(
  queryKey: QueryKey,
  ask: (api: Api, options: { signal: AbortSignal }) => Promise<Answer>,
  more: { staleTime?: number; refetchInterval?: number | false; enabled?: boolean } = {},
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ client, signal }) => plain(await ask(apiOf(client), { signal })),
    ...more,
  });

/** As `read`, of a list that comes page by page: to be used as `useInfiniteQuery(posts(…))`. */
export const readPages = <Answer extends { pagination: CursorPage }>(
  queryKey: QueryKey,
  ask: (api: Api, from: { cursor?: string }, options: { signal: AbortSignal }) => Promise<Answer>,
  more: { staleTime?: number; enabled?: boolean } = {},
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: async ({ client, signal, pageParam }) =>
      plain(await ask(apiOf(client), pageParam === null ? {} : { cursor: pageParam }, { signal })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    ...more,
  });
