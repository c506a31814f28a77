import { type Address, formOf, hexAddresses, requireHex } from '@mintage/protocol';
import { signInText } from '@mintage/protocol/signing';
import { checksumAddress } from 'viem';
import type { Chains } from '../../tokens/reading.ts';

export interface SignIn {
  /** Address of the web app: its host is the domain that wallets show and compare. */
  appUrl: string;
  /** What the user agrees to by signing. */
  statement: string;
  address: Address;
  /** EIP-155. */
  chainId: number;
  nonce: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** The text that a wallet signs to sign in. */
export const signInMessage = (signIn: SignIn): string =>
  signInText({
    account: 'Ethereum',
    domain: new URL(signIn.appUrl).host,
    address: shownWallet(signIn.address),
    statement: signIn.statement,
    uri: signIn.appUrl,
    chainId: signIn.chainId,
    nonce: signIn.nonce,
    issuedAt: signIn.issuedAt.toISOString(),
    expiresAt: signIn.expiresAt.toISOString(),
  });

/** The chain that such a text names unless the caller does: the first one with an EIP-155 id. */
export const firstChainId = (chains: Chains): number =>
  [...chains.values()].map(({ chain }) => chain.chainId).find((chainId) => chainId !== null) ?? 1;

/** A wallet as people read it. */
export const shownWallet = (wallet: Address): string =>
  formOf(wallet) === hexAddresses ? checksumAddress(requireHex(wallet)) : wallet;
