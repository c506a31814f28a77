import type { KeyForm } from '../../src/sign/wallets/walletKey.ts';
import { addressOf, type Signed, signWith, type Transaction } from './transaction.ts';

/** Signs for a wallet during one turn. */
export interface MadeUpKey {
  sign(transaction: Transaction): Signed;
}

export const madeUpKeys: KeyForm<MadeUpKey> = {
  addressOf,
  keyOf: (secret) => ({ sign: (transaction) => signWith(secret(), transaction) }),
};
