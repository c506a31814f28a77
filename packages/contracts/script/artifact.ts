import { readFileSync } from 'node:fs';
import { type AbiParameter, type Address, encodeAbiParameters, type Hex } from 'viem';

/** One file of `artifacts/`, written by scripts/generate-artifacts.ts. */
interface Artifact {
  contract: string;
  constructorInputs: readonly AbiParameter[];
  /** What stands in the creation code where the address of a linked library belongs, by the library's name. */
  libraries: Readonly<Record<string, string>>;
  /** Hex; with libraries only once they are linked. */
  creationCode: string;
}

export type ContractName =
  | 'Create3Factory'
  | 'DollarCheck'
  | 'ExchangeCheck'
  | 'LaunchToken'
  | 'LaunchTokenV3'
  | 'LaunchpadV3'
  | 'LaunchpadV4'
  | 'LensV3'
  | 'LensV4'
  | 'OpeningV3'
  | 'OpeningV4'
  | 'TestUSD'
  | 'TokenBridge'
  | 'TokenFactory';

/**
 * What creates one of our contracts: its creation code, linked, and the constructor's arguments, in order.
 *
 * @param libraries - Where each library is that the contract is linked with.
 * @throws When an argument or the address of a library is missing, or one too many is given.
 */
export const creationCodeOf = (
  name: ContractName,
  args: readonly unknown[] = [],
  libraries: Readonly<Record<string, Address>> = {},
): Hex => {
  const file = new URL(`../artifacts/${name}.json`, import.meta.url);
  const artifact = JSON.parse(readFileSync(file, 'utf8')) as Artifact;
  if (artifact.constructorInputs.length !== args.length)
    throw new Error(`${name} takes ${artifact.constructorInputs.length} constructor arguments, not ${args.length}.`);
  const needed = Object.keys(artifact.libraries).toSorted().join(', ');
  const given = Object.keys(libraries).toSorted().join(', ');
  if (needed !== given) throw new Error(`${name} is linked with ${needed || 'nothing'}, not ${given || 'nothing'}.`);
  const linked = Object.entries(libraries).reduce(
    (code, [library, address]) => code.replaceAll(artifact.libraries[library] as string, address.slice(2)),
    artifact.creationCode,
  );
  return `${linked as Hex}${encodeAbiParameters(artifact.constructorInputs, args).slice(2)}`;
};
