import { readFileSync } from 'node:fs';
import { type Abi, type AbiFunction, type AbiParameter, toFunctionSelector } from 'viem';

/**
 * A second evaluator of budgets (threat W4), written from the words of decision 24. It shares nothing with the first: its
 * functions are the compiler's output, and it reads calls byte by byte with a decoder of its own, which takes only what a
 * plain encoder writes.
 */

/** What counts in the budget, or that it is refused: of several reasons none is the first. */
export type Opinion = bigint | 'refused';

export interface Facts {
  chain: number;
  launchpad: string;
  dollar: string;
  dollarDecimals: number;
  dollarIsTest: boolean;
  own: string[];
  /** Launch tokens and their prices, dollars with 18 decimals. */
  prices: Record<string, bigint>;
  hoursSinceBudget: number;
  delayHours: number;
}

export interface Limits {
  trade: bigint | null;
  chains: number[] | null;
  contracts: string[];
  recipients: string[];
  builderBps: number;
}

export interface Transaction {
  to: string;
  value: bigint;
  data: string;
}

class No extends Error {}

export const secondOpinion = (transactions: Transaction[], limits: Limits | null, facts: Facts): Opinion => {
  try {
    if (transactions.some(({ data }) => endless(data, 8))) throw new No();
    if (limits === null) return 0n;
    if (limits.chains && !limits.chains.includes(facts.chain)) throw new No();
    let counts = 0n;
    for (const { to, value, data } of transactions) {
      if (value > 0n) throw new No();
      counts += to === facts.launchpad ? ofLaunchpad(data, limits, facts, 5) : ofOther(to, data, limits, facts);
    }
    if (limits.trade !== null && counts > limits.trade) throw new No();
    if (counts > 10n ** 60n) throw new No();
    return counts;
  } catch (error) {
    if (error instanceof No) return 'refused';
    throw error;
  }
};

// ---------------------------------------------------------------- approvals without an end

/** Where each form says how much: the word after the selector, and from which value on it is without an end. */
const endlessForms: [signature: string, word: number, from: bigint][] = [
  ['approve(address,uint256)', 1, 1n << 128n],
  ['increaseAllowance(address,uint256)', 1, 1n << 128n],
  ['increaseApproval(address,uint256)', 1, 1n << 128n],
  ['approveAndCall(address,uint256)', 1, 1n << 128n],
  ['approveAndCall(address,uint256,bytes)', 1, 1n << 128n],
  ['setApprovalForAll(address,bool)', 1, 1n],
  ['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', 2, 1n << 128n],
  ['permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', 4, 1n],
  ['permitUsd(uint256,uint256,uint8,bytes32,bytes32)', 0, 1n << 128n],
  ['approve(address,address,uint160,uint48)', 2, 1n << 128n],
  ['permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', 2, 1n << 128n],
];
const endlessBySelector = new Map(endlessForms.map(([text, word, from]) => [toFunctionSelector(text), { word, from }]));
/** Where the list of calls stands in each form of multicall: the word that says so. */
const multicalls = new Map([
  [toFunctionSelector('multicall(bytes[])'), 0],
  [toFunctionSelector('multicall(uint256,bytes[])'), 1],
  [toFunctionSelector('multicall(bytes32,bytes[])'), 1],
]);

const endless = (data: string, depthLeft: number): boolean => {
  const selector = data.slice(0, 10) as `0x${string}`;
  const listAt = multicalls.get(selector);
  if (listAt !== undefined) {
    const inner = looseList(Buffer.from(data.slice(10), 'hex'), listAt);
    return depthLeft === 0 || inner === null || inner.some((call) => endless(call, depthLeft - 1));
  }
  const form = endlessBySelector.get(selector);
  if (form === undefined) return false;
  const padded = data.slice(10) + '0'.repeat(64 * 8);
  return BigInt(`0x${padded.slice(form.word * 64, form.word * 64 + 64)}`) >= form.from;
};

/** The calls of a `bytes[]` wherever its offsets lead; null when they lead out of the bytes. */
const looseList = (bytes: Buffer, headWord: number): string[] | null => {
  const wordAt = (at: number): number | null => {
    if (at + 32 > bytes.length) return null;
    const value = BigInt(`0x${bytes.subarray(at, at + 32).toString('hex')}`);
    return value > BigInt(bytes.length) ? null : Number(value);
  };
  const list = wordAt(headWord * 32);
  const length = list === null ? null : wordAt(list);
  if (list === null || length === null) return null;
  const calls: string[] = [];
  for (let i = 0; i < length; i += 1) {
    const offset = wordAt(list + 32 + i * 32);
    const size = offset === null ? null : wordAt(list + 32 + offset);
    if (offset === null || size === null) return null;
    const start = list + 64 + offset;
    if (start + size > bytes.length) return null;
    calls.push(`0x${bytes.subarray(start, start + size).toString('hex')}`);
  }
  return calls;
};

