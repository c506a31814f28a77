export const basePath = '/functions/v1';

/** Bytes of a body. From a caller whom nothing proves yet: */
export const anonymousBodyLimit = 64 * 1024;
/** with a credential; a longer body is read off the event loop: */
export const usualBodyLimit = 256 * 1024;
/** of an operation that carries media. */
export const mediaBodyLimit = 12 * 1024 * 1024;
/** Of a read that a wallet signs: it is hashed up to 32 times before anybody is proved. */
export const signedReadLimit = 8 * 1024;
