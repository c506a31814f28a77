import { randomBytes } from 'node:crypto';
import { type Hex, hexToBytes, keccak256, serializeTransaction, type TransactionSerializable, toHex } from 'viem';
import type { KeyForm } from '../wallets/walletKey.ts';
import { curve } from './curve.ts';

/** Signs for a wallet during one turn. */
export interface WalletKey {
  /** The signed bytes of a transaction. @throws Once the turn is over. */
  sign(transaction: TransactionSerializable): Hex;
}

/** Lower case. */
export const addressOf = (key: Uint8Array): Hex => `0x${keccak256(curve.publicKeyOf(key)).slice(-40)}`;

const signed = (transaction: TransactionSerializable, key: Uint8Array): Hex => {
  const digest = hexToBytes(keccak256(serializeTransaction(transaction)));
  const { signature, recoveryId } = curve.sign(digest, key);
  const [r, s] = [toHex(signature.subarray(0, 32)), toHex(signature.subarray(32))];
  return serializeTransaction(transaction, { r, s, v: BigInt(27 + recoveryId), yParity: recoveryId });
};

export const evmKeys: KeyForm<WalletKey> = {
  addressOf,
  keyOf: (secret) => ({ sign: (transaction) => signed(transaction, secret()) }),
};

/** The caller wipes the secret. */
export const newWallet = (): { secret: Buffer; address: Hex } => {
  for (;;) {
    const secret = randomBytes(32);
    if (!curve.isKey(secret)) continue;
    try {
      return { secret, address: addressOf(secret) };
    } catch (error) {
      secret.fill(0);
      throw error;
    }
  }
};
