/** The part of http_ece that is used here; it has no types of its own. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface Parameters {
    version: 'aes128gcm';
    /** base64url of the other's public key; absent: the one in the header. */
    dh?: string;
    /** Own key: of the sender when encrypting, of the receiver when decrypting. */
    privateKey: ECDH;
    /** base64url. */
    authSecret: string;
  }

  export const encrypt: (text: Uint8Array, parameters: Parameters & { dh: string }) => Buffer;
  export const decrypt: (bytes: Uint8Array, parameters: Parameters) => Buffer;
}
