import { chainTypeOf } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { execute } from '../execution/execute.ts';
import { executingSender } from '../execution/sender.ts';
import { tryCall } from '../execution/tryCall.ts';
import { addressOn } from '../tokens/addresses.ts';
import { chainOf } from '../trade/chainOf.ts';
import { deadlineOf } from '../trade/terms.ts';
import { handler } from './handler.ts';

export const sendTransaction = handler(definitions.sendTransaction, async (context, input, call) => {
  const served = chainOf(context, input.chainSlug);
  const to = addressOn(served.chain, input.to, 'to');
  const sender = await executingSender(context, call.caller, chainTypeOf(served.chain));
  const { amount = '0' } = input;
  const data = `0x${(input.data ?? '0x').slice(2).toLowerCase()}` as const;
  const tried = { to, data, value: BigInt(amount) };
  const { gasLimit, blockNumber: seenBlock } = await tryCall(context, served, sender.address, tried);
  const deadline = deadlineOf(undefined, { slug: served.chain.slug, blockTime: null, nowMs: context.now() });
  const description = `Call ${to} as asked`;
  const transactions = [{ to, data, value: amount, gasLimit: gasLimit.toString(), description }];
  const wish = { served, sender, transactions, deadline, acknowledge: input.acknowledge, seenBlock };
  const { transactionHash, intentId } = await execute(context, wish, call);
  return { success: true, hash: transactionHash, intentId: intentId as string };
});
