import type { SealContext, SealedColumn } from '../../keys/keys.ts';

/** What a wallet's key is sealed to: a row of another user, or with another address, does not open. */
export const walletSeal = (user: string, address: string): SealContext => ({ purpose: 'wallet', user, address });

/** Where the wallets' keys stand. */
export const walletKeys: SealedColumn = {
  table: 'embedded_wallet',
  column: 'sealed_key',
  key: ['user_id', 'address'],
  contextOf: walletSeal,
};
