import { type Address, decodeStrictly, requireHex } from '@mintage/protocol';
import { erc20Abi } from 'viem';
import type { ChainClient, Inspection } from '../chainClient.ts';
import { getCode } from './calls.ts';
import { canSendOn } from './codePaths.ts';
import type { createEvmRpc } from './evmRpc.ts';

export const inspectRecipient = async (
  rpc: Pick<ReturnType<typeof createEvmRpc>, 'request'>,
  address: Address,
  asset: Address | null,
): Promise<Inspection> => {
  const code = await rpc.request(getCode(requireHex(address), 'latest'));
  const isFine = code === '0x' || canSendOn(code, asset !== null);
  return { wall: null, doubt: isFine ? null : 'a contract whose code shows no way to send this on' };
};

export const paidBy: ChainClient['paidBy'] = ({ to, data }) => {
  if (data === '0x') return [to];
  const call = decodeStrictly(erc20Abi, data);
  if (call?.functionName === 'transfer') return [requireHex(call.args[0].toLowerCase() as Address)];
  if (call?.functionName === 'transferFrom') return [requireHex(call.args[1].toLowerCase() as Address)];
  return [];
};
