import { type Address, formOf } from './address.ts';
import type { Deployment } from './deployment.ts';

/**
 * Walls: addresses that keep what is sent to them, because no key and no code sends it on. docs/decisions/0093-recipients.md
 *
 * What one consists of is a phrase for a sentence: `0x… is <phrase>`.
 */

type Contracts = Partial<
  Pick<
    Deployment,
    | 'launchpad'
    | 'poolHook'
    | 'tokenFactory'
    | 'lens'
    | 'tokenImplementation'
    | 'tokenBridge'
    | 'layerZeroEndpoint'
    | 'usd'
    | 'poolManager'
    | 'exchange'
    | 'create3Factory'
  >
>;

/** What a wall is by its address and the deployment alone; null: none that is known so. */
export const fixedWall = (address: Address, deployment: Contracts): string | null => {
  if (formOf(address).graves.includes(address)) return 'a burn address';
  return contractsOf(deployment).get(address) ?? (isSystem(address) ? 'a part of the chain itself' : null);
};

const contractsOf = ({ exchange, ...at }: Contracts): ReadonlyMap<Address | null | undefined, string> =>
  // The last to be named wins: on Solana one program is most of them.
  new Map([
    [exchange?.factory, 'the factory of the exchange'],
    [exchange?.deployer, 'the deployer of the exchange'],
    [at.create3Factory, 'the factory of this service’s contracts'],
    [at.tokenImplementation, 'the implementation of the tokens'],
    [at.lens, 'the lens of this service'],
    [at.tokenFactory, 'the token factory of this service'],
    [at.layerZeroEndpoint, 'the endpoint of LayerZero'],
    [at.poolManager, 'the pool manager of the exchange'],
    [at.tokenBridge, 'the token bridge of this service'],
    [at.poolHook, 'the hook of the pools'],
    [at.usd, 'the contract of the dollar token'],
    [at.launchpad, 'the launchpad of this service'],
  ]);

/** Whether an address is the chain's own by its form: a precompiled or system contract, a system program or a sysvar. */
const isSystem = (address: Address): boolean =>
  address.startsWith('0x') ? BigInt(address) < 0x10000n : systemPrograms.has(address) || address.startsWith('Sysvar');

/** Programs of every cluster, and the mint of wrapped SOL. Others are known by their accounts, which are executable. */
const systemPrograms: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'So11111111111111111111111111111111111111112',
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'Feature111111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'ZkTokenProof1111111111111111111111111111111',
  'ZkE1Gama1Proof11111111111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]);

/** How many characters of an address people compare, at its beginning and at its end. */
const compared = 4;

/** Whether two different addresses look the same where they are shown shortened (address poisoning). */
export const looksLike = (one: Address, other: Address): boolean =>
  one !== other && formOf(one) === formOf(other) && endsOf(one) === endsOf(other);

const endsOf = (address: Address): string => {
  const text = address.replace(/^0x/, '');
  return text.slice(0, compared) + text.slice(-compared);
};
