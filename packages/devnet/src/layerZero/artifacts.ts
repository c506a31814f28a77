import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Abi, encodeDeployData, type Hex } from 'viem';

/**
 * LayerZero v2 as it is published, straight from its packages: licensed for development, so never copied into ours. Read
 * when a local chain needs it.
 */
const places = {
  EndpointV2: 'lz-evm-protocol-v2/artifacts/contracts/EndpointV2.sol/EndpointV2.json',
  SendUln302: 'lz-evm-messagelib-v2/artifacts/contracts/uln/uln302/SendUln302.sol/SendUln302.json',
  ReceiveUln302: 'lz-evm-messagelib-v2/artifacts/contracts/uln/uln302/ReceiveUln302.sol/ReceiveUln302.json',
  PriceFeed: 'lz-evm-messagelib-v2/artifacts/contracts/PriceFeed.sol/PriceFeed.json',
  Executor: 'lz-evm-messagelib-v2/artifacts/contracts/Executor.sol/Executor.json',
  ExecutorFeeLib: 'lz-evm-messagelib-v2/artifacts/contracts/ExecutorFeeLib.sol/ExecutorFeeLib.json',
  DVN: 'lz-evm-messagelib-v2/artifacts/contracts/uln/dvn/DVN.sol/DVN.json',
  DVNFeeLib: 'lz-evm-messagelib-v2/artifacts/contracts/uln/dvn/DVNFeeLib.sol/DVNFeeLib.json',
};
export type LayerZeroContract = keyof typeof places;

interface Artifact {
  abi: Abi;
  bytecode: Hex;
}

const read = new Map<LayerZeroContract, Artifact>();

export const artifactOf = (name: LayerZeroContract): Artifact => {
  const known = read.get(name);
  if (known !== undefined) return known;
  const file = createRequire(import.meta.url).resolve(`@layerzerolabs/${places[name]}`);
  const artifact = JSON.parse(readFileSync(file, 'utf8')) as Artifact;
  read.set(name, artifact);
  return artifact;
};

/** What creates the contract with these constructor arguments. */
export const creationOf = (name: LayerZeroContract, args: readonly unknown[]): Hex => {
  const { abi, bytecode } = artifactOf(name);
  return encodeDeployData({ abi, bytecode, args });
};
