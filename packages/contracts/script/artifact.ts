import { readFileSync } from 'node:fs';
import { type AbiParameter, concat, encodeAbiParameters, type Hex } from 'viem';

/** One file of `artifacts/`, written by scripts/generate-artifacts.ts. */
interface Artifact {
  contract: string;
  constructorInputs: readonly AbiParameter[];
  creationCode: Hex;
}

export type ContractName =
  | 'Create3Factory'
  | 'DollarCheck'
  | 'LaunchToken'
  | 'Launchpad'
  | 'Lens'
  | 'PoolHook'
  | 'TestUSD';

/** What creates one of our contracts: its creation code and the constructor's arguments, in order. */
export const creationCodeOf = (name: ContractName, args: readonly unknown[] = []): Hex => {
  const file = new URL(`../artifacts/${name}.json`, import.meta.url);
  const artifact = JSON.parse(readFileSync(file, 'utf8')) as Artifact;
  if (artifact.constructorInputs.length !== args.length)
    throw new Error(`${name} takes ${artifact.constructorInputs.length} constructor arguments, not ${args.length}.`);
  return concat([artifact.creationCode, encodeAbiParameters(artifact.constructorInputs, args)]);
};
