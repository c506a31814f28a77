import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { until } from '@mintage/devnet/until';
import { type Base58, toBase58 } from '@mintage/protocol';
import {
  type AccountOf,
  decodeAccount,
  decodeEvent,
  launchpadAddress,
  type ProgramEvent,
  programAccounts,
} from '@mintage/protocol/solana';
import { base58btc } from 'multiformats/bases/base58';

/** A wallet of Solana; its key never leaves this process. */
export interface OwnWallet {
  address: Base58;
  /** Of exactly these bytes, 64 bytes of ed25519. */
  sign(bytes: Uint8Array): Uint8Array;
}

export const newWallet = (): OwnWallet => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return { address: toBase58(new Uint8Array(spki.subarray(-32))), sign: signer(privateKey) };
};
const signer =
  (key: KeyObject) =>
  (bytes: Uint8Array): Uint8Array =>
    new Uint8Array(sign(null, bytes, key));

/** What a transaction did: events of the launchpad, and how balances of token accounts changed. */
export interface Landed {
  signature: string;
  slot: number;
  events: ProgramEvent[];
  /** Base units, by token account. */
  changes: ReadonlyMap<string, bigint>;
}

export type Trade = Extract<ProgramEvent, { event: 'Trade' }>;

/** What tells the accounts of a kind apart. */
type Seeds = { mint: Base58 } | { wallet: Base58 } | Record<string, never>;

/** A cluster as anyone sees it: by its RPC address alone. */
export class SolanaChain {
  readonly #url: string;
  readonly #program: Base58;

  constructor(url: string, program: Base58) {
    this.#url = url;
    this.#program = program;
  }

  /** Tokens or dollars of a token account, base units; 0 where there is none. */
  async held(account: Base58): Promise<bigint> {
    const { value } = await this.#ask<{ value: RawAccount | null }>('getAccountInfo', account, base64);
    return value === null ? 0n : Buffer.from(value.data[0], 'base64').readBigUInt64LE(amountAt);
  }
  /** The program's own account; null where there is none. */
  async state<Name extends keyof typeof programAccounts>(name: Name, of: Seeds): Promise<AccountOf<Name> | null> {
    // An account's seeds are called as its kind is.
    const { address } = launchpadAddress(this.#program, programAccounts[name].kind, of as never);
    const { value } = await this.#ask<{ value: RawAccount | null }>('getAccountInfo', address, base64);
    return value === null ? null : decodeAccount(name, Buffer.from(value.data[0], 'base64'));
  }
  /** All accounts of one kind. */
  async states<Name extends keyof typeof programAccounts>(name: Name): Promise<AccountOf<Name>[]> {
    const found = await this.#ask<{ account: RawAccount }[]>('getProgramAccounts', this.#program, base64);
    return found.flatMap(({ account }) => decodeAccount(name, Buffer.from(account.data[0], 'base64')) ?? []);
  }
  /** Of the newest block, unix seconds. */
  async time(): Promise<number> {
    const slot = await this.#ask<number>('getSlot', newest);
    return (await this.#ask<number | null>('getBlockTime', slot)) ?? 0;
  }
  async airdrop(to: Base58, lamports: number): Promise<void> {
    await this.landed(await this.#ask<string>('requestAirdrop', to, lamports));
  }

  /** Signs what was prepared, a whole transaction with an empty place for the signature, sends it and waits. */
  async send(wallet: OwnWallet, prepared: { data: string }): Promise<Landed> {
    const bytes = Buffer.from(prepared.data.slice(2), 'hex');
    bytes.set(wallet.sign(bytes.subarray(messageAt)), 1);
    const how = { encoding: 'base64', preflightCommitment: 'confirmed' };
    return this.landed(await this.#ask<string>('sendTransaction', bytes.toString('base64'), how));
  }
  /** @throws Error when it failed. */
  async landed(signature: string): Promise<Landed> {
    const how = { ...newest, encoding: 'json', maxSupportedTransactionVersion: 1 };
    const found = await until(() => this.#ask<RawTransaction | null>('getTransaction', signature, how));
    return this.#read(signature, found);
  }
  /** Signatures that touched an account, oldest first. */
  async signaturesOf(account: Base58): Promise<string[]> {
    const found = await this.#ask<{ signature: string; err: unknown }[]>('getSignaturesForAddress', account, newest);
    return found
      .filter(({ err }) => err === null)
      .map(({ signature }) => signature)
      .toReversed();
  }

  #read(signature: string, { slot, meta, transaction }: RawTransaction): Landed {
    if (meta.err !== null) throw new Error(`${signature} failed: ${JSON.stringify(meta.err)}`);
    const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
    const keys = [...transaction.message.accountKeys, ...writable, ...readonly];
    const inner = meta.innerInstructions.flatMap(({ instructions }) => instructions);
    const events = inner.flatMap(({ programIdIndex, data }) =>
      keys[programIdIndex] === this.#program ? (decodeEvent(base58btc.baseDecode(data)) ?? []) : [],
    );
    const changes = new Map<string, bigint>();
    for (const [sign, list] of [
      [-1n, meta.preTokenBalances],
      [1n, meta.postTokenBalances],
    ] as const)
      for (const { accountIndex, uiTokenAmount } of list) {
        const account = keys[accountIndex] as string;
        changes.set(account, (changes.get(account) ?? 0n) + sign * BigInt(uiTokenAmount.amount));
      }
    return { signature, slot, events, changes };
  }

  /** @throws Error with the node's own words. */
  async #ask<Answer>(method: string, ...params: unknown[]): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(this.#url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await answer.json()) as { result: Answer; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}

const newest = { commitment: 'confirmed' };
const base64 = { ...newest, encoding: 'base64' };
/** In a token account, behind mint and owner. */
const amountAt = 64;
/** Behind the number of signatures and the one. */
const messageAt = 65;

interface RawAccount {
  data: [string, string];
}
interface RawBalance {
  accountIndex: number;
  uiTokenAmount: { amount: string };
}
interface RawTransaction {
  slot: number;
  meta: {
    err: unknown;
    innerInstructions: { instructions: { programIdIndex: number; data: string }[] }[];
    preTokenBalances: RawBalance[];
    postTokenBalances: RawBalance[];
    loadedAddresses?: { writable: string[]; readonly: string[] };
  };
  transaction: { message: { accountKeys: string[] } };
}

export const isBuy = ({ kind }: Trade): boolean => kind < 2;
export const feesOf = ({ grossUsd, netUsd }: Trade): bigint => grossUsd - netUsd;
/** What left the trader and what came back, base units. */
export const amountsOf = (made: Trade): { paid: bigint; received: bigint } =>
  isBuy(made) ? { paid: made.grossUsd, received: made.tokens } : { paid: made.tokens, received: made.netUsd };
