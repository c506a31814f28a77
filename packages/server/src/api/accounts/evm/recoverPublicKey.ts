import { nativeSecp256k1, wasmSecp256k1 } from '../../../secp256k1.ts';

/**
 * Recovers the public key that made a signature, in compiled code: a JavaScript implementation takes about 2 ms, so a
 * flood of signatures would occupy the whole server.
 *
 * @param digest - 32 bytes.
 * @param signature - r and s, 64 bytes.
 * @returns The public key, uncompressed without its first byte: 64 bytes; null when there is none.
 */
export type RecoverPublicKey = (digest: Uint8Array, signature: Uint8Array, recoveryId: 0 | 1) => Uint8Array | null;

/** Null where no native module fits this machine. */
export const nativeRecovery = (): RecoverPublicKey | null => {
  const native = nativeSecp256k1();
  if (native === null) return null;
  return (digest, signature, recoveryId) => {
    try {
      return native.ecdsaRecover(signature, recoveryId, digest, false).subarray(1);
    } catch {
      return null; // not a point on the curve
    }
  };
};

export const wasmRecovery = (): RecoverPublicKey => {
  const wasm = wasmSecp256k1();
  return (digest, signature, recoveryId) => {
    try {
      return wasm.recover(digest, signature, recoveryId, false)?.subarray(1) ?? null;
    } catch {
      return null; // r or s is not in the range of the curve
    }
  };
};

export const recoverPublicKey: RecoverPublicKey = nativeRecovery() ?? wasmRecovery();
