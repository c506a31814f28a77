import { type Address, type Hex, type LocalAccount, numberToHex } from 'viem';
import { rpcRequest } from './rpc.ts';
import type { Wallet } from './wallet.ts';

const gas = 12_000_000n;

/**
 * Puts a contract at an address of our choice on a local chain: runs its creation code there, as if it were its code, so that
 * the constructor writes its storage, and leaves what that returns.
 *
 * @param creator - Whom the constructor sees as its caller.
 * @throws What the constructor reverts with.
 */
export const placeAt = async (
  url: string,
  wallet: Wallet,
  creator: LocalAccount,
  address: Address,
  creationCode: Hex,
): Promise<void> => {
  const call = { from: creator.address, to: address, gas: numberToHex(gas) };
  await rpcRequest(url, 'anvil_setCode', [address, creationCode]);
  const runtimeCode = await rpcRequest(url, 'eth_call', [call, 'latest']);
  await wallet.send(creator, { to: address, data: '0x', gas });
  await rpcRequest(url, 'anvil_setCode', [address, runtimeCode]);
};
