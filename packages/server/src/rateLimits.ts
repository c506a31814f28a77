/** Requests a minute. */
export interface RateLimits {
  /** Of one address without a credential. */
  anonymous: number;
  /** Of one user. */
  authenticated: number;
  /** Of one user with the larger allowance. */
  premium: number;
  /** Sign-ins of one address. */
  signIn: number;
  /** A write counts in an allowance of its own, this many times smaller. */
  writeDivisor: number;
  /** Not a rate: most WebSockets and other streams that one address may have open at once in one process. */
  streams: number;
  /** Posts and comments of one user, counted besides, as the next two; premium users have ten times as many, as has one address. */
  posts: number;
  /** Votes and follows. */
  votes: number;
  /** Changes of the profile, with its files. */
  profile: number;
  /** Messages to the tool server, counted in an allowance of their own. */
  toolAnonymous: number;
  toolAuthenticated: number;
  toolPremium: number;
}

/** Defaults: product.md, section 1. */
export const defaultRateLimits: RateLimits = {
  anonymous: 300,
  authenticated: 1_200,
  premium: 12_000,
  signIn: 20,
  writeDivisor: 10,
  streams: 100,
  posts: 30,
  votes: 60,
  profile: 10,
  // The specification's own figures.
  toolAnonymous: 10,
  toolAuthenticated: 100,
  toolPremium: 1_000,
};
