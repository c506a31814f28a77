import type { Db } from '../../db/serviceTables.ts';
import { type KeyEncryption } from '../../keys/keyEncryption.ts';
import { refuseForeignSeals, type SealedColumn } from '../../keys/sealedRows.ts';
import { pushKeyColumn } from './pushKey.ts';
import { sealReadableKeys, signingKeyColumn } from './signingKeys.ts';
import { sealReadableSecrets, webhookColumns } from './webhooks/webhookKeys.ts';

/** Every column that the API seals. */
export const sealedSecrets: readonly SealedColumn[] = [signingKeyColumn, pushKeyColumn, ...webhookColumns];

/**
 * Seals secrets that an earlier version stored in the clear.
 *
 * @throws KekMissingError when a secret was sealed by a KEK that this process does not have; without this check it
 * would fail later, secret by secret.
 */
export const sealSecrets = async (db: Db, keys: KeyEncryption): Promise<void> => {
  await refuseForeignSeals(db, keys, sealedSecrets);
  await sealReadableKeys(db, keys);
  await sealReadableSecrets(db, keys);
};
