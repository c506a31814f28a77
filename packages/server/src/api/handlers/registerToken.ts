import { type ChainSlug, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { describeFees, prepareAnnouncement } from '../crossing/prepareAnnouncement.ts';
import { crossingSeconds, isRegistered } from '../crossing/prepareCrossing.ts';
import { executeIfAsked } from '../execution/executeIfAsked.ts';
import { senderOf } from '../execution/sender.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { chainOf, requireMotion } from '../trade/chainOf.ts';
import { itemsOf } from '../trade/prepareTrade.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

const feeLifetimeMs = 60_000;

export const registerToken = handler(definitions.registerToken, async (context, input, call) => {
  const { token, served } = await requireServedToken(context, input.token_id);
  await requireMotion(context, served);
  const others = await unregistered(context, token, input.chains);
  const { execute, wallet_address: named } = input;
  const sender = await senderOf(context, call.caller, served.chain, { execute, named, field: 'wallet_address' });
  const announcement = await prepareAnnouncement(served, token, others);
  const transactions = itemsOf(served, [announcement.step], announcement.step.gasBound);
  const [transaction] = transactions;
  if (transaction === undefined) throw new Error('an announcement has one step');
  return {
    success: true,
    ...(await executeIfAsked(context, served, sender, transaction, call)),
    transaction,
    transactions,
    metadata: {
      tokenId: token.token_id,
      fromChain: served.chain.slug,
      ...describeFees(announcement),
      estimatedSeconds: Math.max(...(await Promise.all(others.map((other) => crossingSeconds(served, other))))),
      expiresAt: new Date(context.now() + feeLifetimeMs).toISOString(),
    },
  };
});

/** @throws TOKEN_REGISTERED when there is none, UNSUPPORTED_CHAIN for a chain that is not served. */
const unregistered = async (
  context: Context,
  token: KnownToken,
  slugs: readonly ChainSlug[],
): Promise<ChainContext[]> => {
  const others = [...new Set(slugs)].map((slug) => chainOf(context, slug));
  const open: ChainContext[] = [];
  for (const other of others) {
    if (other.chain.eid !== token.eid && !(await isRegistered(context.db, token.address, other))) open.push(other);
  }
  if (open.length > 0) return open;
  throw new MintageError('TOKEN_REGISTERED', `${token.symbol} is on ${slugs.join(', ')} already.`);
};
