import type { Address, ChainType } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import type { SignerDatabase } from './signerTables.ts';

/** A user's embedded wallet on chains of this family; null until a signer has made it. */
export const embeddedAddress = async (
  db: Kysely<SignerDatabase>,
  userId: string,
  chainType: ChainType,
): Promise<Address | null> => {
  const row = await db
    .selectFrom('embedded_wallet')
    .select('address')
    .where('user_id', '=', userId)
    .where('chain_type', '=', chainType)
    .executeTakeFirst();
  return row?.address ?? null;
};
