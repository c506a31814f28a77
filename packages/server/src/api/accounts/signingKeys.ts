import { webcrypto } from 'node:crypto';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Selectable, sql } from 'kysely';
import { ifWritable } from '../../db/ifWritable.ts';
import type { Db, SigningKeyTable } from '../../db/serviceTables.ts';
import { BrokenSealError, type KeyEncryption, type SealContext } from '../../keys/keyEncryption.ts';
import { open, seal } from '../../keys/seal.ts';
import { type SealedColumn } from '../../keys/sealedRows.ts';

export const signingAlgorithm = 'EdDSA';

export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: typeof signingAlgorithm;
  use: 'sig';
}

/** What verifies a token. */
export interface VerifyingKey {
  kid: string;
  publicKey: CryptoKey;
  publicJwk: PublicJwk;
}

export interface SigningKey extends VerifyingKey {
  privateKey: CryptoKey;
}

export interface SigningKeys {
  /**
   * The newest key, which signs; made when the database has none.
   *
   * @throws KekUnavailableError while who holds the KEK does not answer and this process has not opened the key before.
   */
  newest(): Promise<SigningKey>;
  /** The key with this id, also when another process made it since; null when there is none. */
  byId(kid: string): Promise<VerifyingKey | null>;
  /** Those that verify, newest first: the one that signs, and each that did until its last token has ended. */
  all(): Promise<readonly VerifyingKey[]>;
}

/** So long a process uses the keys that it read: a rotation is seen everywhere within this. */
const believedMs = 5_000;
/** Between two looks into the database for an id that is not known. */
const reloadEveryMs = 2_000;
/** No token that these keys sign may live longer. */
export const longestTokenSeconds = 3_600;
/** A replaced key goes when the last token that it may have signed has ended, on a clock that may be minutes behind. */
const keptSeconds = longestTokenSeconds + believedMs / 1000 + 300;

/** What the private key of this id is sealed to. */
export const signingKeySeal = (kid: string): SealContext => ({ purpose: 'signing-key', kid });

/** The keys that sign access tokens, in the database so that all processes share them; sealed by the KEK. */
export const createSigningKeys = (db: Db, keys: KeyEncryption, now: () => number): SigningKeys => {
  let loaded: Promise<readonly Loaded[]> | undefined;
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  /** Opened private keys by id. */
  const opened = new Map<string, Promise<CryptoKey>>();

  const load = (): Promise<readonly Loaded[]> => {
    loadedAtMs = now();
    const attempt = readOrMake(db, keys);
    attempt.catch(() => {
      if (loaded === attempt) loaded = undefined;
    });
    loaded = attempt;
    return attempt;
  };
  const all = (): Promise<readonly Loaded[]> =>
    loaded !== undefined && now() - loadedAtMs < believedMs ? loaded : load();

  const privateKeyOf = (key: Loaded): Promise<CryptoKey> => {
    const known = opened.get(key.kid);
    if (known) return known;
    const opening = key.openPrivate();
    opened.set(key.kid, opening);
    opening.catch(() => opened.delete(key.kid));
    return opening;
  };

  const signer = async (key: Loaded): Promise<SigningKey> => ({ ...key, privateKey: await privateKeyOf(key) });

  return {
    all,
    async newest() {
      return signer((await all())[0] as Loaded);
    },
    async byId(kid) {
      const find = (found: readonly Loaded[]) => found.find((key) => key.kid === kid) ?? null;
      const known = find(await all());
      if (known || now() - loadedAtMs < reloadEveryMs) return known;
      return find(await load());
    },
  };
};

interface Loaded extends VerifyingKey {
  openPrivate(): Promise<CryptoKey>;
}

