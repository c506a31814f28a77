import { createPublicKey, verify } from 'node:crypto';
import {
  type Address,
  chainTypeOf,
  fromBase58,
  invalid,
  parseAnyHash,
  parseBase58Address,
  requireBase58,
} from '@mintage/protocol';
import { signInText } from '@mintage/protocol/signing';
import { isOnCurve, keyBytes } from '@mintage/protocol/solana';
import type { Chains } from '../../tokens/reading.ts';
import type { WalletForm } from '../walletForm.ts';

/** Sign in with Solana, and ed25519. */
export const solanaWallets: WalletForm = {
  /** An address of a program is none of a wallet: nobody signs with it. */
  parse(text) {
    const address = parseBase58Address(text);
    return address !== null && isOnCurve(keyBytes(requireBase58(address))) ? address : null;
  },
  text(chains, chainId, { appUrl, address, issuedAt, expiresAt, ...signIn }) {
    if (chainId !== undefined) throw invalid('chainId', 'is for EVM wallets: leave it out for one of Solana');
    return signInText({
      account: 'Solana',
      domain: new URL(appUrl).host,
      uri: appUrl,
      address,
      chainId: clusterOf(chains),
      issuedAt: issuedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      ...signIn,
    });
  },
  isBy(wallet, message, signature) {
    const bytes = bytesOf(signature);
    return bytes !== null && verify(null, new TextEncoder().encode(message), publicKey(wallet), bytes);
  },
};

/** As wallets name the clusters. */
const clusterOf = (chains: Chains): string => {
  const served = [...chains.values()].find(({ chain }) => chainTypeOf(chain) === 'solana');
  return served?.chain.testnet === true ? 'solana:devnet' : 'solana:mainnet';
};

/** Of a signature; null for text that is none. */
const bytesOf = (text: string): Uint8Array | null => {
  const hash = parseAnyHash(text);
  return hash === null || hash.startsWith('0x') ? null : fromBase58(hash);
};

/** SPKI of an ed25519 key, up to its 32 bytes. */
const keyForm = Buffer.from('302a300506032b6570032100', 'hex');
const publicKey = (wallet: Address) =>
  createPublicKey({ key: Buffer.concat([keyForm, keyBytes(requireBase58(wallet))]), format: 'der', type: 'spki' });
