import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Db } from '../../db/serviceTables.ts';
import type { KeyEncryption, SealContext } from '../../keys/keyEncryption.ts';
import { open, seal } from '../../keys/seal.ts';
import type { SealedColumn } from '../../keys/sealedRows.ts';

/** The key by which the push services of browsers know this service (RFC 8292), on the curve P-256. */
export interface PushKey {
  /** base64url of the uncompressed point, as browsers take it. */
  publicKey: string;
  privateKey: KeyObject;
}

/** Seal context: the private key opens beside its public key only. */
const pushKeySeal = (publicKey: string): SealContext => ({ purpose: 'push-key', publicKey });

/** The column that holds the sealed private key. */
export const pushKeyColumn: SealedColumn = {
  table: 'push_key',
  column: 'sealed_key',
  key: ['public_key'],
  contextOf: pushKeySeal,
};

export interface PushKeys {
  /** What browsers subscribe with; the key is made when it is first asked for. */
  publicKey(): Promise<string>;
  /** @throws KekUnavailableError while the holder of the KEK does not answer. */
  key(): Promise<PushKey>;
}

export const createPushKeys = (db: Db, keys: KeyEncryption): PushKeys => {
  let opened: Promise<PushKey> | undefined;
  const find = () => db.selectFrom('push_key').selectAll().executeTakeFirst();
  const row = async () => (await find()) ?? (await makeKey(db, keys), find());
  return {
    async publicKey() {
      const { public_key } = found(await row());
      return public_key;
    },
    key() {
      opened ??= row().then(async (one) => openKey(keys, found(one)));
      opened.catch(() => {
        opened = undefined;
      });
      return opened;
    },
  };
};

type Row = Awaited<ReturnType<typeof rowOf>>;
const rowOf = (db: Db) => db.selectFrom('push_key').selectAll().executeTakeFirstOrThrow();

const found = (row: Row | undefined): Row => {
  if (row === undefined) throw new Error('The key for pushes was made and is not there.');
  return row;
};

/** Of processes that make one at once, the first one's stays. */
const makeKey = async (db: Db, keys: KeyEncryption): Promise<void> => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicKey = pointOf(privateKey);
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' });
  try {
    const sealed = await seal(keys, bytes, pushKeySeal(publicKey));
    await db
      .insertInto('push_key')
      .values({ public_key: publicKey, sealed_key: JSON.stringify(sealed) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } finally {
    bytes.fill(0);
  }
};

const openKey = async (keys: KeyEncryption, { public_key: publicKey, sealed_key: sealed }: Row): Promise<PushKey> => {
  const bytes = await open(keys, sealed, pushKeySeal(publicKey));
  try {
    const privateKey = createPrivateKey({ key: Buffer.from(bytes), format: 'der', type: 'pkcs8' });
    return { publicKey, privateKey };
  } finally {
    bytes.fill(0);
  }
};

const pointOf = (key: KeyObject): string => {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return Buffer.concat(bytes).toString('base64url');
};
