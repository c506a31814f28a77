import { randomBytes, sign } from 'node:crypto';
import type { Base58 } from '@mintage/protocol';
import { ed25519Key } from '../../chain/solana/ed25519Key.ts';
import type { KeyForm } from '../wallets/walletKey.ts';

/** Signs for a wallet during one turn. */
export interface WalletKey {
  /** The 64 bytes of a signature: the same for the same message. @throws Once the turn is over. */
  sign(message: Uint8Array): Uint8Array;
}

export const solanaKeys: KeyForm<WalletKey> = {
  addressOf: (secret) => ed25519Key(secret).address,
  keyOf: (secret) => ({ sign: (message) => new Uint8Array(sign(null, message, ed25519Key(secret()).key)) }),
};

/** Any 32 bytes are a key of ed25519. The caller wipes the secret. */
export const newWallet = (): { secret: Buffer; address: Base58 } => {
  const secret = randomBytes(32);
  try {
    return { secret, address: ed25519Key(secret).address };
  } catch (error) {
    secret.fill(0);
    throw error;
  }
};
