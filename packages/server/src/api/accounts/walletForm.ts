import type { Address } from '@mintage/protocol';
import type { Chains } from '../tokens/reading.ts';

/** What a text says besides the wallet's own chain. */
export interface SignInFacts {
  /** Address of the web app: its host is the domain that wallets show and compare. */
  appUrl: string;
  /** What the user agrees to by signing. */
  statement: string;
  address: Address;
  nonce: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** How wallets of one family sign texts. */
export interface WalletForm {
  /** A wallet in its one form; null for text that is none. */
  parse(text: string): Address | null;
  /** @param chainId - EIP-155, as the caller names one. @throws INVALID_PARAMETERS. */
  text(chains: Chains, chainId: number | undefined, signIn: SignInFacts): string;
  /** Whether the wallet made this signature of exactly this text. */
  isBy(wallet: Address, message: string, signature: string): boolean;
}
