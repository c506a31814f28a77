/** `user.id` of a passkey: the bytes of the user's id, by which its authenticator tells accounts apart. */
export const handleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'));

/** By which passkey managers list an account, and by which its user knows it again. */
export const accountName = (platformName: string, userId: string): string => `${platformName} ${userId.slice(0, 8)}`;
