import { read } from '../../lib/api.ts';
import { endpointOfChain } from '../../lib/rpc.ts';
import { connectedWallet } from '../../lib/wallet.ts';
import type { PoolType } from './draft.ts';

/** The first buy of a token that is not created yet: now, and once the opening fee is over. */
export const firstBuyQuote = (chainSlug: string, poolType: PoolType, usd: string, isWanted: boolean) =>
  read(
    ['first buy', chainSlug, poolType, usd],
    async (api, options) => {
      const asked = { chainSlug, poolType, direction: 'buy', inputToken: 'usdc', amount: Number(usd) } as const;
      return (await api.quoteToken(asked as Parameters<typeof api.quoteToken>[0], options)).data;
    },
    { staleTime: 600_000, enabled: isWanted },
  );

/** Tokens that have the symbol already. */
export const namesakes = (symbol: string) =>
  read(
    ['namesakes', symbol.toLowerCase()],
    async (api, options) => {
      const { tokens } = await api.getTokensV2({ keyword: symbol, limit: 100 }, options);
      return tokens.filter((token) => token.symbol.toLowerCase() === symbol.toLowerCase()).length;
    },
    { staleTime: 60_000, enabled: symbol !== '' },
  );

/** Price of gas on a chain, wei, by its provider or the wallet; null: neither says. */
export const gasPrice = (chainId: number | null) =>
  read(['gas price', chainId], async () => (chainId === null ? null : gasPriceOf(chainId)), {
    staleTime: 15_000,
    enabled: chainId !== null,
  });

const gasPriceOf = async (chainId: number): Promise<string | null> => {
  const wallet = connectedWallet();
  if (wallet?.type === 'evm' && wallet.chainId === chainId)
    return BigInt((await wallet.provider.request({ method: 'eth_gasPrice' })) as string).toString();
  const endpoint = await endpointOfChain(chainId);
  if (endpoint === null) return null;
  const answer = await fetch(endpoint.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice","params":[]}',
  });
  const { result } = (await answer.json()) as { result?: string };
  return result === undefined ? null : BigInt(result).toString();
};
