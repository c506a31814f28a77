import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62Of, randomBase62 } from './base62.ts';

/**
 * An API key in writing: `<platform-slug>_<live|test>_<id 10>_<secret 43>_<crc 6>`. The check digits (crc) reveal a
 * typo without a database query. Only the hash of the key is stored.
 */
export interface ApiKeyText {
  /** 10 characters of base 62; names the row in `api_key`. */
  id: string;
  /** The whole key, which is shown once. */
  key: string;
  /** The key up to and including its id; safe to show. */
  prefix: string;
  /** SHA-256 of the key, hex: what is stored. The secret is random enough to need no slow hash. */
  hash: string;
}

/** @param brand - `<platform-slug>_live` or `<platform-slug>_test`. */
export const newApiKey = (brand: string): ApiKeyText => {
  const id = randomBase62(10);
  const unchecked = `${brand}_${id}_${randomBase62(43)}`;
  const key = `${unchecked}_${checkOf(unchecked)}`;
  return { id, key, prefix: `${brand}_${id}`, hash: hashOf(key) };
};

/** The parts of a key, null when the text is not one of this brand or its check digits are wrong. */
export const readApiKey = (brand: string, text: string): { id: string; hash: string } | null => {
  if (!text.startsWith(`${brand}_`)) return null;
  const match = /^([0-9A-Za-z]{10})_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/.exec(text.slice(brand.length + 1));
  if (!match || checkOf(text.slice(0, -7)) !== match[2]) return null;
  return { id: match[1] as string, hash: hashOf(text) };
};

const checkOf = (text: string): string => base62Of(crc32(text));

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
