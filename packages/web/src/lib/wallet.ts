import { createStore, type EIP1193Provider, type EIP6963ProviderDetail } from 'mipd';
import { useSyncExternalStore } from 'react';
import { type ChainType, chainTypeOn } from './onChain.ts';
import { store, stored } from './storage.ts';

/** Wallets of this browser announce themselves (EIP-6963); the one that a person chose is asked over EIP-1193. */
export interface ConnectedWallet {
  /** On whose chains it pays. */
  type: ChainType;
  provider: EIP1193Provider;
  /** Lower case. */
  address: `0x${string}`;
  /** EIP-155. */
  chainId: number;
  name: string;
  /** A data URI. */
  icon: string;
}

const kept = 'wallet';
const nobody: readonly EIP6963ProviderDetail[] = [];
const listeners = new Set<() => void>();
let announced: ReturnType<typeof createStore> | null = null;
let connected: ConnectedWallet | null = null;
let stopFollowing = (): void => undefined;

const tell = (): void => {
  for (const listener of listeners) listener();
};

const set = (wallet: ConnectedWallet | null): void => {
  connected = wallet;
  tell();
};

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  start();
  return () => {
    listeners.delete(listener);
  };
};

/** Begins to listen to announcements, and takes up the wallet of the last visit without asking for it. */
const start = (): void => {
  if (announced !== null) return;
  announced = createStore();
  const takeUp = async (): Promise<void> => {
    const rdns = stored<string>(kept);
    const detail = announced?.getProviders().find(({ info }) => info.rdns === rdns);
    if (detail === undefined || connected !== null) return;
    const accounts = await detail.provider.request({ method: 'eth_accounts' }).catch(() => []);
    if (accounts[0] !== undefined && connected === null) await follow(detail, accounts[0]);
  };
  announced.subscribe(() => {
    tell();
    void takeUp();
  });
  void takeUp();
  if (HAS_DEMO_WALLET) void import('./demoWallet/demoWallet.ts').then(({ announceDemoWallet }) => announceDemoWallet());
};

/** The wallet with this account, kept up to date with what it tells. */
const follow = async ({ provider, info }: EIP6963ProviderDetail, account: string): Promise<ConnectedWallet> => {
  stopFollowing();
  const chainId = Number(await provider.request({ method: 'eth_chainId' }));
  const address = account.toLowerCase() as `0x${string}`;
  const wallet: ConnectedWallet = { type: 'evm', provider, address, chainId, name: info.name, icon: info.icon };
  const onAccounts = (accounts: readonly string[]): void => {
    const [next] = accounts;
    if (next === undefined) disconnect();
    else if (connected !== null) set({ ...connected, address: next.toLowerCase() as `0x${string}` });
  };
  const onChain = (next: string): void => {
    if (connected !== null) set({ ...connected, chainId: Number(next) });
  };
  provider.on('accountsChanged', onAccounts);
  provider.on('chainChanged', onChain);
  stopFollowing = () => {
    provider.removeListener('accountsChanged', onAccounts);
    provider.removeListener('chainChanged', onChain);
  };
  store(kept, info.rdns);
  set(wallet);
  return wallet;
};

/** Asks a wallet for its account; it asks the person. @throws What the wallet says, where it is refused. */
export const connect = async (detail: EIP6963ProviderDetail): Promise<ConnectedWallet> => {
  const [account] = await detail.provider.request({ method: 'eth_requestAccounts' });
  if (account === undefined) throw new Error(`${detail.info.name} gave no account.`);
  return follow(detail, account);
};

/**
 * Asks the wallet for another of its accounts, by its own list.
 *
 * @throws What the wallet says, where it is refused or has no such list.
 */
export const chooseAccount = async ({ provider, name }: ConnectedWallet): Promise<ConnectedWallet> => {
  const detail = announced?.getProviders().find((one) => one.provider === provider);
  if (detail === undefined) throw new Error(`${name} is not here any more.`);
  await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] });
  return connect(detail);
};

/** Has the wallet sign a text, which it shows. @throws What the wallet says, where it is refused. */
export const signText = ({ provider, address }: ConnectedWallet, text: string): Promise<`0x${string}`> =>
  provider.request({ method: 'personal_sign', params: [hexOf(text), address] });

const hexOf = (text: string): `0x${string}` =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;

export const disconnect = (): void => {
  stopFollowing();
  store(kept, null);
  set(null);
};

/** Whether a wallet can pay on a chain: those of one family of chains cannot on others. */
export const canPayOn = ({ type }: Pick<ConnectedWallet, 'type'>, slug: string): boolean => type === chainTypeOn(slug);

/** The wallet now, outside of components. */
export const connectedWallet = (): ConnectedWallet | null => connected;

/** The wallet that a person chose; null: none. */
export const useWallet = (): ConnectedWallet | null =>
  useSyncExternalStore(
    listen,
    () => connected,
    () => null,
  );

/** The wallet that a person chose, if it can pay on this chain. */
export const useWalletOn = (slug: string | null): ConnectedWallet | null => {
  const wallet = useWallet();
  return wallet !== null && slug !== null && canPayOn(wallet, slug) ? wallet : null;
};

/** The wallets that there are. */
export const useWallets = (): readonly EIP6963ProviderDetail[] =>
  useSyncExternalStore(
    listen,
    () => announced?.getProviders() ?? nobody,
    () => nobody,
  );
