import { formatUnits, invalid, isNobody, MintageError, parseUnits, tokenDecimals } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { executeIfAsked } from '../execution/executeIfAsked.ts';
import { senderOf } from '../execution/sender.ts';
import { addressOn } from '../tokens/addresses.ts';
import { requireToken, tokenNotFound } from '../tokens/tokenRef.ts';
import { movingChainOf } from '../trade/chainOf.ts';
import { itemsOf } from '../trade/prepareTrade.ts';
import { handler } from './handler.ts';

export const transferToken = handler(definitions.transferToken, async (context, input, call) => {
  const served = await movingChainOf(context, input.from_chain_slug);
  if (input.to_chain_slug !== input.from_chain_slug) {
    throw new MintageError('UNSUPPORTED_CHAIN', 'Tokens cannot cross chains yet', {
      details: [{ path: 'to_chain_slug', message: `must be ${input.from_chain_slug}` }],
    });
  }
  const recipient = addressOn(served.chain, input.recipient_address, 'recipient_address');
  if (isNobody(recipient)) throw invalid('recipient_address', 'must not be the zero address');
  const amount = parseUnits(input.amount, tokenDecimals, 'amount');
  if (amount <= 0n) throw invalid('amount', 'must be more than 0');
  const token = await requireToken(context.db, input.token_id);
  if (token.eid !== served.chain.eid) throw tokenNotFound(input.token_id);
  const { execute, wallet_address: named } = input;
  const sender = await senderOf(context, call.caller, served.chain, { execute, named, field: 'wallet_address' });
  const step = served.client.transfer(sender.address, token.address, recipient, amount);
  const description = `Send ${formatUnits(amount, tokenDecimals)} ${token.symbol} to ${recipient}`;
  const transactions = itemsOf(served, [{ ...step, description }], step.gasBound);
  const [transaction] = transactions;
  if (transaction === undefined) throw new Error('a transfer has one step');
  return {
    success: true,
    ...(await executeIfAsked(context, served, sender, transaction, call)),
    transaction,
    transactions,
    metadata: {
      crossChain: false,
      tokenId: token.token_id,
      amount: formatUnits(amount, tokenDecimals),
      amountRaw: amount.toString(),
      fromChain: input.from_chain_slug,
      toChain: input.to_chain_slug,
      nativeFee: '0',
      estimatedSeconds: Math.ceil((served.chain.blockTimeMs ?? 1_000) / 1_000),
    },
  };
});
