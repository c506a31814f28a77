export const basePath = '/functions/v1';

/** Longest body of a caller without a credential, bytes. */
export const anonymousBodyLimit = 64 * 1024;
/**
 * Longest body of a caller with a credential, bytes. Longer ones, which only media operations accept, are read off the
 * event loop.
 */
export const usualBodyLimit = 256 * 1024;
/** Longest body of an operation that carries media, bytes. */
export const mediaBodyLimit = 12 * 1024 * 1024;
/** Longest body of a read that is signed by a wallet, bytes: it is hashed up to 32 times before the caller is known. */
export const signedReadLimit = 8 * 1024;
