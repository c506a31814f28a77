import type { Address, PublicClient } from 'viem';

/**
 * The block in which code appeared at an address, by halving. Reads old state: about log2(head) calls.
 *
 * @throws When the provider has not kept that state; then `startBlock` of the deployment file has to be written by hand.
 */
export const firstBlockWithCode = async (client: PublicClient, address: Address): Promise<number> => {
  let without = -1n;
  let present = await client.getBlockNumber({ cacheTime: 0 });
  while (present - without > 1n) {
    const middle = (without + present) / 2n;
    if (await client.getCode({ address, blockNumber: middle })) present = middle;
    else without = middle;
  }
  return Number(present);
};
