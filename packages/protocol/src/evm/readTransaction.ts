import { type Abi, type AbiEvent, type AbiFunction, type AbiParameter, decodeEventLog, type Hex } from 'viem';
import type { Address } from '../chains/address.ts';
import type { EvmDeployment } from '../chains/deployment.ts';
import { decodeStrictly } from './decodeStrictly.ts';
import { launchpadAbi, launchTokenAbi, testUsdAbi, tokenBridgeAbi } from './generated/abi.ts';
import { shortReason } from './reverts.ts';

/**
 * A transaction of anybody in words: its calls and events by our ABIs. Its texts come from strangers: long ones are cut, and
 * nothing grows with what they sent.
 */

/** Integers as digits, addresses and bytes in lower-case hex. */
export type ReadArg = string | boolean | string[];

/** Arguments by name; a field of a struct as `struct.field`, of a list of structs as `list.0.field`. */
export type ReadArgs = Record<string, ReadArg>;

export interface ReadCall {
  to: Address;
  /** Null: not in our ABIs, or bytes that hide something. */
  function: string | null;
  args: ReadArgs;
}

export interface ReadEvent {
  /** Who sent it. */
  address: Address;
  /** Place in the block. */
  logIndex: number;
  event: string;
  args: ReadArgs;
}

/** A log as it is read: lower-case hex. */
export interface SentLog {
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
  logIndex: number;
}

type Contracts = Pick<EvmDeployment, 'launchpad' | 'tokenBridge' | 'usd'>;

/** More than these are not told. */
export const mostReadCalls = 50;
export const mostReadEvents = 200;
const mostItems = 50;
const deepestMulticall = 3;

/** What is called, with the calls inside a `multicall` in its place. */
export const readCalls = (contracts: Contracts, to: Hex, data: Hex, depth = 0): ReadCall[] => {
  const abi = abiOf(contracts, to);
  const call = decodeStrictly(abi, data);
  if (call === null) return [{ to, function: null, args: {} }];
  const { functionName } = call;
  const args = (call.args ?? []) as readonly unknown[];
  if (functionName === 'multicall' && to === contracts.launchpad && depth < deepestMulticall) {
    const inner = (args[0] as readonly Hex[]).slice(0, mostReadCalls);
    return inner.flatMap((one) => readCalls(contracts, to, one, depth + 1)).slice(0, mostReadCalls);
  }
  const { inputs } = abi.find(
    (item): item is AbiFunction =>
      item.type === 'function' && item.name === functionName && item.inputs.length === args.length,
  ) as AbiFunction;
  return [{ to, function: functionName, args: namedArgs(inputs, args) }];
};

/** The events of our kinds among these logs, whoever sent them; `others` counts what is not told. */
export const readEvents = (contracts: Contracts, logs: readonly SentLog[]): { events: ReadEvent[]; others: number } => {
  const events: ReadEvent[] = [];
  for (const log of logs) {
    if (events.length === mostReadEvents) break;
    const read = readEvent(abiOf(contracts, log.address), log);
    if (read !== null) events.push(read);
  }
  return { events, others: logs.length - events.length };
};

const readEvent = (abi: Abi, { address, topics, data, logIndex }: SentLog): ReadEvent | null => {
  try {
    const { eventName, args } = decodeEventLog({ abi, data, topics: topics as [Hex, ...Hex[]] });
    const { inputs } = abi.find(
      (item): item is AbiEvent => item.type === 'event' && item.name === eventName,
    ) as AbiEvent;
    const values = inputs.map(({ name }) => (args as unknown as Record<string, unknown>)[name ?? '']);
    return { address, logIndex, event: String(eventName), args: namedArgs(inputs, values) };
  } catch {
    return null;
  }
};

/** Any other contract is read as a token: strangers' ones answer the same calls. */
const abiOf = ({ launchpad, tokenBridge, usd }: Contracts, address: Hex): Abi => {
  if (address === launchpad) return launchpadAbi;
  if (address === tokenBridge) return tokenBridgeAbi;
  return address === usd ? testUsdAbi : launchTokenAbi;
};

const namedArgs = (inputs: readonly AbiParameter[], values: readonly unknown[], within = ''): ReadArgs =>
  Object.assign(
    {},
    ...inputs.map((input, index) => argsOf(input, `${within}${input.name || index}`, values[index])),
  ) as ReadArgs;

const argsOf = (input: AbiParameter, name: string, value: unknown): ReadArgs => {
  const item = /^(.*)\[\d*\]$/.exec(input.type)?.[1];
  if (item !== undefined) {
    const items = (value as readonly unknown[]).slice(0, mostItems);
    const one = { ...input, type: item };
    if (!('components' in input) && !item.endsWith(']'))
      return { [name]: items.map((each) => String(textOf(item, each))) };
    return Object.assign({}, ...items.map((each, index) => argsOf(one, `${name}.${index}`, each))) as ReadArgs;
  }
  if (!('components' in input)) return { [name]: textOf(input.type, value) };
  // A struct with named fields comes as an object, one without as a list.
  const fields = Array.isArray(value)
    ? value
    : input.components.map((field) => (value as Record<string, unknown>)[field.name ?? '']);
  return namedArgs(input.components, fields, `${name}.`);
};

const textOf = (type: string, value: unknown): string | boolean => {
  if (typeof value === 'boolean') return value;
  return type === 'string' ? shortReason(value) : shortReason(String(value).toLowerCase());
};
