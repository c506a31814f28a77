import { launchpadAbi, testUsdAbi, tokenBridgeAbi } from '@mintage/protocol';
import { type Abi, decodeFunctionData, type Hex, maxUint256 } from 'viem';

/** What a call does, for somebody who is about to sign it. */
export interface CallWords {
  sentence: string;
  /** Its arguments by name, amounts in base units; what is nothing is left out. */
  lines: readonly (readonly [name: string, value: string])[];
}

const abi = [...launchpadAbi, ...tokenBridgeAbi, ...testUsdAbi] as Abi;

const sentences: Readonly<Record<string, string>> = {
  approve: 'Lets a contract take this token from you, up to an amount.',
  transfer: 'Sends this token to somebody.',
  mint: 'Gives you test dollars.',
  buyExactIn: 'Buys a token for an exact amount of dollars.',
  buyExactOut: 'Buys an exact amount of a token.',
  sellExactIn: 'Sells an exact amount of a token.',
  sellExactOut: 'Sells a token for an exact amount of dollars.',
  create: 'Creates a token.',
  graduate: 'Moves a token to its pool.',
  multicall: 'Does these one after the other, or none of them.',
  permitUsd: 'Lets the launchpad take dollars by a permit that you signed.',
  setReferrer: 'Writes down who invited you.',
  withdraw: 'Pays out what is set aside.',
  withdrawBatch: 'Pays out what is set aside, in several tokens.',
  announce: 'Makes a token known on other chains.',
  send: 'Sends a token to another chain.',
};

/** Null: it is no call that this wallet can read. */
export const callWords = (data: Hex): CallWords | null => {
  let call: { functionName: string; args?: readonly unknown[] | undefined };
  try {
    call = decodeFunctionData({ abi, data });
  } catch {
    return null;
  }
  const { functionName, args = [] } = call;
  const sentence = sentences[functionName];
  if (sentence === undefined) return null;
  if (functionName === 'multicall') return { sentence, lines: (args[0] as readonly Hex[]).flatMap(partOf) };
  const described = abi.find((one) => one.type === 'function' && one.name === functionName);
  const names = described?.type === 'function' ? described.inputs.map(({ name }) => name ?? '') : [];
  const lines = args.flatMap((value, at) => linesOf(names[at] ?? '', value));
  return { sentence, lines: lines.filter(([, value]) => !isNothing(value)) };
};

const partOf = (data: Hex, at: number): (readonly [string, string])[] => {
  const words = callWords(data);
  return [[`${at + 1}`, words?.sentence ?? 'A call that this wallet cannot read.'], ...(words?.lines ?? [])];
};

/** A struct is told field by field. */
const linesOf = (name: string, value: unknown): (readonly [string, string])[] => {
  if (Array.isArray(value)) return [[name, value.map(textOf).join(', ')]];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, of]) => linesOf(key, of));
  if (name === 'deadline') return [[name, new Date(Number(value) * 1_000).toISOString()]];
  return [[name, textOf(value)]];
};

const textOf = (value: unknown): string => {
  if (value === maxUint256) return 'all of it';
  return typeof value === 'bigint' ? value.toLocaleString('en-US') : String(value);
};

/** Who is not there, and what is not taken. */
const isNothing = (text: string): boolean => /^(0x)?0+$/.test(text);
