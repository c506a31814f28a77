import { timingSafeEqual } from 'node:crypto';
import { ifWritable } from '../../db/ifWritable.ts';
import { newApiKey, readApiKey } from './apiKeyText.ts';
import type { Scope } from './caller.ts';
import { type Accounts, sealed } from './rowSeals.ts';

/** Least time between two updates of a key's `last_used_at`, milliseconds. */
const lastUsedEveryMs = 60_000;

export interface VerifiedApiKey {
  id: string;
  userId: string;
  scopes: readonly Scope[];
  /** Milliseconds since 1970; Infinity for a key that never ends. */
  expiresAtMs: number;
  /** Milliseconds since 1970. */
  createdAtMs: number;
  /** From when it executes; null: from its making. */
  actsFrom: Date | null;
}

export interface NewApiKey {
  userId: string;
  name: string;
  scopes: readonly Scope[];
  createdAt: Date;
  /** Null: it never ends. */
  expiresAt: Date | null;
  /** From when it executes; null: from its making. */
  actsFrom: Date | null;
  /** Whether a budget is added with it; absent: not. */
  hasBudget?: boolean;
}

/** @returns `key`: the text that its owner is shown once. `prefix`: what is shown of it later. */
export const addApiKey = async (
  { db, seals }: Accounts,
  brand: string,
  { userId: user_id, name, scopes, createdAt, expiresAt, actsFrom, hasBudget = false }: NewApiKey,
): Promise<{ id: string; key: string; prefix: string }> => {
  const { id, key, prefix, hash } = newApiKey(brand);
  const row = {
    id,
    user_id,
    key_hash: hash,
    scopes: [...scopes],
    expires_at: expiresAt,
    created_at: createdAt,
    acts_from: actsFrom,
  };
  await db
    .insertInto('api_key')
    .values({ ...row, name, prefix, seal: seals.of(sealed.apiKey({ ...row, has_budget: hasBudget })) })
    .execute();
  return { id, key, prefix };
};

/** Compares two SHA-256 hashes (hex) in constant time. */
export const isSameHash = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

/** The API key that a text stands for; null when it is unknown, wrong, revoked or expired. Records the use. */
export const verifyApiKey = async (
  { db, seals }: Accounts,
  brand: string,
  text: string,
  nowMs: number,
): Promise<VerifiedApiKey | null> => {
  const read = readApiKey(brand, text);
  if (!read) return null;
  const row = await db
    .selectFrom('api_key')
    .select(['id', 'user_id', 'key_hash', 'scopes', 'expires_at', 'last_used_at', 'seal'])
    .select(['created_at', 'acts_from'])
    .where('id', '=', read.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row || !isSameHash(row.key_hash, read.hash)) return null;
  if (![false, true].some((has_budget) => seals.holds(sealed.apiKey({ ...row, has_budget }), row.seal))) return null;
  const expiresAtMs = row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY;
  if (expiresAtMs <= nowMs) return null;
  if ((row.last_used_at?.getTime() ?? 0) < nowMs - lastUsedEveryMs) {
    const used = db
      .updateTable('api_key')
      .set({ last_used_at: new Date(nowMs) })
      .where('id', '=', row.id);
    await ifWritable(() => used.execute());
  }
  return {
    id: row.id,
    userId: row.user_id,
    scopes: row.scopes as Scope[],
    expiresAtMs,
    createdAtMs: row.created_at.getTime(),
    actsFrom: row.acts_from,
  };
};
