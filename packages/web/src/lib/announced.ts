import type { Wallet as StandardWallet, WalletAccount } from '@wallet-standard/base';
import type { EIP1193Provider } from 'mipd';
import type { ChainType } from './onChain.ts';

interface Known {
  name: string;
  /** A data URI, where it is one that may be shown. */
  icon: string;
}

/** A wallet of EVM chains, which is asked over EIP-1193. */
export interface EvmWallet extends Known {
  type: 'evm';
  provider: EIP1193Provider;
  /** Lower case. */
  address: `0x${string}`;
  /** EIP-155: it is on one chain at a time. */
  chainId: number;
}

/** A wallet of Solana, which is asked by the features of the Wallet Standard; each question names its cluster. */
export interface SolanaWallet extends Known {
  type: 'solana';
  wallet: StandardWallet;
  account: WalletAccount;
  /** Base58. */
  address: string;
}

/** A wallet of this browser with the account that a person chose. */
export type ConnectedWallet = EvmWallet | SolanaWallet;

/** A wallet that announced itself in this browser: by EIP-6963, or by the Wallet Standard. */
export interface Announced extends Known {
  type: ChainType;
  /** Different for each that there is now. */
  key: string;
  /** By what it is known again on the next visit. */
  id: string;
  /**
   * Its account. Asked silently it says one that it said before, and asks the person nothing; null: it has none to say then.
   *
   * @param how - `another`: by its own list of accounts, where it has one.
   * @throws What the wallet says, where it is refused.
   */
  open(how: 'asked' | 'silently' | 'another'): Promise<ConnectedWallet | null>;
  /** Tells what the wallet changes, and null when it is gone. @returns What ends it. */
  follow(wallet: ConnectedWallet, changed: (next: ConnectedWallet | null) => void): () => void;
}
