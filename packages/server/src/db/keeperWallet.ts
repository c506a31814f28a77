import type { Address, ChainType } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import { embeddedAddress } from './embeddedAddress.ts';
import type { SignerDatabase } from './signerTables.ts';

/** User id of the keeper, whose wallets are created, sealed and used like any other. No account has this id. */
export const keeperUser = '6d696e74-6167-8000-8000-6b6565706572';

/** The keeper's wallet on chains of this family; null until a signer has made it. */
export const keeperWallet = (db: Kysely<SignerDatabase>, chainType: ChainType): Promise<Address | null> =>
  embeddedAddress(db, keeperUser, chainType);

/** Requests the keeper's wallet. Without this, it is created when the keeper first needs it. */
export const askForKeeperWallet = async (db: Kysely<SignerDatabase>, chainType: ChainType): Promise<void> => {
  await db
    .insertInto('embedded_wallet')
    .values({ user_id: keeperUser, chain_type: chainType, address: null, made_at: null, paused_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
