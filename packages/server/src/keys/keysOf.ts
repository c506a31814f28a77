import { resolve } from 'node:path';
import { awsKek } from './awsKek.ts';
import { fileKek, makeKekFile } from './fileKek.ts';
import type { KeyEncryption } from './keyEncryption.ts';
import { keyRing } from './keyRing.ts';

/** The part of the configuration that names the KEKs. */
export interface KeyConfig {
  kekFiles: readonly string[];
  kmsKeyIds: readonly string[];
  /** Folder in which a key file is made where none is named. */
  home: string;
  devnet: boolean;
  roles: ReadonlySet<string>;
}

/**
 * The KEKs of a process: KMS keys before files, and the first one seals. Where none is named, a laptop or a process
 * that cannot open wallets creates one in the home folder; the operator has to share that file among such processes.
 *
 * @throws Error, one sentence, for a signer without one, and for an unusable file.
 */
export const keysOf = ({ kekFiles, kmsKeyIds, home, devnet, roles }: KeyConfig): KeyEncryption => {
  const keks = [...kmsKeyIds.map(awsKek), ...kekFiles.map(fileKek)];
  if (keks.length > 0) return keyRing(keks);
  if (roles.has('signer') && !devnet) {
    throw new Error(
      'The role signer seals wallets: set KEK_FILE or KMS_KEY_ID, and keep what it names for as long as the wallets ' +
        '(docs/configuration.md).',
    );
  }
  const path = resolve(home, 'kek');
  makeKekFile(path);
  return fileKek(path);
};
