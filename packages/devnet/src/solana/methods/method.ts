import type { Block, Ledger } from '../ledger.ts';
import type { Config, Params } from '../wire/params.ts';
import { refused } from '../wire/rpcError.ts';

export type Method = (params: Params) => unknown;
export type Methods = Record<string, Method>;

/** The block whose state answers. @throws RpcError when it is older than the caller wants. */
export const blockFor = (ledger: Ledger, { commitment, minContextSlot }: Config): Block => {
  const block = ledger.at(commitment ?? 'finalized');
  if (minContextSlot != null && block.slot < minContextSlot) throw refused.behind(block.slot);
  return block;
};

/** History is answered from blocks that the cluster has voted for only. */
export const votedBlockFor = (ledger: Ledger, config: Config): Block => {
  if (config.commitment === 'processed') throw refused.params('Method does not support commitment below `confirmed`');
  return blockFor(ledger, config);
};

export const version = '3.1.0';
export const inContext = ({ slot }: Block, value: unknown) => ({ context: { slot, apiVersion: version }, value });
