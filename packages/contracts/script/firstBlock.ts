import type { Address, PublicClient } from 'viem';

/**
 * The block in which code appeared at an address, by halving. Reads old state: about log2(head) calls.
 *
 * @throws When the provider has not kept that state.
 */
export const firstBlockWithCode = async (client: PublicClient, address: Address): Promise<number> => {
  let without = -1n;
  let present = await client.getBlockNumber({ cacheTime: 0 });
  while (present - without > 1n) {
    const middle = (without + present) / 2n;
    if (await hasCode(client, address, middle)) present = middle;
    else without = middle;
  }
  return Number(present);
};

const hasCode = async (client: PublicClient, address: Address, blockNumber: bigint): Promise<boolean> => {
  try {
    return (await client.getCode({ address, blockNumber })) !== undefined;
  } catch (cause) {
    throw new Error(
      `The provider has not kept the state of block ${blockNumber}, so the first block of ${address} is unknown. Keep the deployment file, or use an archive provider once.`,
      { cause },
    );
  }
};
