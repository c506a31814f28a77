import { createStore, type EIP6963ProviderDetail } from 'mipd';
import type { Announced, EvmWallet } from './announced.ts';

/** The wallets that announce themselves by EIP-6963. */

const announcedBy = ({ provider, info }: EIP6963ProviderDetail): Announced => ({
  type: 'evm',
  key: info.uuid,
  id: info.rdns,
  name: info.name,
  icon: info.icon,
  async open(how) {
    if (how === 'another')
      await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] });
    const [account] =
      how === 'silently'
        ? await provider.request({ method: 'eth_accounts' }).catch(() => [])
        : await provider.request({ method: 'eth_requestAccounts' });
    if (account === undefined) return null;
    const chainId = Number(await provider.request({ method: 'eth_chainId' }));
    return { type: 'evm', provider, address: lower(account), chainId, name: info.name, icon: info.icon };
  },
  follow(wallet, changed) {
    let now = wallet as EvmWallet;
    const change = (part: Partial<EvmWallet>): void => {
      now = { ...now, ...part };
      changed(now);
    };
    const onAccounts = ([next]: readonly string[]): void => {
      if (next === undefined) changed(null);
      else change({ address: lower(next) });
    };
    const onChain = (next: string): void => change({ chainId: Number(next) });
    provider.on('accountsChanged', onAccounts);
    provider.on('chainChanged', onChain);
    return () => {
      provider.removeListener('accountsChanged', onAccounts);
      provider.removeListener('chainChanged', onChain);
    };
  },
});

const lower = (address: string): `0x${string}` => address.toLowerCase() as `0x${string}`;

/** Listens from now on. @returns Those that there are, now and whenever it is called. */
export const listenToEvmWallets = (changed: () => void): (() => readonly Announced[]) => {
  const store = createStore();
  const read = (): Announced[] => store.getProviders().map(announcedBy);
  let now = read();
  store.subscribe(() => {
    now = read();
    changed();
  });
  return () => now;
};

/** Has the wallet sign a text, which it shows. @throws What the wallet says, where it is refused. */
export const signTextOnEvm = ({ provider, address }: EvmWallet, text: string): Promise<`0x${string}`> =>
  provider.request({ method: 'personal_sign', params: [hexOf(text), address] });

const hexOf = (text: string): `0x${string}` =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