// ---------------------------------------------------------------- with a budget

const ofLaunchpad = (data: string, limits: Limits, facts: Facts, depthLeft: number): bigint => {
  const { name, args } = callOf('Launchpad', data);
  if (/^(buy|sell)Exact(In|Out)$/.test(name)) return ofOrder(name, args[0] as Plain[], limits, facts);
  if (name === 'multicall') {
    if (depthLeft === 1) throw new No();
    return (args[0] as string[]).reduce((sum, one) => sum + ofLaunchpad(one, limits, facts, depthLeft - 1), 0n);
  }
  if (name === 'withdraw') return ofWithdrawal(args.slice(0, 1), args[1], args.slice(2), limits, facts);
  if (name === 'withdrawBatch') return ofWithdrawal(args[0] as Plain[], args[1], args[2] as Plain[], limits, facts);
  if (name === 'setReferrer' && !facts.own.includes((args[0] as string[])[0] as string)) throw new No();
  if (!['create', 'permitUsd', 'graduate', 'collectTreasury', 'setReferrer'].includes(name)) throw new No();
  return 0n;
};

const ofOrder = (name: string, order: Plain[], limits: Limits, facts: Facts): bigint => {
  const [token, amount, limit, recipient, , builderBps] = order as [string, bigint, bigint, string, string, bigint];
  const [usd, tokens] = ['buyExactIn', 'sellExactOut'].includes(name) ? [amount, limit] : [limit, amount];
  const inDollars = dollars(facts.dollar, usd, facts);
  const counts = name.startsWith('buy') ? inDollars : greater(dollars(token, tokens, facts), inDollars);
  if (builderBps > limits.builderBps) throw new No();
  mayReceive(recipient, limits, facts);
  return counts;
};

const ofWithdrawal = (
  currencies: Plain[],
  to: Plain | undefined,
  amounts: Plain[],
  limits: Limits,
  facts: Facts,
): bigint => {
  if (currencies.length !== amounts.length) throw new No();
  if (facts.own.includes(to as string)) return 0n;
  let sum = 0n;
  for (const [i, currency] of currencies.entries()) {
    if (amounts[i] === (1n << 256n) - 1n) throw new No();
    mayReceive(to as string, limits, facts);
    sum += dollars(currency as string, amounts[i] as bigint, facts);
  }
  return sum;
};

/** The forms in which tokens of the caller move, beyond those that a rule names. */
const moving = [
  'transferFrom(address,address,uint256)',
  'increaseAllowance(address,uint256)',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'safeTransferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'setApprovalForAll(address,bool)',
].map((text) => toFunctionSelector(text) as string);
const named = ['approve(address,uint256)', 'transfer(address,uint256)', 'mint(address,uint256)'].map(
  (text) => toFunctionSelector(text) as string,
);

const ofOther = (to: string, data: string, limits: Limits, facts: Facts): bigint => {
  const listed = limits.contracts.includes(to);
  const ours = to === facts.dollar || to in facts.prices;
  const selector = data.slice(0, 10);
  if (moving.includes(selector) || !(listed || ours)) throw new No();
  if (!named.includes(selector)) {
    if (ours) throw new No();
    return 0n;
  }
  const { name, args } = callOf('TestUSD', data);
  const [who, amount] = args as [string, bigint];
  if (name === 'mint') {
    if (to === facts.dollar && facts.dollarIsTest && facts.own.includes(who)) return 0n;
    if (listed && !ours) return 0n;
    throw new No();
  }
  if (name === 'approve') {
    if (amount === 0n || who === facts.launchpad) return 0n;
    if (!limits.contracts.includes(who)) throw new No();
    return dollars(to, amount, facts);
  }
  if (facts.own.includes(who)) return 0n;
  mayReceive(who, limits, facts);
  return dollars(to, amount, facts);
};

const mayReceive = (who: string, limits: Limits, facts: Facts): void => {
  if (facts.own.includes(who)) return;
  if (!limits.recipients.includes(who) || facts.hoursSinceBudget < facts.delayHours) throw new No();
};

