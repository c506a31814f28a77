import { type Address, formOf, hexAddresses, requireHex } from '@mintage/protocol';
import { checksumAddress } from 'viem';
import type { Chains } from '../../tokens/reading.ts';

export interface SignIn {
  platformName: string;
  /** Address of the web app: its host is the domain that wallets show and compare. */
  appUrl: string;
  /** What the user agrees to by signing; absent: signing in to this service. */
  statement?: string;
  address: Address;
  /** EIP-155. */
  chainId: number;
  nonce: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** The text a wallet signs to sign in, as EIP-4361 lays it out. */
export const signInMessage = (signIn: SignIn): string =>
  `${new URL(signIn.appUrl).host} wants you to sign in with your Ethereum account:
${shownWallet(signIn.address)}

${signIn.statement ?? `Sign in to ${signIn.platformName}. This costs nothing and sends no transaction.`}

URI: ${signIn.appUrl}
Version: 1
Chain ID: ${signIn.chainId}
Nonce: ${signIn.nonce}
Issued At: ${signIn.issuedAt.toISOString()}
Expiration Time: ${signIn.expiresAt.toISOString()}`;

/** The chain that such a text names unless the caller does: the first one with an EIP-155 id. */
export const firstChainId = (chains: Chains): number =>
  [...chains.values()].map(({ chain }) => chain.chainId).find((chainId) => chainId !== null) ?? 1;

/** A wallet as people read it. */
export const shownWallet = (wallet: Address): string =>
  formOf(wallet) === hexAddresses ? checksumAddress(requireHex(wallet)) : wallet;

/** The nonce line of such a text, null when it has none. */
export const nonceOf = (message: string): string | null => /^Nonce: ([0-9A-Za-z]{8,64})$/m.exec(message)?.[1] ?? null;
