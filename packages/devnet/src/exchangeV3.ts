import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create2Proxy } from '@mintage/contracts/deploy';
import type { ExchangeV3, VenueV3 } from '@mintage/protocol';
import { type Address, concat, encodeAbiParameters, getCreate2Address, type Hex, keccak256, zeroHash } from 'viem';
import type { DevAccounts } from './accounts.ts';
import { rpcRequest } from './rpc.ts';
import type { Wallet } from './wallet.ts';

/** Uniswap v3 or PancakeSwap v3 as it is published, at the same addresses on every local chain, and a router of strangers. */
export interface LocalExchange {
  exchange: ExchangeV3;
  /** `RouterV3`: swaps and adds liquidity for anybody. */
  router: Address;
}

interface Creations {
  /** In the order in which they are made. */
  codes: readonly Hex[];
  exchange: ExchangeV3;
}

/** The addresses, computed without querying a chain. */
export const exchangeOf = (kind: VenueV3['kind']): LocalExchange => ({
  exchange: creationsOf(kind).exchange,
  router: addressOf(routerCode()),
});

/** Deploys the contracts that are missing. */
export const deployExchange = async (
  url: string,
  wallet: Wallet,
  accounts: DevAccounts,
  kind: VenueV3['kind'],
): Promise<void> => {
  for (const code of [...creationsOf(kind).codes, routerCode()]) {
    if ((await rpcRequest(url, 'eth_getCode', [addressOf(code), 'latest'])) !== '0x') continue;
    await wallet.send(accounts.deployer, { to: create2Proxy, data: concat([zeroHash, code]), gas: 20_000_000n });
  }
};

const creationsOf = (kind: VenueV3['kind']): Creations => {
  const known = creations.get(kind);
  if (known !== undefined) return known;
  const made = kind === 'uniswap_v3' ? uniswap() : pancake();
  creations.set(kind, made);
  return made;
};

/** The code of a pool is long, and read for every chain. */
const creations = new Map<VenueV3['kind'], Creations>();

const uniswap = (): Creations => {
  const folder = '@uniswap/v3-core/artifacts/contracts';
  const factoryCode = published(`${folder}/UniswapV3Factory.sol/UniswapV3Factory.json`);
  const factory = addressOf(factoryCode);
  const poolCodeHash = keccak256(published(`${folder}/UniswapV3Pool.sol/UniswapV3Pool.json`));
  return { codes: [factoryCode], exchange: { factory, deployer: factory, poolCodeHash, isEra: false } };
};

/** Its own deployer of pools is in no package: `PoolDeployer` stands for it. */
const pancake = (): Creations => {
  const folder = '@pancakeswap/v3-core/artifacts/contracts';
  const pool = published(`${folder}/PancakeV3Pool.sol/PancakeV3Pool.json`);
  const deployerCode = concat([ours('PoolDeployer'), encodeAbiParameters([{ type: 'bytes' }], [pool])]);
  const deployer = addressOf(deployerCode);
  const factoryCode = concat([
    published(`${folder}/PancakeV3Factory.sol/PancakeV3Factory.json`),
    encodeAbiParameters([{ type: 'address' }], [deployer]),
  ]);
  const exchange = { factory: addressOf(factoryCode), deployer, poolCodeHash: keccak256(pool), isEra: false };
  return { codes: [deployerCode, factoryCode], exchange };
};

/** Creation code out of a package: licensed for development, so never copied into ours. */
const published = (artifact: string): Hex => bytecodeOf(createRequire(import.meta.url).resolve(artifact)).bytecode;

const routerCode = (): Hex => ours('RouterV3');
const ours = (name: 'PoolDeployer' | 'RouterV3'): Hex =>
  bytecodeOf(new URL(`../artifacts/${name}.json`, import.meta.url)).creationCode;

const bytecodeOf = (file: string | URL): { bytecode: Hex; creationCode: Hex } =>
  JSON.parse(readFileSync(file, 'utf8')) as { bytecode: Hex; creationCode: Hex };

const addressOf = (bytecode: Hex): Address =>
  getCreate2Address({ from: create2Proxy, salt: zeroHash, bytecode }).toLowerCase() as Address;
