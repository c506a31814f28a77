import { createRequire } from 'node:module';

/**
 * Recovers the public key that made a signature, in compiled code: a JavaScript implementation takes about 2 ms, so a
 * flood of signatures would occupy the whole server.
 *
 * @param digest - 32 bytes.
 * @param signature - r and s, 64 bytes.
 * @returns The public key, uncompressed without its first byte: 64 bytes; null when there is none.
 */
export type RecoverPublicKey = (digest: Uint8Array, signature: Uint8Array, recoveryId: 0 | 1) => Uint8Array | null;

const require = createRequire(import.meta.url);

/**
 * libsecp256k1 as a native module; null where no build fits this machine. The package's main entry is not used, because
 * it silently falls back to slow JavaScript.
 */
export const nativeRecovery = (): RecoverPublicKey | null => {
  let native: typeof import('secp256k1');
  try {
    native = require('secp256k1/bindings') as typeof import('secp256k1');
  } catch {
    return null;
  }
  return (digest, signature, recoveryId) => {
    try {
      return native.ecdsaRecover(signature, recoveryId, digest, false).subarray(1);
    } catch {
      return null; // not a point on the curve
    }
  };
};

/** libsecp256k1 as WebAssembly: runs on every machine, four times slower than the native one. */
export const wasmRecovery = (): RecoverPublicKey => {
  const wasm = require('tiny-secp256k1') as typeof import('tiny-secp256k1');
  return (digest, signature, recoveryId) => {
    try {
      return wasm.recover(digest, signature, recoveryId, false)?.subarray(1) ?? null;
    } catch {
      return null; // r or s is not in the range of the curve
    }
  };
};

export const recoverPublicKey: RecoverPublicKey = nativeRecovery() ?? wasmRecovery();
