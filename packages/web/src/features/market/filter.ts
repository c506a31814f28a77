import type { GetTokensV2Input } from '@mintage/sdk';

/** What the address says of the list. */
export const filterOf = (search: URLSearchParams): GetTokensV2Input => {
  const stage = search.get('stage');
  const keyword = search.get('q')?.trim();
  return {
    limit: 50,
    order_by: 'volume_24h',
    ...(stage === 'new' || stage === 'graduating' || stage === 'graduated' ? { stage } : {}),
    ...(keyword ? { keyword: keyword.slice(0, 128) } : {}),
  };
};
