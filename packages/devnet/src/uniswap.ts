import { type Address, concat, encodeAbiParameters, type Hex } from 'viem';
import type { DevAccounts } from './accounts.ts';
import { create2AddressOf, deployMissing, publishedArtifact } from './create2.ts';
import type { Wallet } from './wallet.ts';

/**
 * Uniswap v4 as it is published, straight from its packages: licensed for development, so never copied into ours. The
 * same addresses on every local chain.
 */
export interface Uniswap {
  poolManager: Address;
  /** A foreign router: its swaps meet our hook like any stranger's. */
  poolSwapTest: Address;
  quoter: Address;
  stateView: Address;
}

/** The addresses, computed without querying a chain. */
export const uniswapOf = ({ owner }: DevAccounts): Uniswap => {
  const known = addresses.get(owner.address);
  if (known !== undefined) return known;
  const made = addressesOf(creations(owner.address));
  addresses.set(owner.address, made);
  return made;
};

/** By owner: the codes are long, and hashed for every chain. */
const addresses = new Map<Address, Uniswap>();

/** Deploys the contracts that are missing. */
export const deployUniswap = async (url: string, wallet: Wallet, accounts: DevAccounts): Promise<Uniswap> => {
  const codes = creations(accounts.owner.address);
  await deployMissing(url, wallet, accounts, Object.values(codes));
  return addressesOf(codes);
};

const creations = (owner: Address): Record<keyof Uniswap, Hex> => {
  const poolManager = poolManagerCode(owner);
  const manager = create2AddressOf(poolManager);
  return {
    poolManager,
    poolSwapTest: creation('@uniswap/v4-core/out/PoolSwapTest.sol/PoolSwapTest.json', manager),
    quoter: creation('@uniswap/v4-periphery/foundry-out/V4Quoter.sol/V4Quoter.json', manager),
    stateView: creation('@uniswap/v4-periphery/foundry-out/StateView.sol/StateView.json', manager),
  };
};

/** Creates a PoolManager of this owner. */
export const poolManagerCode = (owner: Address): Hex =>
  creation('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json', owner);

/** Creation code with its one constructor argument, an address. */
const creation = (artifact: string, argument: Address): Hex => {
  const { bytecode } = publishedArtifact<{ bytecode: { object: Hex } }>(artifact);
  return concat([bytecode.object, encodeAbiParameters([{ type: 'address' }], [argument])]);
};

const addressesOf = (codes: Record<keyof Uniswap, Hex>): Uniswap => ({
  poolManager: create2AddressOf(codes.poolManager),
  poolSwapTest: create2AddressOf(codes.poolSwapTest),
  quoter: create2AddressOf(codes.quoter),
  stateView: create2AddressOf(codes.stateView),
});
