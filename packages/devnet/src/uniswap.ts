import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create2Proxy } from '@mintage/contracts/deploy';
import { type Address, concat, encodeAbiParameters, getCreate2Address, type Hex, zeroHash } from 'viem';
import type { DevAccounts } from './accounts.ts';
import { rpcRequest } from './rpc.ts';
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
export const uniswapOf = ({ owner }: DevAccounts): Uniswap => addressesOf(creations(owner.address));

/** Deploys the contracts that are missing. */
export const deployUniswap = async (url: string, wallet: Wallet, accounts: DevAccounts): Promise<Uniswap> => {
  const codes = creations(accounts.owner.address);
  for (const code of Object.values(codes)) {
    if ((await rpcRequest(url, 'eth_getCode', [addressOf(code), 'latest'])) !== '0x') continue;
    await wallet.send(accounts.deployer, { to: create2Proxy, data: concat([zeroHash, code]), gas: 10_000_000n });
  }
  return addressesOf(codes);
};

const creations = (owner: Address): Record<keyof Uniswap, Hex> => {
  const poolManager = poolManagerCode(owner);
  const manager = addressOf(poolManager);
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
  const file = createRequire(import.meta.url).resolve(artifact);
  const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: { object: Hex } };
  return concat([bytecode.object, encodeAbiParameters([{ type: 'address' }], [argument])]);
};

const addressOf = (bytecode: Hex): Address =>
  getCreate2Address({ from: create2Proxy, salt: zeroHash, bytecode }).toLowerCase() as Address;

const addressesOf = (codes: Record<keyof Uniswap, Hex>): Uniswap => ({
  poolManager: addressOf(codes.poolManager),
  poolSwapTest: addressOf(codes.poolSwapTest),
  quoter: addressOf(codes.quoter),
  stateView: addressOf(codes.stateView),
});
