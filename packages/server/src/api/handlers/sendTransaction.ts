import { definitions } from '@mintage/protocol/operations';
import { execute } from '../execution/execute.ts';
import { executingSender } from '../execution/sender.ts';
import { tryCall } from '../execution/tryCall.ts';
import { chainOf, lowerAddress } from '../trade/chainOf.ts';
import { deadlineOf } from '../trade/terms.ts';
import { handler } from './handler.ts';

export const sendTransaction = handler(definitions.sendTransaction, async (context, input, call) => {
  const served = chainOf(context, input.chainSlug);
  const sender = await executingSender(context, call.caller);
  const to = lowerAddress(input.to);
  const { amount = '0', data = '0x' } = input;
  const tried = { to, data: data as `0x${string}`, value: BigInt(amount) };
  const { gasLimit, blockNumber: seenBlock } = await tryCall(context, served, sender.address, tried);
  const deadline = deadlineOf(undefined, { slug: served.chain.slug, blockTime: null, nowMs: context.now() });
  const description = `Call ${to} as asked`;
  const transactions = [{ to, data, value: amount, gasLimit: gasLimit.toString(), description }];
  const wish = { served, sender, transactions, deadline, acknowledge: input.acknowledge, seenBlock };
  const { transactionHash, intentId } = await execute(context, wish, call);
  return { success: true, hash: transactionHash, intentId: intentId as string };
});
