import type { Address } from '@mintage/protocol';
import { open } from '../../keys/keys.ts';
import type { Context } from '../context.ts';
import { walletSeal } from './walletSeal.ts';

/** What a family makes of a wallet's secret. */
export interface KeyForm<Key> {
  addressOf(secret: Uint8Array): Address;
  /**
   * What signs with the secret.
   *
   * @param secret - To be asked for each signature and kept nowhere. @throws Once the turn is over.
   */
  keyOf(secret: () => Uint8Array): Key;
}

/** A key with the user that it is sealed for; both undefined when no user has the wallet. */
export interface OpenedKey<Key> {
  key: Key | undefined;
  owner: string | undefined;
}

/**
 * Opens the key of a wallet for one turn and wipes it when the turn ends, in whatever way.
 *
 * @param use - Called with the key and the user that it is sealed for; with undefined when no user has this wallet.
 * @throws When the key does not open, or belongs to another wallet.
 */
export const withWalletKey = async <Key, Result>(
  { db, keys }: Context,
  wallet: Address,
  { addressOf, keyOf }: KeyForm<Key>,
  use: (key: Key | undefined, owner?: string) => Promise<Result>,
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
    const key = keyOf(() => {
      if (!isOpen) throw new Error(`The key of ${wallet} was wiped.`);
      return secret;
    });
    return await use(key, row.user_id);
  } finally {
    isOpen = false;
    secret.fill(0);
  }
};
