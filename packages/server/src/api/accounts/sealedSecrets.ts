import type { Db } from '../../db/serviceTables.ts';
import { type KeyEncryption } from '../../keys/keyEncryption.ts';
import { refuseForeignSeals, type SealedColumn } from '../../keys/sealedRows.ts';
import { sealReadableKeys, signingKeyColumn } from './signingKeys.ts';
import { sealReadableSecrets, webhookColumns } from './webhooks/webhookKeys.ts';

/** Everything that the api seals in the database. */
export const sealedSecrets: readonly SealedColumn[] = [signingKeyColumn, ...webhookColumns];

/**
 * Seals what an earlier version left readable.
 *
 * @throws KekMissingError when something was sealed by a KEK that this process does not have: it would fail later, piece by piece.
 */
export const sealSecrets = async (db: Db, keys: KeyEncryption): Promise<void> => {
  await refuseForeignSeals(db, keys, sealedSecrets);
  await sealReadableKeys(db, keys);
  await sealReadableSecrets(db, keys);
};
