/** Where one deployment's contracts are on one chain: `deployments/<chainId>.json`. Addresses are lower case. */
export interface Deployment {
  /** EIP-155. */
  chainId: number;
  /** First block that can hold one of our events. */
  startBlock: number;
  /** The one contract that creates, trades and pays. */
  launchpad: `0x${string}`;
  /** Uniswap v4 hook of every graduated pool. */
  poolHook: `0x${string}`;
  /** Reads many views in one call. */
  lens: `0x${string}`;
  /** What every token is a minimal clone of. */
  tokenImplementation: `0x${string}`;
  /** Moves tokens between chains; null: there is none yet. */
  tokenBridge: `0x${string}` | null;
  /** The dollar token that everything is priced and paid in. */
  usd: `0x${string}`;
  /** Decimals of its base units, 6 or 18. */
  usdDecimals: number;
  /** As the token names itself. */
  usdSymbol: string;
  /** True where the dollar token is ours and anyone mints. */
  usdMintable: boolean;
  /** Null on a chain without a venue: creation reverts there. */
  poolManager: `0x${string}` | null;
  /** Through it the contracts have the same addresses on every chain. */
  create3Factory: `0x${string}`;
  /** Who may change settings. */
  owner: `0x${string}`;
  /** keccak256 of the runtime code, by contract. */
  codeHashes: Record<string, `0x${string}`>;
}
