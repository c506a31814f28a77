import type { MeAnswer, ServedChain } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ConnectedWallet, EvmWallet } from '../../lib/announced.ts';
import { chainTypeOf, chainTypeOn, embeddedOn, keyOf, sameAddress } from '../../lib/onChain.ts';
import { balancesOf, me } from '../../lib/queries.ts';
import { ownKey, type SignedIn, useSession } from '../../lib/session.ts';
import { useWalletOn } from '../../lib/wallet.ts';
import type { Traded } from './market.ts';

/** Who trades on a chain: a wallet of this browser, or the one that the service keeps for whoever is signed in without one there. */
export type Payer =
  | { kind: 'nobody' }
  /** Signed in by a wallet that is not here now. */
  | { kind: 'away' }
  /** The wallet is here, and its account is not signed in. */
  | { kind: 'stranger'; wallet: ConnectedWallet }
  | { kind: 'wallet'; wallet: ConnectedWallet; address: string }
  | { kind: 'embedded'; address: string }
  /** Signed in; which wallet it is comes with the account. */
  | { kind: 'loading' };

export interface Holdings {
  payer: Payer;
  /** Base units; null: not known. */
  usd: bigint | null;
  token: bigint | null;
  /** Coin for the network's fee, base units; null: not known. */
  coin: bigint | null;
  coinSymbol: string | null;
  /** Dollars that the launchpad may take already; null: not known. */
  allowance: bigint | null;
  /** Wei for a unit of gas; null: not known. */
  gasPrice: bigint | null;
  /** Whether somebody invited the trader. */
  hasReferrer: boolean;
}

/** A wallet that cannot pay on this chain counts as none. */
const payerOf = (
  slug: string,
  session: SignedIn | null,
  wallet: ConnectedWallet | null,
  account: MeAnswer['data'] | undefined,
): Payer => {
  if (session === null) return wallet === null ? { kind: 'nobody' } : { kind: 'stranger', wallet };
  if (account === undefined) return { kind: 'loading' };
  const isOwn = account.wallets.some(({ address }) => sameAddress(address, wallet?.address));
  if (wallet !== null && isOwn) return { kind: 'wallet', wallet, address: wallet.address };
  if (session.by === 'wallet' && wallet !== null) return { kind: 'stranger', wallet };
  // Who signed in by a wallet of another family pays here by the wallet that the service keeps.
  const isOfChain = session.address === undefined || chainTypeOf(session.address) === chainTypeOn(slug);
  if (session.by === 'wallet' && isOfChain) return { kind: 'away' };
  const embedded = embeddedOn(account.wallets, slug);
  return embedded === undefined ? { kind: 'loading' } : { kind: 'embedded', address: keyOf(embedded.address) };
};

/** A new embedded wallet comes a moment later, and test money to it: on each family of chains at another moment. */
const isWaitedFor = (answer: MeAnswer | undefined, slug: string): boolean =>
  answer !== undefined &&
  answer.data.balances.every(
    ({ chainSlug, usd, native }) =>
      chainTypeOn(chainSlug) !== chainTypeOn(slug) ||
      (!(Number(usd.balanceRaw) > 0) && !(Number(native.balanceRaw) > 0)),
  );

/** Who has none on this family of chains after a minute will not get any by themselves. */
const mostQuickLooks = 30;

const raw = (text: string | null | undefined): bigint | null => (text == null ? null : BigInt(text));

/** Who trades, and with what. */
export const useHoldings = ({ id, address: token, chainSlug }: Traded, chain: ServedChain | undefined): Holdings => {
  const [session, wallet] = [useSession(), useWalletOn(chainSlug)];
  const { data: account } = useQuery({
    ...me(),
    enabled: session !== null,
    refetchInterval: ({ state }) =>
      isWaitedFor(state.data, chainSlug) && state.dataUpdateCount < mostQuickLooks ? 2_000 : 20_000,
  });
  const { data: balances } = useQuery({ ...balancesOf(id), enabled: session !== null });
  const payer = payerOf(chainSlug, session, wallet, account?.data);
  const address = 'address' in payer ? payer.address : null;
  const paying = payer.kind === 'wallet' ? payer.wallet : null;
  /** Where approvals are needed, and it can be asked about them. */
  const own = paying?.type === 'evm' && paying.chainId === chain?.chainId ? paying : null;
  const { data: onChain } = useQuery({
    queryKey: [ownKey, 'allowance', chainSlug, address],
    queryFn: () => readByWallet(own as EvmWallet, chain as ServedChain),
    enabled: own !== null && chain !== undefined,
    refetchInterval: 20_000,
  });
  const row = account?.data.balances.find((one) => one.chainSlug === chainSlug);
  const here = row?.wallets.find((one) => sameAddress(one.address, address));
  const held = balances?.data.balances.filter(
    (one) =>
      one.chainSlug === chainSlug && sameAddress(one.walletAddress, address) && sameAddress(one.tokenAddress, token),
  );
  return {
    payer,
    usd: raw(here?.usd.balanceRaw),
    // The list has what is held: who is not in it has none.
    token: address === null || held === undefined ? null : BigInt(held[0]?.balance ?? 0),
    coin: raw(here?.native.balanceRaw),
    coinSymbol: row?.native.symbol ?? null,
    allowance: onChain?.allowance ?? null,
    gasPrice: onChain?.gasPrice ?? null,
    hasReferrer: account?.data.referral.referredBy !== undefined,
  };
};

const word = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');

/** `allowance(owner, spender)` of the dollar token, and the price of gas, as the wallet's own provider says. */
const readByWallet = async ({ provider, address }: EvmWallet, { dollarToken, contracts }: ServedChain) => {
  const data = `0xdd62ed3e${word(address)}${word(contracts.launchpad)}` as const;
  const [allowance, gasPrice] = await Promise.all([
    provider.request({ method: 'eth_call', params: [{ to: dollarToken.address as `0x${string}`, data }, 'latest'] }),
    provider.request({ method: 'eth_gasPrice' }),
  ]);
  return { allowance: BigInt(allowance), gasPrice: BigInt(gasPrice) };
};
