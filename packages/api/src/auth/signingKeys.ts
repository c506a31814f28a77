import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Db } from '../db/db.ts';

export const signingAlgorithm = 'EdDSA';

export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: typeof signingAlgorithm;
  use: 'sig';
}

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: PublicJwk;
}

export interface SigningKeys {
  /** The newest key; made when the database has none. */
  newest(): Promise<SigningKey>;
  /** The key with this id, also when another process made it since; null when there is none. */
  byId(kid: string): Promise<SigningKey | null>;
  all(): Promise<readonly SigningKey[]>;
}

/** Between two looks into the database for an id that is not known. */
const reloadEveryMs = 2_000;

/** The keys that sign access tokens, in the database so that all processes share them. */
export const createSigningKeys = (db: Db, now: () => number): SigningKeys => {
  let loaded: Promise<readonly SigningKey[]> | undefined;
  let loadedAtMs = 0;

  const load = (): Promise<readonly SigningKey[]> => {
    loadedAtMs = now();
    const attempt = readOrMake(db);
    attempt.catch(() => {
      if (loaded === attempt) loaded = undefined;
    });
    loaded = attempt;
    return attempt;
  };
  const all = (): Promise<readonly SigningKey[]> => loaded ?? load();

  return {
    all,
    async newest() {
      return (await all())[0] as SigningKey;
    },
    async byId(kid) {
      const find = (keys: readonly SigningKey[]) => keys.find((key) => key.kid === kid) ?? null;
      const known = find(await all());
      if (known || now() - loadedAtMs < reloadEveryMs) return known;
      return find(await load());
    },
  };
};

/** Newest first, at least one. Two processes that start at once may each make one; both keys are good. */
const readOrMake = async (db: Db): Promise<readonly SigningKey[]> => {
  const read = () => db.selectFrom('signing_key').selectAll().orderBy('created_at', 'desc').orderBy('kid').execute();
  let rows = await read();
  if (rows.length === 0) {
    await makeKey(db);
    rows = await read();
  }
  return Promise.all(
    rows.map(async (row) => ({
      kid: row.kid,
      privateKey: await importKey(row.private_jwk),
      publicKey: await importKey(row.public_jwk),
      publicJwk: row.public_jwk as unknown as PublicJwk,
    })),
  );
};

const importKey = async (jwk: Record<string, unknown>): Promise<CryptoKey> => {
  const key = await importJWK(jwk as JWK, signingAlgorithm);
  if (key instanceof Uint8Array) throw new Error('A signing key in the database is a shared secret.');
  return key;
};

const makeKey = async (db: Db): Promise<void> => {
  const { privateKey, publicKey } = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true });
  const { x } = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: x as string });
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x: x as string, kid, alg: signingAlgorithm, use: 'sig' };
  await db
    .insertInto('signing_key')
    .values({
      kid,
      private_jwk: JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: signingAlgorithm }),
      public_jwk: JSON.stringify(publicJwk),
    })
    .execute();
};
