import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Context, Hex } from '../context.ts';
import { open } from '../keys/keys.ts';
import { walletSeal } from './walletSeal.ts';

/**
 * The account that signs for a wallet. Whoever asked lets go of it when the lane's turn is over.
 *
 * @returns Undefined when no user has this wallet.
 * @throws When the key does not open, or is another wallet's.
 */
export const unseal = async ({ db, keys }: Context, wallet: Hex): Promise<PrivateKeyAccount | undefined> => {
  const row = await db
    .selectFrom('embedded_wallet')
    .select(['user_id', 'sealed_key'])
    .where('address', '=', wallet)
    .executeTakeFirst();
  if (!row?.sealed_key) return undefined;
  const key = await open(keys, row.sealed_key, walletSeal(row.user_id, wallet));
  try {
    const account = privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`);
    if (account.address.toLowerCase() !== wallet) throw new Error(`The key of ${wallet} is another wallet's.`);
    return account;
  } finally {
    key.fill(0);
  }
};
