import { toBase58 } from '@mintage/protocol';
import type { SigningWallet } from './wallet.ts';

/** Signs texts on EVM chains: an account of viem. */
export type EvmSigner = Pick<SigningWallet, 'address' | 'signMessage'>;

/** Signs texts on Solana. */
export interface SolanaSigner {
  /** Base58. */
  address: string;
  /** The 64 bytes of ed25519 over exactly the text in UTF-8. */
  signText(text: string): Promise<Uint8Array>;
}

/** What signs texts: each of the two has one method for it. */
export type TextSigner = EvmSigner | SolanaSigner;

export const isSolanaSigner = (signer: TextSigner): signer is SolanaSigner => 'signText' in signer;

/** The signature of a text as the service takes it: hex by EIP-191, or base58. */
export const signatureOf = async (signer: TextSigner, text: string): Promise<string> =>
  isSolanaSigner(signer) ? toBase58(await signer.signText(text)) : signer.signMessage({ message: text });
