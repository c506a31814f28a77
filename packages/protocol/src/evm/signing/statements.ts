const harmless = 'This costs nothing and sends no transaction.';

/** What a wallet agrees to in a sign-in's text: one line each. Client and service write them by this. */
export const statements = {
  /** Signs in. */
  signIn: (platform: string) => `Sign in to ${platform}. ${harmless}`,
  /** Signs in for good to the account of `userId`. */
  link: (platform: string, userId: string) =>
    `Link this wallet for good to the ${platform} account ${userId}, which it signs in to from now on. ${harmless}`,
  /** Signs in where an application asks for access. */
  decide: (platform: string, host: string) =>
    `Sign in to ${platform} to decide what the application at ${host} may do. ${harmless}`,
};

/**
 * Whether a statement is of this kind, whatever the platform's name is: a text of another kind does something else than was asked
 * for, in words that nobody reads.
 */
export const isStatement = {
  signIn: (line: string): boolean =>
    line.startsWith('Sign in to ') && !line.includes(' to decide what the application at ') && line.endsWith(harmless),
  /** @param userId - Of the account that the wallet is linked to. */
  link: (line: string, userId: string): boolean =>
    line.startsWith('Link this wallet for good to the ') &&
    line.endsWith(` account ${userId}, which it signs in to from now on. ${harmless}`),
};
