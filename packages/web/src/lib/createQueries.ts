import { QueryClient } from '@tanstack/react-query';

/** The SDK already sends again what may pass; answers are asked anew when somebody comes back to the page. */
export const createQueries = (): QueryClient =>
  new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5_000, gcTime: 300_000 } } });