/** Rounded up; what has no value is not spent. */
const dollars = (token: string, amount: bigint, facts: Facts): bigint => {
  if (token === facts.dollar) return amount * 10n ** BigInt(18 - facts.dollarDecimals);
  const price = facts.prices[token];
  if (price === undefined) throw new No();
  const exact = amount * price;
  return exact / 10n ** 18n + (exact % 10n ** 18n === 0n ? 0n : 1n);
};

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

// ---------------------------------------------------------------- reading calls

type Plain = string | bigint | boolean | Plain[];

const compiled = (contract: string): Map<string, AbiFunction> => {
  let text: string;
  try {
    text = readFileSync(new URL(`../../../contracts/out/${contract}.sol/${contract}.json`, import.meta.url), 'utf8');
  } catch (cause) {
    throw new Error('The contracts are not compiled: run `forge build` in packages/contracts.', { cause });
  }
  const functions = (JSON.parse(text) as { abi: Abi }).abi.filter(
    (item): item is AbiFunction => item.type === 'function',
  );
  return new Map(functions.map((one) => [toFunctionSelector(one), one]));
};
const contracts = { Launchpad: compiled('Launchpad'), TestUSD: compiled('TestUSD') };

/** @throws No for an unknown function, and for bytes that a plain encoder would not have written. */
const callOf = (contract: keyof typeof contracts, data: string): { name: string; args: Plain[] } => {
  const found = contracts[contract].get(data.slice(0, 10));
  if (found === undefined) throw new No();
  const reader = new Reader(Buffer.from(data.slice(10), 'hex'));
  const args = reader.tuple(found.inputs, 0);
  if (reader.end !== reader.bytes.length) throw new No();
  return { name: found.name, args };
};

const componentsOf = (parameter: AbiParameter): readonly AbiParameter[] =>
  'components' in parameter ? parameter.components : [];

const isDynamic = (parameter: AbiParameter): boolean =>
  /^(string|bytes)$|\[\]$/.test(parameter.type) || componentsOf(parameter).some(isDynamic);

const wordsOf = (parameter: AbiParameter): number =>
  isDynamic(parameter) || parameter.type !== 'tuple'
    ? 1
    : componentsOf(parameter).reduce((sum, one) => sum + wordsOf(one), 0);

/** Strict: every tail stands where the one before it ended, every bit that carries nothing is zero. */
class Reader {
  readonly bytes: Buffer;
  /** Where the next tail has to stand. */
  end = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  tuple(parameters: readonly AbiParameter[], start: number): Plain[] {
    const heads = parameters.reduce((sum, one) => sum + wordsOf(one), 0);
    this.end = Math.max(this.end, start + heads * 32);
    let at = start;
    return parameters.map((parameter) => {
      const here = at;
      at += wordsOf(parameter) * 32;
      if (!isDynamic(parameter)) return this.still(parameter, here);
      if (this.word(here) !== BigInt(this.end - start)) throw new No();
      return this.moving(parameter, this.end);
    });
  }

  still(parameter: AbiParameter, at: number): Plain {
    if (parameter.type === 'tuple') return this.tuple(componentsOf(parameter), at);
    const value = this.word(at);
    const bits = parameter.type === 'address' ? 160 : Number(/^uint(\d+)$/.exec(parameter.type)?.[1] ?? 256);
    if (value >> BigInt(bits) !== 0n) throw new No();
    return parameter.type === 'address' ? `0x${value.toString(16).padStart(40, '0')}` : value;
  }

  moving(parameter: AbiParameter, at: number): Plain {
    if (parameter.type === 'tuple') {
      return this.tuple(componentsOf(parameter), at);
    }
    const length = Number(this.word(at));
    if (length > this.bytes.length) throw new No();
    if (parameter.type.endsWith('[]')) {
      const item = { ...parameter, type: parameter.type.slice(0, -2) };
      return this.tuple(
        Array.from({ length }, () => item),
        at + 32,
      );
    }
    const content = this.bytes.subarray(at + 32, at + 32 + length);
    const next = at + 32 + Math.ceil(length / 32) * 32;
    if (next > this.bytes.length || this.bytes.subarray(at + 32 + length, next).some((byte) => byte !== 0))
      throw new No();
    if (parameter.type === 'string' && !content.equals(Buffer.from(content.toString('utf8')))) throw new No();
    this.end = next;
    return `0x${content.toString('hex')}`;
  }

  word(at: number): bigint {
    if (at + 32 > this.bytes.length) throw new No();
    return BigInt(`0x${this.bytes.subarray(at, at + 32).toString('hex')}`);
  }
}
