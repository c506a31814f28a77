import { type PoolType, poolTypeBySlug, tokenAddressOf } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { ChainSlug } from '../generated/types.ts';
import { decimalsOf, lower, type Trusted, type TrustedChain, trustedOn } from '../trusted.ts';
import { checkAnnouncement } from './checkAnnouncement.ts';
import { checkOrder, takenUsd } from './checkOrder.ts';
import { checkVoucher, orderIn } from './checkTrade.ts';
import { differs, requireSame } from './differs.ts';
import { firstBuyIn, newState, wantsFirstBuy } from './firstBuy.ts';
import { type CheckedCall, callOf, checkApproval, checkDecoded, launchpadCalls } from './items.ts';
import type { Prepared } from './prepared.ts';
import { requireSameItem } from './sameItem.ts';

type Creation = Prepared<'createTokenTransaction'>;

/** An approval, the creation with its voucher and first buy, and what makes it known elsewhere: each where it was asked for. */
export const checkCreation = ({ asked, answer }: Creation, wallet: Hex, trusted: Trusted): CheckedCall[] => {
  const chain = trustedOn(trusted, asked.chainSlug);
  requireSame('chainId', answer.chainId, chain.chainId);
  const calls = answer.transactions.map((item) => callOf(chain, item));
  const reached = reachedOf({ asked, answer });
  const createdAt = calls.length - (reached.length > 0 ? 2 : 1);
  const creation = calls[createdAt];
  if (creation === undefined || createdAt > 1)
    throw differs('transactions.length', calls.length, 'one, with an approval or not');
  requireSameItem(answer.transaction, answer.transactions[createdAt]);
  const read = launchpadCalls(creation);
  checkDecoded(read, answer.decoded, chain.launchpad);
  const first = read[0]?.functionName === 'setReferrer' ? read[0] : undefined;
  const [create, order, ...more] = first === undefined ? read : read.slice(1);
  if (create?.functionName !== 'create' || more.length > 0) throw differs('call', create?.functionName, 'create');
  const { salt, deadline, ...made } = create.args[0];
  const token = tokenAddressOf(chain, wallet, salt);
  requireSame('create.name', made.name, asked.name);
  requireSame('create.symbol', made.symbol, asked.symbol);
  requireSame('create.uri', made.uri, answer.metadata.tokenUri);
  const poolType = poolTypeBySlug(asked.poolType ?? 'meme');
  requireSame('create.poolType', made.poolType, poolType.id);
  requireSame('metadata.addresses.evm', lower(answer.metadata.addresses.evm), token);
  if (asked.deadline !== undefined) requireSame('create.deadline', deadline, asked.deadline);
  const referrer = first === undefined ? null : checkVoucher(first, wallet);
  const takesUsd = checkFirstBuy({ asked, answer }, order, { chain, wallet, token, deadline, referrer, poolType });
  if (createdAt === 1) checkApproval(calls[0] as CheckedCall, takesUsd);
  const announcement = calls[createdAt + 1];
  if (announcement !== undefined) {
    const fees = answer.registration;
    requireSame('registration', fees === null, false);
    checkAnnouncement(announcement, { token, creator: wallet, slugs: reached, value: fees?.nativeFeeMax ?? '0', salt });
  }
  return [{ ...creation, takesUsd, deadline }, ...(announcement === undefined ? [] : [announcement])];
};

/** Of the chains that were asked for, those that can be reached, as the answer says: it names the others in words. */
const reachedOf = ({ asked, answer }: Pick<Creation, 'asked' | 'answer'>): ChainSlug[] => {
  const wanted = new Set<string>(asked.destinationChains ?? []);
  wanted.delete(asked.chainSlug);
  const reached = answer.registration?.chains.map(({ chain }) => chain) ?? [];
  for (const slug of reached)
    if (!wanted.delete(slug)) throw differs('registration.chains', slug, 'one of destinationChains, once');
  return reached;
};

interface Made {
  chain: TrustedChain;
  wallet: Hex;
  token: Hex;
  deadline: bigint;
  referrer: Hex | null;
  poolType: PoolType;
}

/** @returns Dollars that the Launchpad takes. */
const checkFirstBuy = (
  { asked, answer }: Pick<Creation, 'asked' | 'answer'>,
  call: ReturnType<typeof launchpadCalls>[number] | undefined,
  { deadline, poolType, ...made }: Made,
): bigint => {
  const decimals = decimalsOf(made.chain);
  const wantsBuy = wantsFirstBuy(asked);
  requireSame('first buy', call !== undefined, wantsBuy);
  requireSame('quote', answer.quote !== null, wantsBuy);
  if (call === undefined || answer.quote === null) return 0n;
  const { kind, order } = orderIn(call);
  const { exact, limit } = firstBuyIn(asked, decimals);
  requireSame('quote.slippageBps', answer.quote.slippageBps, 0);
  requireSame('order.deadline', order.deadline, deadline);
  const state = newState(poolType, decimals);
  checkOrder(kind, order, { ...made, exact, asked, quote: answer.quote, state, limit });
  return takenUsd(exact, order.limit);
};
