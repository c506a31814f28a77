import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';
import { keccak256, stringToHex } from 'viem';
import { type DevAccountName, devAccountNames, devKey } from '../../accounts.ts';

/** The accounts of the local chains on Solana: the same names, out of the same keys, which are ed25519 seeds here. */
export type SolanaAccounts = Readonly<Record<DevAccountName, KeyPairSigner>>;

export const solanaAccounts = async (): Promise<SolanaAccounts> => {
  const pairs = await Promise.all(devAccountNames.map(async (name) => [name, await signerOf(devKey(name))] as const));
  return Object.fromEntries(pairs) as Record<DevAccountName, KeyPairSigner>;
};

/** The key of a place on the local chain, as the program's own. */
export const placeSigner = (name: string): Promise<KeyPairSigner> =>
  signerOf(keccak256(stringToHex(`mintage devnet solana ${name}`)));

const signerOf = (key: `0x${string}`): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(Buffer.from(key.slice(2), 'hex'));
