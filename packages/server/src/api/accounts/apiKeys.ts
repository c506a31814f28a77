import { timingSafeEqual } from 'node:crypto';
import { ifWritable } from '../../db/ifWritable.ts';
import type { Db } from '../../db/serviceTables.ts';
import { readApiKey } from './apiKeyText.ts';
import type { Scope } from './caller.ts';

/** Least time between two updates of a key's `last_used_at`, milliseconds. */
const lastUsedEveryMs = 60_000;

export interface VerifiedApiKey {
  id: string;
  userId: string;
  scopes: readonly Scope[];
  /** Milliseconds since 1970; Infinity for a key that never ends. */
  expiresAtMs: number;
}

/** Compares two SHA-256 hashes (hex) in constant time. */
export const isSameHash = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

/** The API key that a text stands for; null when it is unknown, wrong, revoked or expired. Records the use. */
export const verifyApiKey = async (
  db: Db,
  brand: string,
  text: string,
  nowMs: number,
): Promise<VerifiedApiKey | null> => {
  const read = readApiKey(brand, text);
  if (!read) return null;
  const row = await db
    .selectFrom('api_key')
    .select(['id', 'user_id', 'key_hash', 'scopes', 'expires_at', 'last_used_at'])
    .where('id', '=', read.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row || !isSameHash(row.key_hash, read.hash)) return null;
  const expiresAtMs = row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY;
  if (expiresAtMs <= nowMs) return null;
  if ((row.last_used_at?.getTime() ?? 0) < nowMs - lastUsedEveryMs) {
    const used = db
      .updateTable('api_key')
      .set({ last_used_at: new Date(nowMs) })
      .where('id', '=', row.id);
    await ifWritable(() => used.execute());
  }
  return { id: row.id, userId: row.user_id, scopes: row.scopes as Scope[], expiresAtMs };
};
