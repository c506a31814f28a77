import { hexToBytes, keccak256, serializeTransaction, type TransactionSerializable, toHex } from 'viem';
import { open } from '../../keys/keys.ts';
import type { Context, Hex } from '../context.ts';
import { curve } from './curve.ts';
import { walletSeal } from './walletSeal.ts';

/** Signs for a wallet during one turn. */
export interface WalletKey {
  /** The signed bytes of a transaction. @throws Once the turn is over. */
  sign(transaction: TransactionSerializable): Hex;
}

/**
 * Opens the key of a wallet for one turn and wipes it when the turn ends, in whatever way.
 *
 * @param use - Called with undefined when no user has this wallet.
 * @throws When the key does not open, or belongs to another wallet.
 */
export const withWalletKey = async <Result>(
  { db, keys }: Context,
  wallet: Hex,
  use: (key: WalletKey | undefined) => Promise<Result>,
): Promise<Result> => {
  const row = await db
    .selectFrom('embedded_wallet')
    .select(['user_id', 'sealed_key'])
    .where('address', '=', wallet)
    .executeTakeFirst();
  if (!row?.sealed_key) return use(undefined);
  const secret = await open(keys, row.sealed_key, walletSeal(row.user_id, wallet));
  let isOpen = true;
  try {
    if (addressOf(secret) !== wallet) throw new Error(`The key of ${wallet} is another wallet's.`);
    return await use({
      sign(transaction) {
        if (!isOpen) throw new Error(`The key of ${wallet} was wiped.`);
        return signed(transaction, secret);
      },
    });
  } finally {
    isOpen = false;
    secret.fill(0);
  }
};

/** Lower case. */
export const addressOf = (key: Uint8Array): Hex => `0x${keccak256(curve.publicKeyOf(key)).slice(-40)}`;

const signed = (transaction: TransactionSerializable, key: Uint8Array): Hex => {
  const digest = hexToBytes(keccak256(serializeTransaction(transaction)));
  const { signature, recoveryId } = curve.sign(digest, key);
  const [r, s] = [toHex(signature.subarray(0, 32)), toHex(signature.subarray(32))];
  return serializeTransaction(transaction, { r, s, v: BigInt(27 + recoveryId), yParity: recoveryId });
};
