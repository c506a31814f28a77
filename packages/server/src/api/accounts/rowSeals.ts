import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../db/serviceTables.ts';
import { jsonSorted } from '../../jsonText.ts';

/**
 * Rows that say who may act for a user carry a seal: an HMAC under a key that only the APIs have. A writer of the
 * database who adds a wallet, a key or a token to an account gets no access by it. docs/decisions/0091-intent-proofs.md
 */
export interface RowSeals {
  /** The seal of a row, of all that it says about access. */
  of(row: SealedRow): string;
  /** Whether the row carries its seal. */
  holds(row: SealedRow, seal: string | null): boolean;
}

/** Where accounts are kept. */
export interface Accounts {
  db: Db;
  seals: RowSeals;
}

type Value = string | number | bigint | boolean | Date | Uint8Array | null | readonly (string | number)[];

/** Name of the table, and the sealed columns in a fixed order. */
export type SealedRow = readonly [table: string, ...values: Value[]];

/** @param keys - Intent keys of the APIs: the first seals, the others are those that it replaces. */
export const createRowSeals = (keys: readonly KeyObject[]): RowSeals => {
  const [first, ...others] = keys.map(sealKeyOf);
  if (first === undefined) throw new RangeError('Row seals need a key.');
  return {
    of: (row) => under(first, row).toString('base64url'),
    holds(row, seal) {
      const given = Buffer.from(seal ?? '', 'base64url');
      return [first, ...others].some((key) => {
        const wanted = under(key, row);
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
    },
  };
};

const under = (key: Uint8Array, row: SealedRow): Buffer => createHmac('sha256', key).update(textOf(row)).digest();

const sealKeyOf = (key: KeyObject): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key.export({ type: 'pkcs8', format: 'der' }), '', 'mintage row seals', 32));

const textOf = (row: SealedRow): string =>
  JSON.stringify(
    row.map((value) => {
      if (value instanceof Date) return value.toISOString();
      if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
      return typeof value === 'bigint' ? value.toString() : value;
    }),
  );

/** The sealed columns of each table, by name of the row's kind. */
export const sealed = {
  userWallet: (row: { address: string; user_id: string; acts_from: Date | null }): SealedRow => [
    'user_wallet',
    row.address,
    row.user_id,
    row.acts_from,
  ],
  userIdentity: (row: { issuer: string; subject: string; user_id: string }): SealedRow => [
    'user_identity',
    row.issuer,
    row.subject,
    row.user_id,
  ],
  passkey: (row: {
    credential_id: string;
    user_id: string;
    public_key: Uint8Array;
    acts_from: Date | null;
  }): SealedRow => ['passkey', row.credential_id, row.user_id, row.public_key, row.acts_from],
  authChallenge: (row: {
    nonce: string;
    address: string;
    message: string;
    expires_at: Date;
    user_id: string | null;
  }): SealedRow => ['auth_challenge', row.nonce, row.address, row.message, row.expires_at, row.user_id],
  passkeyChallenge: (row: {
    challenge: string;
    purpose: string;
    user_id: string | null;
    is_new: boolean;
    flow: string | null;
    expires_at: Date;
  }): SealedRow => ['passkey_challenge', row.challenge, row.purpose, row.user_id, row.is_new, row.flow, row.expires_at],
  apiKey: (row: {
    id: string;
    user_id: string;
    key_hash: string;
    scopes: readonly string[];
    expires_at: Date | null;
    created_at: Date;
    acts_from: Date | null;
    has_budget: boolean;
  }): SealedRow => [
    'api_key',
    row.id,
    row.user_id,
    row.key_hash,
    row.scopes,
    row.expires_at,
    row.created_at,
    row.acts_from,
    row.has_budget,
  ],
  refreshToken: (row: {
    token_hash: string;
    session_id: string;
    user_id: string;
    expires_at: Date;
    acts_from: Date | null;
  }): SealedRow => ['refresh_token', row.token_hash, row.session_id, row.user_id, row.expires_at, row.acts_from],
  oauthItem: (row: { model: string; id_hash: string; payload: unknown; grant_id: string | null }): SealedRow => [
    'oauth_item',
    row.model,
    row.id_hash,
    jsonSorted(row.payload),
    row.grant_id,
  ],
  oauthGrant: (row: {
    grant_id: string;
    user_id: string;
    client_id: string;
    scopes: readonly string[];
    created_at: Date;
    expires_at: Date;
  }): SealedRow => [
    'oauth_grant',
    row.grant_id,
    row.user_id,
    row.client_id,
    row.scopes,
    row.created_at,
    row.expires_at,
  ],
  signingKey: (row: { kid: string; x: string }): SealedRow => ['signing_key', row.kid, row.x],
  budget: (row: {
    credential: string;
    user_id: string;
    per_trade_usd18: bigint | null;
    per_day_usd18: bigint | null;
    eids: readonly number[] | null;
    contracts: readonly string[];
    recipients: readonly string[];
    created_at: Date;
    max_builder_bps: number;
  }): SealedRow => [
    'budget',
    row.credential,
    row.user_id,
    row.per_trade_usd18,
    row.per_day_usd18,
    row.eids,
    row.contracts,
    row.recipients,
    row.created_at,
    row.max_builder_bps,
  ],
};
