import { nativeSecp256k1, wasmSecp256k1 } from '../../secp256k1.ts';

/**
 * libsecp256k1, which takes keys as bytes and keeps no copy of them: a key that was ever a JavaScript string or bigint
 * cannot be wiped. Native where a build fits this machine, otherwise WebAssembly.
 */
export interface Curve {
  /** Whether 32 bytes are a key: above zero and below the order of the curve. */
  isKey(key: Uint8Array): boolean;
  /** x and y, 64 bytes. */
  publicKeyOf(key: Uint8Array): Uint8Array;
  /** Deterministic (RFC 6979) with the lower s. `signature` is r and s, 64 bytes. */
  sign(digest: Uint8Array, key: Uint8Array): { signature: Uint8Array; recoveryId: number };
}

/** Null where no native module fits this machine. */
export const nativeCurve = (): Curve | null => {
  const native = nativeSecp256k1();
  if (native === null) return null;
  return {
    isKey: (key) => native.privateKeyVerify(key),
    publicKeyOf: (key) => native.publicKeyCreate(key, false).subarray(1),
    sign(digest, key) {
      const { signature, recid } = native.ecdsaSign(digest, key);
      return { signature, recoveryId: recid };
    },
  };
};

export const wasmCurve = (): Curve => {
  const wasm = wasmSecp256k1();
  return {
    isKey: (key) => wasm.isPrivate(key),
    publicKeyOf(key) {
      const point = wasm.pointFromScalar(key, false);
      if (point === null) throw new RangeError('These bytes are no key.');
      return point.subarray(1);
    },
    sign: (digest, key) => wasm.signRecoverable(digest, key),
  };
};

export const curve: Curve = nativeCurve() ?? wasmCurve();
