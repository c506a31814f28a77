/** Secrets at rest: sealed by keys that are not in the database. docs/decisions/0025-keys-at-rest.md */
export { fileKek, makeKekFile, memoryKek } from './fileKek.ts';
export {
  BrokenSealError,
  KekMissingError,
  KekUnavailableError,
  type KeyEncryption,
  type SealContext,
  type Sealed,
} from './keyEncryption.ts';
export { keyRing } from './keyRing.ts';
export { open, rewrap, seal } from './seal.ts';
