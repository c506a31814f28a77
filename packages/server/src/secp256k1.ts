import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * libsecp256k1 as a native module; null where no build fits this machine. The package's main entry is not used, because
 * it silently falls back to slow JavaScript.
 */
export const nativeSecp256k1 = (): typeof import('secp256k1') | null => {
  try {
    return require('secp256k1/bindings') as typeof import('secp256k1');
  } catch {
    return null;
  }
};

/** libsecp256k1 as WebAssembly: runs on every machine, four times slower than the native one. */
export const wasmSecp256k1 = (): typeof import('tiny-secp256k1') => require('tiny-secp256k1');
