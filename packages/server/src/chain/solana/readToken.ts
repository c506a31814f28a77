import { requireBase58 } from '@mintage/protocol';
import type { ChainClient } from '../chainClient.ts';
import type { Rpc } from '../rpc.ts';
import { supplyIn } from './accounts.ts';
import { getMultipleAccounts } from './rpc/calls.ts';
import { askPatiently } from './rpc/solanaRpc.ts';

/** `ChainClient.readToken`: all tokens are of one program, and have no code of their own. */
export const readToken = async (
  rpc: Pick<Rpc, 'agreedAtHead'>,
  ...[token]: Parameters<ChainClient['readToken']>
): ReturnType<ChainClient['readToken']> => {
  const { answer } = await rpc.agreedAtHead(
    async (node, at) => {
      const { slot, value } = await askPatiently(node, getMultipleAccounts([requireBase58(token)], at));
      return { block: slot, supply: supplyIn(value[0] ?? null) };
    },
    { same: (one, other) => one.supply === other.supply },
  );
  return { block: answer.block, code: null, supply: answer.supply };
};
