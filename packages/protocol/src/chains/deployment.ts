import { type Address, type Base58, requireBase58, requireHex } from './address.ts';
import type { ExchangeV3, VenueKind } from './chains.ts';

/** Where one deployment's contracts are on one chain: `deployments/<chainId>.json`. */
export interface Deployment {
  /** EIP-155; null on a chain that has none. */
  chainId: number | null;
  /** First block that can hold one of our events. */
  startBlock: number;
  /** The one contract that creates, trades and pays; on Uniswap v4 also the hook of every graduated pool. */
  launchpad: Address;
  /** The launchpad's address, for clients that ask for the hook. */
  poolHook: Address;
  /** Makes every token's clone, at the same address on every chain. */
  tokenFactory: Address;
  /** Reads many views in one call. */
  lens: Address;
  /** What every token is a minimal clone of. */
  tokenImplementation: Address;
  /** Moves tokens between chains; null: there is none yet. */
  tokenBridge: Address | null;
  /** LayerZero's, through which the bridge sends; null without a bridge. */
  layerZeroEndpoint: Address | null;
  /** The dollar token that everything is priced and paid in. */
  usd: Address;
  /** Decimals of its base units, 6 or 18. */
  usdDecimals: number;
  /** As the token names itself. */
  usdSymbol: string;
  /** True where the dollar token is ours and anyone mints. */
  usdMintable: boolean;
  /** What graduated tokens trade on; null: nothing, so that creation reverts. */
  venue: VenueKind | null;
  /** Of Uniswap v4; null on another venue. */
  poolManager: Address | null;
  /** Of the form of Uniswap v3; null on another venue, and where the deployment was given none: creation reverts there too. */
  exchange: ExchangeV3 | null;
  /** Through it the contracts have the same addresses on every chain. */
  create3Factory: Address;
  /** Who may change settings. */
  owner: Address;
  /** keccak256 of the runtime code, by contract: `Launchpad` and `Lens` are those of the chain's venue. */
  codeHashes: Record<string, `0x${string}`>;
}

/** A deployment on an EVM chain. */
export interface EvmDeployment extends Deployment {
  chainId: number;
  launchpad: `0x${string}`;
  poolHook: `0x${string}`;
  tokenFactory: `0x${string}`;
  lens: `0x${string}`;
  tokenImplementation: `0x${string}`;
  tokenBridge: `0x${string}` | null;
  layerZeroEndpoint: `0x${string}` | null;
  usd: `0x${string}`;
  poolManager: `0x${string}` | null;
  create3Factory: `0x${string}`;
  owner: `0x${string}`;
}

/** A deployment on a Solana cluster: one program is all of its contracts. */
export interface SolanaDeployment extends Deployment {
  chainId: null;
  launchpad: Base58;
  usd: Base58;
  owner: Base58;
}

/** What a deployment on a Solana cluster consists of. */
export type SolanaFacts = Pick<
  SolanaDeployment,
  'startBlock' | 'launchpad' | 'usd' | 'usdDecimals' | 'usdSymbol' | 'usdMintable' | 'owner'
>;

/** The same in the form of all deployments. */
export const solanaDeployment = ({ launchpad, ...facts }: SolanaFacts): SolanaDeployment => ({
  ...facts,
  chainId: null,
  launchpad,
  poolHook: launchpad,
  tokenFactory: launchpad,
  lens: launchpad,
  tokenImplementation: launchpad,
  tokenBridge: null,
  layerZeroEndpoint: null,
  venue: 'mintage_pool',
  poolManager: null,
  exchange: null,
  create3Factory: launchpad,
  codeHashes: {},
});

/** Whether tokens can graduate, and so be created. */
export const canGraduate = ({ venue, poolManager, exchange }: Pick<Deployment, 'venue' | 'poolManager' | 'exchange'>) =>
  poolManager !== null || exchange !== null || venue === 'mintage_pool';

/** @throws Error for a deployment on a chain of another family. */
export const requireEvmDeployment = (deployment: Deployment): EvmDeployment => {
  requireHex(deployment.launchpad);
  if (deployment.chainId === null) throw new Error('A deployment on an EVM chain has an EIP-155 id.');
  return deployment as EvmDeployment;
};

/** @throws Error for a deployment on a chain of another family. */
export const requireSolanaDeployment = (deployment: Deployment): SolanaDeployment => {
  for (const address of [deployment.launchpad, deployment.usd, deployment.owner]) requireBase58(address);
  return deployment as SolanaDeployment;
};
