import { type Address, isAddress, isSignature, type Signature } from '@solana/kit';
import { refused } from './rpcError.ts';

export const levels = ['processed', 'confirmed', 'finalized'] as const;
export type Level = (typeof levels)[number];

/** Every setting that a request may carry behind its arguments. A method reads those that it knows. */
export interface Config {
  commitment?: Level;
  minContextSlot?: number;
  encoding?: string;
  dataSlice?: { offset: number; length: number };
  filters?: readonly Filter[];
  withContext?: boolean;
  mint?: string;
  programId?: string;
  before?: string;
  until?: string;
  limit?: number;
  maxSupportedTransactionVersion?: number;
  transactionDetails?: string;
  searchTransactionHistory?: boolean;
  skipPreflight?: boolean;
  preflightCommitment?: Level;
  sigVerify?: boolean;
  replaceRecentBlockhash?: boolean;
  innerInstructions?: boolean;
  accounts?: { addresses: readonly string[]; encoding?: string };
}
export type Filter = { dataSize: number } | { memcmp: { offset: number; bytes: string; encoding?: string } };

/** The arguments of one request. @throws RpcError for what a method cannot read. */
export class Params {
  readonly #list: readonly unknown[];

  constructor(list: unknown) {
    if (list !== undefined && !Array.isArray(list)) throw refused.params('`params` should be an array');
    this.#list = list ?? [];
  }

  text(at: number): string {
    const value = this.#list[at];
    if (typeof value !== 'string') throw refused.params(`Invalid params: argument ${at} is no string.`);
    return value;
  }
  address(at: number): Address {
    return addressOf(this.text(at));
  }
  signature(at: number): Signature {
    return signatureOf(this.text(at));
  }
  integer(at: number): bigint {
    const value = this.#list[at];
    if (typeof value === 'bigint') return value;
    if (!Number.isInteger(value)) throw refused.params(`Invalid params: argument ${at} is no integer.`);
    return BigInt(value as number);
  }
  /** An argument that is left out, or is the settings already, counts as `otherwise`. */
  numberOr<Otherwise>(at: number, otherwise: Otherwise): number | Otherwise {
    return typeof this.#list[at] === 'number' ? Number(this.integer(at)) : otherwise;
  }
  number(at: number): number {
    return Number(this.integer(at));
  }
  texts(at: number): string[] {
    const value = this.#list[at] ?? [];
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
      throw refused.params(`Invalid params: argument ${at} is no list of strings.`);
    return value as string[];
  }
  /** Whatever stands there, for the few arguments of several shapes. */
  raw(at: number): unknown {
    return this.#list[at];
  }
  config(at: number): Config {
    const value = this.#list[at] ?? {};
    if (typeof value !== 'object') throw refused.params(`Invalid params: argument ${at} is no object.`);
    const config = value as Config;
    for (const level of [config.commitment, config.preflightCommitment])
      if (level != null && !levels.includes(level)) throw refused.params(`Invalid params: unknown commitment ${level}`);
    return config;
  }
}

export const addressOf = (text: string): Address => {
  if (!isAddress(text)) throw refused.params('Invalid param: Invalid');
  return text;
};
export const signatureOf = (text: string): Signature => {
  if (!isSignature(text)) throw refused.params('Invalid param: Invalid');
  return text;
};
