import { toBase58 } from '@mintage/protocol';
import { MintageError, type SolanaWallet as PayingWallet } from '@mintage/sdk';
import type { SolanaSignAndSendTransactionFeature, SolanaSignMessageFeature } from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { Wallet as StandardWallet, WalletAccount } from '@wallet-standard/base';
import type { StandardConnectFeature, StandardEventsFeature } from '@wallet-standard/features';
import { wallet as t } from '../messages/en/common.ts';
import type { Announced, SolanaWallet } from './announced.ts';
import { chainName } from './chainLooks.ts';
import { isAddressOn } from './onChain.ts';

/** The wallets that announce themselves by the Wallet Standard. Loaded lazily, as all that asks them. */

type Features = StandardConnectFeature &
  Partial<StandardEventsFeature & SolanaSignMessageFeature & SolanaSignAndSendTransactionFeature>;

/** What a wallet says that it can do: it is the same object, by the names of the standard. */
const featuresOf = ({ features }: StandardWallet): Features => features as Features;

const isOfSolana = ({ chains }: Pick<StandardWallet | WalletAccount, 'chains'>): boolean =>
  chains.some((chain) => chain.startsWith('solana:'));

const isUsable = (wallet: StandardWallet): boolean => isOfSolana(wallet) && 'standard:connect' in wallet.features;

const accountIn = (accounts: readonly WalletAccount[]): WalletAccount | undefined =>
  accounts.find((account) => isOfSolana(account) && isAddressOn('solana', account.address));

const connectedBy = (wallet: StandardWallet, account: WalletAccount): SolanaWallet => ({
  type: 'solana',
  wallet,
  account,
  address: account.address,
  name: wallet.name,
  icon: wallet.icon,
});

/** Two may have one name. */
const numbers = new WeakMap<StandardWallet, number>();
let seen = 0;
const numberOf = (wallet: StandardWallet): number => {
  if (!numbers.has(wallet)) numbers.set(wallet, (seen += 1));
  return numbers.get(wallet) as number;
};

const announcedBy = (wallet: StandardWallet): Announced => ({
  type: 'solana',
  key: `solana ${wallet.name} ${numberOf(wallet)}`,
  id: `solana ${wallet.name}`,
  name: wallet.name,
  icon: wallet.icon,
  async open(how) {
    const { connect } = featuresOf(wallet)['standard:connect'];
    const { accounts } =
      how === 'silently' ? await connect({ silent: true }).catch(() => ({ accounts: [] })) : await connect();
    const account = accountIn(accounts);
    return account === undefined ? null : connectedBy(wallet, account);
  },
  follow(_now, changed) {
    const events = featuresOf(wallet)['standard:events'];
    if (events === undefined) return () => undefined;
    return events.on('change', ({ accounts }) => {
      if (accounts === undefined) return;
      const account = accountIn(accounts);
      changed(account === undefined ? null : connectedBy(wallet, account));
    });
  },
});

/** Listens from now on. @returns Those that there are, now and whenever it is called. */
export const listenToSolanaWallets = (changed: () => void): (() => readonly Announced[]) => {
  const wallets = getWallets();
  const read = (): Announced[] => wallets.get().filter(isUsable).map(announcedBy);
  let now = read();
  const again = (): void => {
    now = read();
    changed();
  };
  wallets.on('register', again);
  wallets.on('unregister', again);
  return () => now;
};

/** Has the wallet sign a text, which it shows. @throws What the wallet says, where it is refused; MintageError where it signs none. */
export const signTextOnSolana = async ({ wallet, account, name }: SolanaWallet, text: string): Promise<Uint8Array> => {
  const feature = featuresOf(wallet)['solana:signMessage'];
  if (feature === undefined) throw new MintageError('WALLET_REFUSED', t.noTexts(name));
  const [signed] = await feature.signMessage({ account, message: new TextEncoder().encode(text) });
  if (signed === undefined) throw new MintageError('WALLET_REFUSED', t.noTexts(name));
  return signed.signature;
};

/** As the SDK asks it. */
export const payingWallet = ({ wallet, account, address, name }: SolanaWallet): PayingWallet => ({
  address,
  async signAndSend(transaction, chainSlug) {
    const feature = featuresOf(wallet)['solana:signAndSendTransaction'];
    if (feature === undefined) throw new MintageError('WALLET_ELSEWHERE', t.onlySigns(name));
    const chain = clusters[chainSlug];
    if (chain === undefined || !account.chains.includes(chain))
      throw new MintageError('WALLET_ELSEWHERE', t.notOn(name, chainName(chainSlug)));
    const [sent] = await feature.signAndSendTransaction({ account, chain, transaction });
    if (sent === undefined) throw new Error(`${name} sent it, and did not say as what.`);
    return toBase58(sent.signature);
  },
});

/** Names of the standard. */
const clusters: Readonly<Record<string, `solana:${string}`>> = {
  solana: 'solana:mainnet',
  'solana-devnet': 'solana:devnet',
};
