/** Where one deployment's contracts are on one chain: `deployments/<chainId>.json`. Addresses are lower case. */
export interface Deployment {
  chainId: number;
  /** First block that can hold one of our events. */
  startBlock: number;
  launchpad: `0x${string}`;
  poolHook: `0x${string}`;
  lens: `0x${string}`;
  tokenImplementation: `0x${string}`;
  /** Moves tokens between chains; null: there is none yet. */
  tokenBridge: `0x${string}` | null;
  usd: `0x${string}`;
  usdDecimals: number;
  usdSymbol: string;
  /** True where the dollar token is ours and anyone mints. */
  usdMintable: boolean;
  /** Null on a chain without a venue: creation reverts there. */
  poolManager: `0x${string}` | null;
  create3Factory: `0x${string}`;
  owner: `0x${string}`;
  /** keccak256 of the runtime code, by contract. */
  codeHashes: Record<string, `0x${string}`>;
}
