import type { Hex } from 'viem';
import { textHash } from './hashes.ts';

/**
 * Reads of `/info` about the caller's own account, which a wallet may sign, and the keys that its client may have signed as null
 * without sending them. Source: wire contract 4.6.
 */
export const signedReads: Readonly<Record<string, readonly string[]>> = {
  me: ['include_testnets'],
  getUserBalance: ['token_id', 'chain_id'],
  getUserFees: ['user_id', 'chains'],
  getUserFeeHistory: ['user_id', 'fee_type', 'chains', 'limit', 'offset'],
  getUserPortfolio: ['chains'],
};

/** The one text of a body that a wallet signs for: keys sorted, no spaces. Source: wire contract 4.6. */
export const canonicalText = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`).join(',')}}`;
};

/**
 * Every hash that the reference client may have signed for this body, most usual first: a key that its caller left
 * undefined is signed as null but not sent. Each is made when it is asked for: there may be 32, and the first is nearly
 * always the one.
 *
 * @param body - As it arrived, with its `type`.
 * @param optionalKeys - Keys that the type allows to be absent.
 */
export function* infoBodyHashes(
  body: Readonly<Record<string, unknown>>,
  optionalKeys: readonly string[],
): Generator<Hex, void> {
  const absent = optionalKeys.filter((key) => !(key in body));
  for (let subset = 0; subset < 2 ** absent.length; subset += 1) {
    const added = absent.filter((_key, i) => (subset & (1 << i)) !== 0);
    const signed = { ...body, ...Object.fromEntries(added.map((key) => [key, null])) };
    yield textHash(canonicalText(signed));
  }
}
