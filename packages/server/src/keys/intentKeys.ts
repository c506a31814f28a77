import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeKeyFile } from './makeKeyFile.ts';
import { readKeyFile } from './readKeyFile.ts';

/** The part of the configuration that names the keys by which the API vouches for intents. */
export interface IntentKeyConfig {
  intentKeyFiles: readonly string[];
  intentPublicKeyFiles: readonly string[];
  /** Folder in which a key is made where none is named. */
  home: string;
  devnet: boolean;
  roles: ReadonlySet<string>;
}

/**
 * The private keys of an API, Ed25519 keys in PEM, at least one: the first signs and seals.
 *
 * @throws Error, one sentence, for an unusable file.
 */
export const intentKeysOf = ({
  intentKeyFiles,
  home,
}: Pick<IntentKeyConfig, 'intentKeyFiles' | 'home'>): [KeyObject, ...KeyObject[]] => {
  const [first = ownKey(home), ...others] = intentKeyFiles;
  return [privateKeyIn(first), ...others.map(privateKeyIn)];
};

const privateKeyIn = (path: string): KeyObject => {
  const text = readKeyFile(path, `the intent key ${path}`);
  return ed25519(
    () => createPrivateKey(text),
    `${path} must hold a private Ed25519 key in PEM: openssl genpkey -algorithm ed25519`,
  );
};

/**
 * The public keys whose intents a signer signs. On a laptop, and where API and signer are one process, that is the key in
 * the home folder.
 *
 * @throws Error, one sentence, for a signer apart from its API without one, and for an unusable file.
 */
export const intentPublicKeysOf = (config: IntentKeyConfig): KeyObject[] => {
  const { intentPublicKeyFiles, devnet, roles } = config;
  if (intentPublicKeyFiles.length > 0) return intentPublicKeyFiles.map(publicKeyIn);
  if (!devnet && !roles.has('api'))
    throw new Error(
      'The role signer signs what the APIs vouch for: set INTENT_PUBLIC_KEY_FILE to the public key of INTENT_KEY_FILE ' +
        '(docs/configuration.md).',
    );
  return intentKeysOf(config).map((key) => createPublicKey(key));
};

const ownKey = (home: string): string => {
  const path = resolve(home, 'intent.key');
  makeKeyFile(path, () => String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })));
  return path;
};

/** Creates the keys of an API and of a signer apart from it in a folder: the variables that name them. */
export const makeIntentKeyFiles = (home: string): { INTENT_KEY_FILE: string; INTENT_PUBLIC_KEY_FILE: string } => {
  const path = ownKey(home);
  const publicPath = resolve(home, 'intent.pub');
  makeKeyFile(publicPath, () => String(createPublicKey(privateKeyIn(path)).export({ type: 'spki', format: 'pem' })));
  return { INTENT_KEY_FILE: path, INTENT_PUBLIC_KEY_FILE: publicPath };
};

const publicKeyIn = (path: string): KeyObject =>
  ed25519(
    () => createPublicKey(readFileSync(path, 'utf8')),
    `${path} must hold a public Ed25519 key in PEM: openssl pkey -in <intent key> -pubout`,
  );

/** What a library says of the text may quote it, so it is left out. */
const ed25519 = (read: () => KeyObject, problem: string): KeyObject => {
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // the same sentence
  }
  throw new Error(`The file ${problem}.`);
};
