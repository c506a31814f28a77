/**
 * Writes `packages/docs/generated/contracts.json`: what the compiled contracts say of their functions, events and errors, so
 * that the documentation needs no compiler. `--check` fails when it would change.
 */
import { readFileSync } from 'node:fs';
import type { Callable, ContractDoc, Emitted, Parameter } from '../packages/docs/src/reference/contractPages.ts';
import { writeGenerated } from './generated.ts';

interface AbiParameter {
  name: string;
  type: string;
  indexed?: boolean;
  components?: AbiParameter[];
}

interface AbiItem {
  type: string;
  name: string;
  inputs: AbiParameter[];
  outputs?: AbiParameter[];
  stateMutability?: string;
}

interface Doc {
  notice?: string;
  details?: string;
  params?: Record<string, string>;
  returns?: Record<string, string>;
}

/** Errors of Solidity's documentation are lists: one signature may be declared twice. */
interface Docs {
  title?: string;
  notice?: string;
  details?: string;
  methods?: Record<string, Doc>;
  events?: Record<string, Doc>;
  errors?: Record<string, Doc[]>;
  stateVariables?: Record<string, Doc>;
}

interface Artifact {
  abi: AbiItem[];
  devdoc: Docs;
  userdoc: Docs;
}

const launchpad = ['ILaunchpad', 'IFeeVault', 'Settings', 'FeeVault', 'Books', 'Graduating', 'Trading', 'Launchpad'];

/**
 * Those that a caller meets, in the order in which one does, each with what it inherits: there stands what the compiler leaves
 * out of the contract itself.
 */
const documented: Readonly<Record<string, readonly string[]>> = {
  LaunchpadV4: launchpad,
  LaunchpadV3: [...launchpad, 'ILaunchpadV3'],
  LensV4: ['ILens', 'Lens'],
  LaunchToken: ['ILaunchToken'],
  TokenBridge: ['ITokenBridge'],
  TokenFactory: ['ITokenFactory'],
  TestUSD: [],
  Create3Factory: [],
};

const read = (contract: string): Artifact => {
  const path = new URL(`../packages/contracts/out/${contract}.sol/${contract}.json`, import.meta.url);
  // The parsed metadata beside it lacks titles and events.
  const { abi, rawMetadata } = JSON.parse(readFileSync(path, 'utf8')) as { abi: AbiItem[]; rawMetadata: string };
  const { output } = JSON.parse(rawMetadata) as { output: Pick<Artifact, 'devdoc' | 'userdoc'> };
  return { abi, ...output };
};

/** A tuple's type is that of its members. */
const typeOf = ({ type, components }: AbiParameter): string =>
  components === undefined ? type : `(${components.map(typeOf).join(',')})${type.slice('tuple'.length)}`;

const signatureOf = ({ name, inputs }: AbiItem): string => `${name}(${inputs.map(typeOf).join(',')})`;

const sentence = (...texts: (string | undefined)[]): string => texts.filter((text) => text !== undefined).join(' ');

/** A parameter, and the members of a struct below it. */
const parametersOf = (list: readonly AbiParameter[], words: Readonly<Record<string, string>> = {}): Parameter[] =>
  list.flatMap((parameter, index) => parameterOf(parameter, words[parameter.name] ?? words[`_${index}`] ?? ''));

const parameterOf = (parameter: AbiParameter, description: string): Parameter[] => {
  const { name, type, indexed, components = [] } = parameter;
  const own = { name, type: type.replace('tuple', 'struct'), description, ...(indexed === true && { indexed }) };
  return [own, ...parametersOf(components).map((member) => ({ ...member, name: `${name}.${member.name}` }))];
};

/** The first that says something. */
const first = (texts: readonly (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && text !== '');

const contractDoc = (contract: string, inherited: readonly string[]): ContractDoc => {
  const { abi, devdoc, userdoc } = read(contract);
  const sources = [contract, ...inherited].map(read);
  const docsOf = (kind: 'methods' | 'events' | 'errors', signature: string, variable: string): Doc => {
    const found = sources.flatMap(({ devdoc: dev, userdoc: user }) =>
      [dev[kind]?.[signature], user[kind]?.[signature], kind === 'methods' ? dev.stateVariables?.[variable] : undefined]
        .flat()
        .filter((doc) => doc !== undefined),
    );
    return {
      notice: first(found.map(({ notice }) => notice)),
      details: first(found.map(({ details }) => details)),
      params: Object.assign({}, ...found.map(({ params }) => params).toReversed()),
      returns: Object.assign({}, ...found.map(({ returns }) => returns).toReversed()),
    };
  };
  const emitted =
    (kind: 'methods' | 'events' | 'errors') =>
    (item: AbiItem): Emitted => {
      const signature = signatureOf(item);
      const { notice, details, params } = docsOf(kind, signature, item.name);
      return {
        name: item.name,
        signature,
        notice: sentence(notice, details),
        inputs: parametersOf(item.inputs, params),
      };
    };
  const callable = (item: AbiItem): Callable => ({
    ...emitted('methods')(item),
    mutability: item.stateMutability ?? 'nonpayable',
    outputs: parametersOf(item.outputs ?? [], docsOf('methods', signatureOf(item), item.name).returns),
  });
  const of = (type: string): AbiItem[] => abi.filter((item) => item.type === type);
  const title = devdoc.title?.replace(/^\w+: /, '') ?? contract;
  return {
    name: contract,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    notice: sentence(userdoc.notice, devdoc.details),
    functions: of('function').map(callable),
    events: of('event').map(emitted('events')),
    errors: of('error').map(emitted('errors')),
  };
};

writeGenerated(
  new URL('../packages/docs/generated/contracts.json', import.meta.url),
  `${JSON.stringify(
    Object.entries(documented).map((one) => contractDoc(...one)),
    null,
    1,
  )}\n`,
  'scripts/generate-contract-docs.ts',
);
