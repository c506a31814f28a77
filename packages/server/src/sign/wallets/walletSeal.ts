import type { SealContext, SealedColumn } from '../../keys/keys.ts';

/** Seal context of a wallet's key: it does not open in the row of another user or with another address. */
export const walletSeal = (user: string, address: string): SealContext => ({ purpose: 'wallet', user, address });

/** The column that holds the sealed wallet keys. */
export const walletKeys: SealedColumn = {
  table: 'embedded_wallet',
  column: 'sealed_key',
  key: ['user_id', 'address'],
  contextOf: walletSeal,
};
