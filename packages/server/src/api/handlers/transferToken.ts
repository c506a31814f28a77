import { type Address, formatUnits, invalid, isNobody, parseUnits, tokenDecimalsOf } from '@mintage/protocol';
import { type AnswerOf, definitions, type Warning } from '@mintage/protocol/operations';
import type { PreparedStep } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import { crossingSeconds, isRegistered, priceCrossing } from '../crossing/prepareCrossing.ts';
import { executeIfAsked } from '../execution/executeIfAsked.ts';
import { judgePayment } from '../execution/recipients.ts';
import { type Sender, senderOf } from '../execution/sender.ts';
import { addressOn } from '../tokens/addresses.ts';
import { type KnownToken, requireToken, tokenNotFound } from '../tokens/tokenRef.ts';
import { movingChainOf } from '../trade/chainOf.ts';
import { itemsOf } from '../trade/prepareTrade.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

interface Move {
  token: KnownToken;
  from: ChainContext;
  to: ChainContext;
  recipient: Address;
  /** Base units. */
  amount: bigint;
}

interface PreparedMove {
  step: PreparedStep;
  description: string;
  metadata: AnswerOf<'transferToken'>['metadata'];
  warnings: Warning[];
}

export const transferToken = handler(definitions.transferToken, async (context, input, call) => {
  const from = await movingChainOf(context, input.from_chain_slug);
  const to = input.to_chain_slug === input.from_chain_slug ? from : await movingChainOf(context, input.to_chain_slug);
  const recipient = addressOn(to.chain, input.recipient_address, 'recipient_address');
  if (isNobody(recipient)) throw invalid('recipient_address', 'must not be the zero address');
  const amount = parseUnits(input.amount, tokenDecimalsOf(from.chain), 'amount');
  if (amount <= 0n) throw invalid('amount', 'must be more than 0');
  const token = await requireToken(context, input.token_id);
  if (token.eid !== from.chain.eid && !(await isRegistered(context.db, token.address, from)))
    throw tokenNotFound(input.token_id);
  const { execute, wallet_address: named } = input;
  const sender = await senderOf(context, call.caller, from.chain, { execute, named, field: 'wallet_address' });

  const payment = { address: recipient, field: 'recipient_address', from: sender.address, caller: sender.caller };
  const { acknowledge } = input;
  const judged = await judgePayment(context, to, { ...payment, asset: token.address, acknowledge });
  const move = { token, from, to, recipient, amount };
  const mostFee = input.max_native_fee == null ? null : BigInt(input.max_native_fee);
  const { step, description, metadata, warnings } =
    from === to ? await moveHere(move, sender) : await moveAcross(context, move, sender, mostFee);
  const transactions = itemsOf(from, [{ ...step, description }], step.gasBound);
  const [transaction] = transactions;
  if (transaction === undefined) throw new Error('a transfer has one step');
  return {
    success: true,
    ...(await executeIfAsked(context, from, sender, transaction, call, acknowledge)),
    transaction,
    transactions,
    metadata,
    warnings: [...judged, ...warnings],
  };
});

const moveHere = async ({ token, from, recipient, amount }: Move, sender: Sender): Promise<PreparedMove> => {
  const tokens = formatUnits(amount, tokenDecimalsOf(from.chain));
  return {
    step: await from.client.transfer(sender.address, token.address, recipient, amount),
    description: `Send ${tokens} ${token.symbol} to ${recipient}`,
    metadata: {
      crossChain: false,
      tokenId: token.token_id,
      amount: tokens,
      amountRaw: amount.toString(),
      fromChain: from.chain.slug,
      toChain: from.chain.slug,
      nativeFee: '0',
      estimatedSeconds: Math.ceil((from.chain.blockTimeMs ?? 1_000) / 1_000),
    },
    warnings: [],
  };
};

/** Milliseconds that the fee of a way is shown for. */
const feeLifetimeMs = 60_000;

const moveAcross = async (
  context: Context,
  move: Move,
  sender: Sender,
  mostFee: bigint | null,
): Promise<PreparedMove> => {
  const { token, from, to, amount } = move;
  const { crossing, bridge, nativeFee, nativeFeeMax } = await priceCrossing(context.db, token, move, mostFee);
  const decimals = tokenDecimalsOf(from.chain);
  const arrives = formatUnits(crossing.amount, decimals);
  const [nativeFeeUsd, estimatedSeconds] = await Promise.all([
    bridge.inUsdUp(nativeFee, crossing.dstEid).catch((err: unknown) => {
      context.log.warn({ err, chain: from.chain.slug }, 'The price of the coin could not be read.');
      return null; // nothing is decided by it
    }),
    crossingSeconds(from, to),
  ]);
  return {
    step: bridge.send(sender.address, crossing, nativeFeeMax),
    description: `Send ${arrives} ${token.symbol} to ${crossing.recipient} on ${to.chain.name}`,
    metadata: {
      crossChain: true,
      tokenId: token.token_id,
      amount: formatUnits(amount, decimals),
      amountRaw: amount.toString(),
      fromChain: from.chain.slug,
      toChain: to.chain.slug,
      nativeFee: nativeFee.toString(),
      nativeFeeMax: nativeFeeMax.toString(),
      nativeFeeUsd: nativeFeeUsd === null ? null : formatUnits(nativeFeeUsd, 6),
      amountReceived: arrives,
      amountReceivedRaw: crossing.amount.toString(),
      amountKept: formatUnits(amount - crossing.amount, decimals),
      dstEid: to.chain.eid,
      guid: null,
      registersToken: crossing.registers !== null,
      estimatedSeconds,
      expiresAt: new Date(context.now() + feeLifetimeMs).toISOString(),
    },
    warnings: warningsOf(token, to),
  };
};

/** The contract takes any chain that has a route. */
const warningsOf = (token: KnownToken, to: ChainContext): Warning[] => {
  const named = token.destination_chains ?? [];
  if (token.eid === to.chain.eid || named.includes(to.chain.slug)) return [];
  const sentence = `The creator of ${token.symbol} did not name ${to.chain.slug} among the chains that it should be on.`;
  return [{ code: 'UNNAMED_CHAIN', sentence }];
};
