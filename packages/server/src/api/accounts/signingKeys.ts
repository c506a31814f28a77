import { webcrypto } from 'node:crypto';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Selectable, sql } from 'kysely';
import { ifWritable } from '../../db/ifWritable.ts';
import type { Db, SigningKeyTable } from '../../db/serviceTables.ts';
import { BrokenSealError, type KeyEncryption, type SealContext } from '../../keys/keyEncryption.ts';
import { open, seal } from '../../keys/seal.ts';
import { type SealedColumn } from '../../keys/sealedRows.ts';
import { type Accounts, sealed } from './rowSeals.ts';

export const signingAlgorithm = 'EdDSA';

export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: typeof signingAlgorithm;
  use: 'sig';
}

/** The public half of a signing key. */
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
   * @throws KekUnavailableError while the holder of the KEK does not answer and this process has not opened the key
   * before.
   */
  newest(): Promise<SigningKey>;
  /** The key with this id, also when another process made it since; null when there is none. */
  byId(kid: string): Promise<VerifyingKey | null>;
  /**
   * The keys that verify tokens, newest first: the one that signs, and each replaced one until its last token has
   * expired.
   */
  all(): Promise<readonly VerifyingKey[]>;
}

/** How long a process caches the keys, milliseconds: a rotation is seen everywhere within this time. */
const believedMs = 5_000;
/** Least time between two queries for an unknown key id, milliseconds. */
const reloadEveryMs = 2_000;
/** Longest lifetime of a token signed by these keys, seconds. */
export const longestTokenSeconds = 3_600;
/**
 * A replaced key is deleted once the last token that it may have signed has expired, with minutes to spare for slow
 * clocks.
 */
const keptSeconds = longestTokenSeconds + believedMs / 1000 + 300;

/** Seal context of the private key with this id: it opens for this row only. */
export const signingKeySeal = (kid: string): SealContext => ({ purpose: 'signing-key', kid });

/**
 * The keys that sign access tokens. They are stored in the database, sealed by the KEK, so that all processes share
 * them.
 */
export const createSigningKeys = (accounts: Accounts, keys: KeyEncryption, now: () => number): SigningKeys => {
  let loaded: Promise<readonly Loaded[]> | undefined;
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  /** Opened private keys by id. */
  const opened = new Map<string, Promise<CryptoKey>>();

  const load = (): Promise<readonly Loaded[]> => {
    loadedAtMs = now();
    const attempt = readOrMake(accounts, keys);
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
const readOrMake = async (accounts: Accounts, keys: KeyEncryption): Promise<readonly Loaded[]> => {
  const { db } = accounts;
  let rows = await readKeys(accounts);
  if (rows.length === 0) {
    await makeKey(accounts, keys);
    rows = await readKeys(accounts);
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

/** Those that an API made, newest first, by the database's clock, which is one for all processes. */
const readKeys = async ({ db, seals }: Accounts) => {
  const rows = await db
    .selectFrom('signing_key')
    .selectAll()
    .select(
      sql<boolean>`coalesce(lag(created_at) over (order by created_at desc, kid)
        < now() - make_interval(secs => ${keptSeconds}), false)`.as('is_over'),
    )
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();
  return rows.filter(({ kid, public_jwk, seal: given }) =>
    seals.holds(sealed.signingKey({ kid, x: String(public_jwk.x) }), given),
  );
};

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
  // The column was emptied by hand: every start seals keys that are still readable.
  if (row.sealed_key === null) throw new BrokenSealError('no key');
  const bytes = await open(keys, row.sealed_key, signingKeySeal(row.kid));
  try {
    return await webcrypto.subtle.importKey('pkcs8', bytes as Uint8Array<ArrayBuffer>, 'Ed25519', false, ['sign']);
  } finally {
    bytes.fill(0);
  }
};

/**
 * Creates the key that signs from now on; other processes use it within seconds. Earlier keys verify until their last
 * token has expired.
 *
 * @returns Its id.
 */
export const makeKey = async ({ db, seals }: Accounts, keys: KeyEncryption): Promise<string> => {
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
      seal: seals.of(sealed.signingKey({ kid, x: publicJwk.x })),
    })
    .execute();
  return kid;
};

/**
 * Deletes every key but this one: tokens signed by the others are refused within seconds, and clients have to refresh.
 */
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

/** The column that holds the sealed private keys. */
export const signingKeyColumn: SealedColumn = {
  table: 'signing_key',
  column: 'sealed_key',
  key: ['kid'],
  contextOf: signingKeySeal,
};

/** Seals private keys that an earlier version stored in the clear. */
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
      .where('private_jwk', 'is not', null) // another process may have sealed it first
      .execute();
  }
};
