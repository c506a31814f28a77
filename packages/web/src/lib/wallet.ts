import { useSyncExternalStore } from 'react';
import type { Announced, ConnectedWallet } from './announced.ts';
import { listenToEvmWallets } from './evmWallets.ts';
import { chainTypeOn } from './onChain.ts';
import { store, stored } from './storage.ts';

/** The wallets of this browser, and the one that a person chose: one at a time, of whichever family of chains. */

const [kept, keptAccount] = ['wallet', 'wallet account'] as const;
const listeners = new Set<() => void>();
let sources: (() => readonly Announced[])[] = [];
let announced: readonly Announced[] = [];
let connected: ConnectedWallet | null = null;
let followed: Announced | null = null;
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
  const ofName = announced.filter((one) => one.id === id);
  for (const found of ofName) {
    if (connected !== null || askedSilently.has(found.key)) continue;
    askedSilently.add(found.key);
    const wallet = await found.open('silently');
    // Anybody may take a wallet's name: of two that have it, the account tells which one it was.
    const isIt = ofName.length === 1 || wallet?.address === stored<string>(keptAccount);
    if (wallet !== null && isIt && connected === null) follow(found, wallet);
  }
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

const keepAndSet = (wallet: ConnectedWallet): void => {
  store(keptAccount, wallet.address);
  set(wallet);
};

/** The wallet with this account, kept up to date with what it tells. */
const follow = (found: Announced, wallet: ConnectedWallet): ConnectedWallet => {
  stopFollowing();
  stopFollowing = found.follow(wallet, (next) => {
    if (next === null) disconnect();
    else if (connected !== null) keepAndSet(next);
  });
  store(kept, found.id);
  followed = found;
  keepAndSet(wallet);
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
  const found = announced.find(({ key }) => key === followed?.key);
  if (found === undefined) throw new Error(`${wallet.name} is not here any more.`);
  return connect(found, 'another');
};

export const disconnect = (): void => {
  stopFollowing();
  followed = null;
  store(kept, null);
  store(keptAccount, null);
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
