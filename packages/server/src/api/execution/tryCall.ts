import type { Address } from '@mintage/protocol';
import type { PreparedCall, Tried } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Executing } from './executing.ts';
import { openCalls } from './openCalls.ts';

/** `ChainClient.tryCall`, after the calls that the embedded wallet has in progress. */
export const tryCall = (
  context: Executing,
  served: ChainContext,
  wallet: Address,
  call: PreparedCall,
): Promise<Tried> =>
  served.client.tryCall(wallet, call, (blockNumber) => openCalls(context, served, wallet, blockNumber));
