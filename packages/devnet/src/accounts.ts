import { keccak256, type PrivateKeyAccount, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Who acts on the local chains. Deterministic, rich there, and known to everyone: worthless anywhere else. */
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
] as const;
export type DevAccountName = (typeof devAccountNames)[number];

/** The private key of a local account, for a wallet that wants to try. */
export const devKey = (name: DevAccountName): `0x${string}` => keccak256(stringToHex(`mintage devnet ${name}`));

export type DevAccounts = Readonly<Record<DevAccountName, PrivateKeyAccount>>;

export const devAccounts = (): DevAccounts =>
  Object.fromEntries(devAccountNames.map((name) => [name, privateKeyToAccount(devKey(name))])) as Record<
    DevAccountName,
    PrivateKeyAccount
  >;
