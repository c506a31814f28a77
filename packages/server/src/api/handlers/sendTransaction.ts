import { type Address, chainTypeOf, formatUnits, invalid, isNobody } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { PreparedCall } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import { execute } from '../execution/execute.ts';
import { judgePayment } from '../execution/recipients.ts';
import { executingSender } from '../execution/sender.ts';
import { tryCall } from '../execution/tryCall.ts';
import { addressOn } from '../tokens/addresses.ts';
import { chainOf } from '../trade/chainOf.ts';
import { deadlineOf } from '../trade/terms.ts';
import { handler } from './handler.ts';

export const sendTransaction = handler(definitions.sendTransaction, async (context, input, call) => {
  const served = chainOf(context, input.chainSlug);
  const named = addressOn(served.chain, input.to, 'to');
  const sender = await executingSender(context, call.caller, chainTypeOf(served.chain));
  const { acknowledge, usd } = input;
  const payment = { from: sender.address, caller: sender.caller, acknowledge };
  const isCall = input.data !== undefined && input.data !== '0x';
  const asset = usd === undefined ? null : served.deployment.usd;
  const warnings = isCall
    ? []
    : await judgePayment(context, served, { ...payment, address: named, field: 'to', asset });
  const { to, data, value, description } =
    usd === undefined ? asAsked(named, input) : await dollarsTo(named, input, served, sender.address);
  if (isCall)
    for (const address of served.client.paidBy({ to, data }))
      warnings.push(...(await judgePayment(context, served, { ...payment, address, field: 'data', asset: to })));
  const { gasLimit, blockNumber: seenBlock } = await tryCall(context, served, sender.address, { to, data, value });
  const deadline = deadlineOf(undefined, { slug: served.chain.slug, blockTime: null, nowMs: context.now() });
  const transactions = [{ to, data, value: value.toString(), gasLimit: gasLimit.toString(), description }];
  const wish = { served, sender, transactions, deadline, acknowledge, seenBlock };
  const { transactionHash, intentId } = await execute(context, wish, call);
  return { success: true, hash: transactionHash, intentId: intentId as string, warnings };
});

interface Asked {
  amount?: string | undefined;
  data?: string | undefined;
  usd?: string | undefined;
}

interface Described extends PreparedCall {
  value: bigint;
  description: string;
}

const asAsked = (to: Address, { amount = '0', data = '0x' }: Asked): Described => ({
  to,
  data: `0x${data.slice(2).toLowerCase()}`,
  value: BigInt(amount),
  description: `Call ${to} as asked`,
});

/** @throws MintageError INVALID_PARAMETERS. */
const dollarsTo = async (
  to: Address,
  { amount, data, usd = '0' }: Asked,
  { client, deployment }: ChainContext,
  sender: Address,
): Promise<Described> => {
  for (const [field, value] of Object.entries({ amount, data }))
    if (value !== undefined) throw invalid(field, 'must be left out where `usd` says what is sent');
  if (BigInt(usd) === 0n) throw invalid('usd', 'must be more than 0');
  if (isNobody(to)) throw invalid('to', 'must not be the zero address');
  const step = await client.transfer(sender, deployment.usd, to, BigInt(usd));
  const dollars = `${formatUnits(BigInt(usd), deployment.usdDecimals)} ${deployment.usdSymbol}`;
  return { value: 0n, ...step.call, description: `Send ${dollars} to ${to}` };
};
