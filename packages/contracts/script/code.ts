import { type Address, type Hex, numberToHex, type PublicClient } from 'viem';

/** Contract creation as the network would do it, without doing it. */
export interface Creation {
  /** Who creates: with nonce `nonce` it decides the address. */
  creator: Address;
  nonce: number;
  /** The address that results; what stands there is put aside for the call. */
  address: Address;
  creationCode: Hex;
}

/**
 * The runtime code that this creation gives at its real address, immutables included, on the chain's present state.
 * So a contract that is there already can be compared with what we would deploy, arguments and all.
 *
 * @throws When the constructor reverts, or the provider knows no state overrides in `eth_call`.
 */
export const runtimeCodeOf = async (
  client: PublicClient,
  { creator, nonce, address, creationCode }: Creation,
): Promise<Hex> => {
  const overrides = {
    [creator]: { nonce: numberToHex(nonce), code: '0x' },
    [address]: { nonce: '0x0', code: '0x' },
  };
  return client.request({
    method: 'eth_call',
    params: [{ from: creator, data: creationCode }, 'latest', overrides] as never,
  });
};
