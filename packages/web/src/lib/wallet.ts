import { useSyncExternalStore } from 'react';
import type { Announced, ConnectedWallet } from './announced.ts';
import { listenToEvmWallets } from './evmWallets.ts';
import { chainTypeOn } from './onChain.ts';
import { store, stored } from './storage.ts';

/** The wallets of this browser, and the one that a person chose: one at a time, of whichever family of chains. */

const kept = 'wallet';
const listeners = new Set<() => void>();
let sources: (() => readonly Announced[])[] = [];
let announced: readonly Announced[] = [];
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

/** Keys of those that were: once each. */
const askedSilently = new Set<string>();

/** Takes up the wallet of the last visit as soon as it is there, without asking for it. */
const takeUp = async (): Promise<void> => {
  const id = stored<string>(kept);
  const found = announced.find((one) => one.id === id);
  if (found === undefined || connected !== null || askedSilently.has(found.key)) return;
  askedSilently.add(found.key);
  const wallet = await found.open('silently');
  if (wallet !== null && connected === null) follow(found, wallet);
};

const changed = (): void => {
  announced = sources.flatMap((read) => read());
  tell();
  void takeUp();
};

/** Begins to listen to announcements. */
const start = (): void => {
  if (sources.length > 0) return;
  sources = [listenToEvmWallets(changed)];
  changed();
  void import('./solanaWallets.ts').then(({ listenToSolanaWallets }) => {
    sources = [...sources, listenToSolanaWallets(changed)];
    changed();
  });
  if (HAS_DEMO_WALLET) void import('./demoWallet/demoWallet.ts').then(({ announceDemoWallet }) => announceDemoWallet());
};

/** The wallet with this account, kept up to date with what it tells. */
const follow = (found: Announced, wallet: ConnectedWallet): ConnectedWallet => {
  stopFollowing();
  stopFollowing = found.follow(wallet, (next) => {
    if (next === null) disconnect();
    else if (connected !== null) set(next);
  });
  store(kept, found.id);
  set(wallet);
  return wallet;
};

/** Asks a wallet for its account; it asks the person. @throws What the wallet says, where it is refused. */
export const connect = async (found: Announced, how: 'asked' | 'another' = 'asked'): Promise<ConnectedWallet> => {
  const wallet = await found.open(how);
  if (wallet === null) throw new Error(`${found.name} gave no account.`);
  return follow(found, wallet);
};

/**
 * Asks the wallet for another of its accounts, by its own list.
 *
 * @throws What the wallet says, where it is refused or has no such list.
 */
export const chooseAccount = (wallet: ConnectedWallet): Promise<ConnectedWallet> => {
  const found = announced.find(({ type, name }) => type === wallet.type && name === wallet.name);
  if (found === undefined) throw new Error(`${wallet.name} is not here any more.`);
  return connect(found, 'another');
};

export const disconnect = (): void => {
  stopFollowing();
  store(kept, null);
  set(null);
};

/** Whether a wallet can pay on a chain: one of another family cannot. */
export const canPayOn = ({ type }: Pick<ConnectedWallet, 'type'>, slug: string): boolean => type === chainTypeOn(slug);

/** Whether it can be asked about a chain as it is now: one of EVM chains is on one of them at a time. */
export const isOn = (wallet: ConnectedWallet, { slug, chainId }: { slug: string; chainId: number }): boolean =>
  canPayOn(wallet, slug) && (wallet.type !== 'evm' || wallet.chainId === chainId);

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

const nobody: readonly Announced[] = [];

/** The wallets that there are. */
export const useWallets = (): readonly Announced[] =>
  useSyncExternalStore(
    listen,
    () => announced,
    () => nobody,
  );
