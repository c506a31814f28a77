import { chainTypeOfAddress, type Eid, formatUnits, formatUsd18, usd18 } from '@mintage/protocol';
import { definitions, type UserCard } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { ReferralNetwork } from '../../db/serviceTables.ts';
import { networksOf, shareLink } from '../accounts/networks.ts';
import { isPaused } from '../accounts/pause.ts';
import { ownWallets } from '../accounts/users.ts';
import { waysIn } from '../accounts/waysIn.ts';
import { withEmbeddedWalletsSoon } from '../execution/embeddedWallet.ts';
import { unreadCount } from '../notifications/showNotifications.ts';
import { userCards } from '../people/cards.ts';
import { oneOf } from '../reads/oneOf.ts';
import { walletBalances } from '../reads/walletBalances.ts';
import { chainTypesOf } from '../tokens/servedChains.ts';
import { referrerWallets } from '../trade/vouchers.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

export const me = handler(definitions.me, async (context, input, call) => {
  // A caller who signs requests with a wallet of their own gets no embedded one unasked.
  const chains = [...context.chains.values()];
  const caller =
    call.caller.method === 'wallet'
      ? call.caller
      : await withEmbeddedWalletsSoon(context, call.caller, chainTypesOf(chains));
  const { userId, method, wallets } = caller;
  const embedded = new Set(Object.values(caller.embedded));
  const mainnets = chains.filter(({ chain }) => !chain.testnet);
  // A deployment with test chains only shows those.
  const { include_testnets = mainnets.length === 0 } = input;
  const served = include_testnets ? chains : mainnets;
  const networks = networksOf(include_testnets ? 'both' : 'mainnet');
  const [cards, balances, volume18, onChainReferrer, code, entered, paused, signIn, unread, waiting] =
    await Promise.all([
      userCards(context.db, [userId]),
      wallets.length === 0 ? [] : Promise.all(served.map((chain) => onChain(context, chain, wallets))),
      tradedVolume18(context, served, wallets),
      firstReferrer(context, served, wallets),
      ownCode(context, userId, networks),
      referrerWallets(context.db, userId),
      isPaused(context.db, userId),
      waysIn(context.db, context.config, userId, context.now()),
      unreadCount(context.db, userId),
      waitingWallets(context, userId),
    ]);
  const referredBy = onChainReferrer ?? networks.flatMap((network) => entered.get(network) ?? []).at(0);
  return {
    success: true,
    data: {
      userId,
      ...namesOf(cards.get(userId)),
      unreadNotifications: unread,
      authMethod: method,
      wallets: wallets.map((address) => ({
        address,
        chainType: chainTypeOfAddress(address),
        embedded: embedded.has(address),
        ...(waiting.has(address) && { actsFrom: waiting.get(address) }),
      })),
      signIn,
      balances,
      execution: { paused },
      referral: {
        ...(code === null ? {} : { code, shareLink: shareLink(context, code) }),
        ...(referredBy === undefined ? {} : { referredBy }),
        tradedVolumeUsd: formatUsd18(volume18),
      },
    },
  };
});

/** When those wallets act that were linked a moment ago. */
const waitingWallets = async ({ db, now }: Context, userId: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await ownWallets(db, userId);
  return new Map(
    rows.flatMap(({ address, acts_from }) =>
      acts_from !== null && acts_from.getTime() > now() ? [[address, acts_from.toISOString()]] : [],
    ),
  );
};

const namesOf = (card: UserCard | undefined) => ({
  ...(card?.username && { username: card.username }),
  ...(card?.display_name && { displayName: card.display_name }),
  ...(card?.profile_picture && { profilePicture: card.profile_picture }),
});

const onChain = async (context: Context, served: ChainContext, wallets: Parameters<typeof walletBalances>[2]) => {
  const { chain, deployment } = served;
  const held = await walletBalances(context, served, wallets);
  const native = (balance: bigint | null) => amount(balance, chain.nativeDecimals);
  const usd = (balance: bigint | null) => amount(balance, deployment.usdDecimals);
  return {
    chainSlug: chain.slug,
    chainId: chain.chainId ?? 0,
    native: { symbol: chain.nativeSymbol, ...native(sum(held.map((of) => of.native))) },
    usd: { symbol: deployment.usdSymbol, address: deployment.usd, ...usd(sum(held.map((of) => of.usd))) },
    wallets: held.map((of) => ({ address: of.wallet, native: native(of.native), usd: usd(of.usd) })),
  };
};

/** Sum of the parts; null (unknown) when a part is unknown. */
const sum = (parts: readonly (bigint | null)[]): bigint | null =>
  parts.reduce((total, part) => (total === null || part === null ? null : total + part), 0n);

const amount = (balance: bigint | null, decimals: number) => ({
  balance: balance === null ? null : formatUnits(balance, decimals),
  balanceRaw: balance === null ? null : balance.toString(),
});

const tradedVolume18 = async ({ db }: Context, served: readonly ChainContext[], wallets: readonly string[]) => {
  const rows = await db
    .selectFrom('trader')
    .select(['eid', 'volume_usd'])
    .where(oneOf('eid', eidsOf(served)))
    .where(oneOf('wallet', wallets))
    .execute();
  const decimals = new Map(served.map(({ chain, deployment }) => [chain.eid, deployment.usdDecimals]));
  return rows.reduce((total, row) => total + usd18(row.volume_usd, decimals.get(row.eid) ?? 18), 0n);
};

const firstReferrer = async ({ db }: Context, served: readonly ChainContext[], wallets: readonly string[]) => {
  const row = await db
    .selectFrom('referrer')
    .select('referrer')
    .where(oneOf('eid', eidsOf(served)))
    .where(oneOf('trader', wallets))
    .where('referrer', 'is not', null)
    .orderBy('time')
    .orderBy('eid')
    .limit(1)
    .executeTakeFirst();
  return row?.referrer ?? null;
};

/** The caller's active code; of several, the one of the first network. */
const ownCode = async (
  { db }: Context,
  userId: string,
  networks: readonly ReferralNetwork[],
): Promise<string | null> => {
  const row = await db
    .selectFrom('referral_code')
    .select('code')
    .where('user_id', '=', userId)
    .where('network', 'in', networks)
    .where('active', '=', true)
    .orderBy('network')
    .executeTakeFirst();
  return row?.code ?? null;
};

const eidsOf = (served: readonly ChainContext[]): Eid[] => served.map(({ chain }) => chain.eid);
