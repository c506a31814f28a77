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
  getNotifications: ['unread_only', 'types', 'limit', 'cursor'],
};

/** The one text of a body that a wallet signs for: keys sorted, no spaces. Source: wire contract 4.6. */
export const canonicalText = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`).join(',')}}`;
};
