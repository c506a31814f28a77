/** Secrets at rest: sealed by keys that are not in the database. docs/decisions/0025-keys-at-rest.md */
export { awsKek } from './awsKek.ts';
export { fileKek, makeKekFile, memoryKek } from './fileKek.ts';
export { type IntentKeyConfig, intentKeysOf, intentPublicKeysOf, makeIntentKeyFiles } from './intentKeys.ts';
export {
  BrokenSealError,
  KekMissingError,
  KekUnavailableError,
  type KeyEncryption,
  type SealContext,
  type Sealed,
} from './keyEncryption.ts';
export { keyRing } from './keyRing.ts';
export { type KeyConfig, keysOf } from './keysOf.ts';
export { isOpenToOthers } from './openToOthers.ts';
export { open, rewrap, seal } from './seal.ts';
export { kekCounts, type Rewrapped, refuseForeignSeals, rewrapColumn, type SealedColumn } from './sealedRows.ts';
