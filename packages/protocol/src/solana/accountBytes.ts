/** Bytes of the accounts that a transaction of ours may open, by what they are. */
export const accountBytes = {
  /** Of dollars, and the vaults of the launchpad. */
  token: 165,
  /** Of a launched token. */
  token2022: 170,
  /** Without its name, symbol and address of metadata: with a pointer to its metadata, and those with the lengths of their three texts. */
  mint: 234 + 72 + 12,
  launch: 208,
  user: 104,
} as const;

/** What an account counts at most, base units; `withdraw` reads it as everything that is owed. */
export const mostCounted = 2n ** 64n - 1n;
