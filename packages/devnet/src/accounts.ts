import { keccak256, type PrivateKeyAccount, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/**
 * The accounts of the local chains. Deterministic, well funded there, and known to everyone: worthless anywhere else.
 */
export const devAccountNames = [
  'deployer',
  'owner',
  'treasury',
  'voucherSigner',
  'alice',
  'bob',
  'carol',
  'dave',
  'builder',
  'promoter',
  'faucet',
  'layerZero',
  'verifierA',
  'verifierB',
  'guardian',
] as const;
export type DevAccountName = (typeof devAccountNames)[number];

/** The private key of a local account, to import into a wallet. */
export const devKey = (name: DevAccountName): `0x${string}` => keccak256(stringToHex(`mintage devnet ${name}`));

export type DevAccounts = Readonly<Record<DevAccountName, PrivateKeyAccount>>;

export const devAccounts = (): DevAccounts => {
  accounts ??= Object.fromEntries(devAccountNames.map((name) => [name, privateKeyToAccount(devKey(name))])) as Record<
    DevAccountName,
    PrivateKeyAccount
  >;
  return accounts;
};

let accounts: DevAccounts | undefined;
