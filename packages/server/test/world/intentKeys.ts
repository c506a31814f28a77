import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A new key by which an API vouches for intents. */
export const newIntentKeys = (): [KeyObject] => [generateKeyPairSync('ed25519').privateKey];
