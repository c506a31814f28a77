import { readFileSync } from 'node:fs';
import type { ExchangeV3, VenueV3 } from '@mintage/protocol';
import { type Address, concat, encodeAbiParameters, type Hex, keccak256 } from 'viem';
import type { DevAccounts } from './accounts.ts';
import { create2AddressOf, deployMissing, publishedArtifact } from './create2.ts';
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
  router: create2AddressOf(routerCode()),
});

/** Deploys the contracts that are missing. */
export const deployExchange = async (
  url: string,
  wallet: Wallet,
  accounts: DevAccounts,
  kind: VenueV3['kind'],
): Promise<void> => {
  await deployMissing(url, wallet, accounts, [...creationsOf(kind).codes, routerCode()]);
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
  const factory = create2AddressOf(factoryCode);
  const poolCodeHash = keccak256(published(`${folder}/UniswapV3Pool.sol/UniswapV3Pool.json`));
  return { codes: [factoryCode], exchange: { factory, deployer: factory, poolCodeHash, isEra: false } };
};

/** Its own deployer of pools is in no package: `PoolDeployer` stands for it. */
const pancake = (): Creations => {
  const folder = '@pancakeswap/v3-core/artifacts/contracts';
  const pool = published(`${folder}/PancakeV3Pool.sol/PancakeV3Pool.json`);
  const deployerCode = concat([ours('PoolDeployer'), encodeAbiParameters([{ type: 'bytes' }], [pool])]);
  const deployer = create2AddressOf(deployerCode);
  const factoryCode = concat([
    published(`${folder}/PancakeV3Factory.sol/PancakeV3Factory.json`),
    encodeAbiParameters([{ type: 'address' }], [deployer]),
  ]);
  const exchange = { factory: create2AddressOf(factoryCode), deployer, poolCodeHash: keccak256(pool), isEra: false };
  return { codes: [deployerCode, factoryCode], exchange };
};

const published = (path: string): Hex => publishedArtifact<{ bytecode: Hex }>(path).bytecode;

const routerCode = (): Hex => ours('RouterV3');
const ours = (name: 'PoolDeployer' | 'RouterV3'): Hex => {
  const file = new URL(`../artifacts/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { creationCode: Hex }).creationCode;
};