/** Newest first, at least one. Two processes that start at once may each make one; both keys are good. */
const readOrMake = async (db: Db, keys: KeyEncryption): Promise<readonly Loaded[]> => {
  let rows = await readKeys(db);
  if (rows.length === 0) {
    await makeKey(db, keys);
    rows = await readKeys(db);
  }
  const over = rows.filter((row) => row.is_over);
  if (over.length > 0) await ifWritable(() => removeKeys(db, over));
  return Promise.all(
    rows
      .filter((row) => !row.is_over)
      .map(async (row) => {
        const publicJwk = row.public_jwk as unknown as PublicJwk;
        return {
          kid: row.kid,
          publicKey: await importPublic(publicJwk),
          publicJwk,
          openPrivate: () => openKey(keys, row),
        };
      }),
  );
};

/** Newest first, by the database's clock, which is one for all processes. */
const readKeys = (db: Db) =>
  db
    .selectFrom('signing_key')
    .selectAll()
    .select(
      sql<boolean>`coalesce(lag(created_at) over (order by created_at desc, kid)
        < now() - make_interval(secs => ${keptSeconds}), false)`.as('is_over'),
    )
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();

const removeKeys = async (db: Db, rows: readonly { kid: string }[]): Promise<void> => {
  await db
    .deleteFrom('signing_key')
    .where(
      'kid',
      'in',
      rows.map((row) => row.kid),
    )
    .execute();
};

const importPublic = async (jwk: PublicJwk): Promise<CryptoKey> => {
  const key = await importJWK(jwk as JWK, signingAlgorithm);
  if (key instanceof Uint8Array) throw new Error('A signing key in the database is a shared secret.');
  return key;
};

const openKey = async (keys: KeyEncryption, row: Selectable<SigningKeyTable>): Promise<CryptoKey> => {
  if (row.sealed_key === null) throw new BrokenSealError('no key'); // emptied by hand: a start seals what it finds readable
  const bytes = await open(keys, row.sealed_key, signingKeySeal(row.kid));
  try {
    return await webcrypto.subtle.importKey('pkcs8', bytes as Uint8Array<ArrayBuffer>, 'Ed25519', false, ['sign']);
  } finally {
    bytes.fill(0);
  }
};

/**
 * Makes a key that signs from now on; processes see it within seconds. The ones before verify until their last token has
 * ended.
 *
 * @returns Its id.
 */
export const makeKey = async (db: Db, keys: KeyEncryption): Promise<string> => {
  const { privateKey, publicKey } = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true });
  const { x } = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: x as string });
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x: x as string, kid, alg: signingAlgorithm, use: 'sig' };
  await db
    .insertInto('signing_key')
    .values({
      kid,
      sealed_key: JSON.stringify(await sealKey(keys, privateKey, kid)),
      public_jwk: JSON.stringify(publicJwk),
    })
    .execute();
  return kid;
};

/** Ends every key but this one: what they signed is refused within seconds, and everybody refreshes. */
export const endOtherKeys = async (db: Db, kid: string): Promise<void> => {
  await db.deleteFrom('signing_key').where('kid', '<>', kid).execute();
};

const sealKey = async (keys: KeyEncryption, privateKey: CryptoKey, kid: string) => {
  const bytes = new Uint8Array(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  try {
    return await seal(keys, bytes, signingKeySeal(kid));
  } finally {
    bytes.fill(0);
  }
};

/** Where the private keys stand. */
export const signingKeyColumn: SealedColumn = {
  table: 'signing_key',
  column: 'sealed_key',
  key: ['kid'],
  contextOf: signingKeySeal,
};

/** Seals the keys that were written before keys were sealed. */
export const sealReadableKeys = async (db: Db, keys: KeyEncryption): Promise<void> => {
  const rows = await db
    .selectFrom('signing_key')
    .select(['kid', 'private_jwk'])
    .where('private_jwk', 'is not', null)
    .execute();
  for (const { kid, private_jwk: jwk } of rows) {
    const privateKey = (await importJWK({ ...jwk, ext: true } as JWK, signingAlgorithm)) as CryptoKey;
    await db
      .updateTable('signing_key')
      .set({ sealed_key: JSON.stringify(await sealKey(keys, privateKey, kid)), private_jwk: null })
      .where('kid', '=', kid)
      .where('private_jwk', 'is not', null) // another process may have been faster
      .execute();
  }
};
