import { createReader } from '@mintage/sdk';

export interface ChainEndpoint {
  slug: string;
  chainId: number;
  rpcUrl: string;
}

let asked: Promise<ChainEndpoint[]> | null = null;

/** Where a chain is read, by what the service tells; the first one for null. Null: it tells nothing of this chain. */
export const endpointOfChain = async (chainId: number | null): Promise<ChainEndpoint | null> => {
  asked ??= createReader({ baseUrl: baseUrl() })
    .chains()
    .then(({ chains }) =>
      chains.flatMap(({ slug, chainId: id, rpcUrl }) => (rpcUrl === undefined ? [] : [{ slug, chainId: id, rpcUrl }])),
    );
  const all = await asked.catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return all.find((one) => chainId === null || one.chainId === chainId) ?? null;
};

const baseUrl = (): string => {
  const { base } = JSON.parse(document.getElementById('deployment')?.textContent ?? '{"base":""}') as { base: string };
  return location.origin + base;
};
