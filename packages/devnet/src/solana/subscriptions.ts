import type { EncodedAccount } from '@solana/kit';
import { accountJson, passes } from './answers/accounts.ts';
import type { Block, Ledger } from './ledger.ts';
import { dataOf, emptyAccount, type MaybeAccount } from './machine/account.ts';
import { inContext } from './methods/method.ts';
import { type Level, levels, type Params } from './wire/params.ts';
import { refused } from './wire/rpcError.ts';

/** Sends one notification of a subscription. */
export type Notify = (result: unknown) => void;

interface Subscription {
  /** What to tell of a block once it has the subscription's commitment. */
  reached?(block: Block): void;
  /** What to tell after each block. */
  grown?(): void;
  level: Level;
}

/**
 * Who wants to hear of what. Each commitment is told its blocks in order, each once; a block of a fork that was left is not
 * told any more, and those that replace it are.
 */
export class Subscriptions {
  readonly #ledger: Ledger;
  readonly #all = new Map<number, Subscription>();
  /** Height up to which a commitment was told. */
  readonly #told: Record<Level, number>;
  #lastId = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#told = Object.fromEntries(levels.map((level) => [level, ledger.at(level).height])) as Record<Level, number>;
    ledger.on('block', () => this.#tell());
  }

  /**
   * @param end - Called when the subscription has nothing more to say.
   * @throws RpcError for a kind that there is not.
   */
  open(kind: string, params: Params, notify: Notify, end: () => void): number {
    const make = this.#kinds[kind];
    if (make === undefined) throw refused.method(`${kind}Subscribe`);
    this.#lastId += 1;
    const id = this.#lastId;
    const close = (): void => {
      this.close(id);
      end();
    };
    this.#all.set(id, make(params, notify, close));
    return id;
  }
  close(id: number): boolean {
    return this.#all.delete(id);
  }
  get size(): number {
    return this.#all.size;
  }
  /** After a fork was left: what stands now is its part that everybody shares. */
  forked(): void {
    for (const level of levels) this.#told[level] = Math.min(this.#told[level], this.#ledger.tip.height);
  }
  /** What a subscription can say at once. */
  begin(id: number): void {
    this.#all.get(id)?.grown?.();
  }

  #tell(): void {
    const { blocks, tip } = this.#ledger;
    for (const level of levels) {
      const newest = this.#ledger.at(level).height;
      const told = this.#told[level];
      this.#told[level] = Math.max(told, newest);
      const reached = blocks
        .slice(blocks.length - 1 - (tip.height - told) + 1)
        .filter(({ height }) => height <= newest);
      for (const block of reached) for (const one of this.#all.values()) if (one.level === level) one.reached?.(block);
    }
    for (const one of this.#all.values()) one.grown?.();
  }

  readonly #kinds: Record<string, (params: Params, notify: Notify, end: () => void) => Subscription> = {
    slot: (_, notify) => ({
      level: 'processed',
      reached: ({ slot, parentSlot }) => notify({ slot, parent: parentSlot, root: this.#ledger.at('finalized').slot }),
    }),
    root: (_, notify) => ({ level: 'finalized', reached: ({ slot }) => notify(slot) }),
    signature: (params, notify, end) => {
      const signature = params.signature(0);
      const level = params.config(1).commitment ?? 'finalized';
      return {
        level,
        grown: () => {
          const landed = this.#ledger.landed(signature);
          const block = this.#ledger.at(level);
          if (landed === undefined || landed.slot > block.slot) return;
          notify(inContext(block, { err: landed.error }));
          end();
        },
      };
    },
    logs: (params, notify) => {
      const isMeant = mentioning(params.raw(0));
      return {
        level: params.config(1).commitment ?? 'finalized',
        reached: (block) => {
          for (const { signature, error, logs, keys } of block.transactions)
            if (isMeant(keys)) notify(inContext(block, { signature, err: error, logs }));
        },
      };
    },
    account: (params, notify) => {
      const at = params.address(0);
      const config = params.config(1);
      return {
        level: config.commitment ?? 'finalized',
        reached: (block) => {
          for (const account of this.#changedIn(block))
            if (account.address === at) notify(inContext(block, accountJson(account, config)));
        },
      };
    },
    program: (params, notify) => {
      const program = params.address(0);
      const config = params.config(1);
      return {
        level: config.commitment ?? 'finalized',
        reached: (block) => {
          for (const account of this.#changedIn(block))
            if (account.programAddress === program && passes(account, config.filters))
              notify(inContext(block, { pubkey: account.address, account: accountJson(account, config) }));
        },
      };
    },
  };

  /** The accounts that are others after the block; one that is gone as an empty one. */
  #changedIn({ height }: Block): EncodedAccount[] {
    const { state } = this.#ledger;
    return [...state.changedIn(height)]
      .map(([at, before]) => [before, state.accountAt(at, height)] as const)
      .filter(([before, after]) => !isSame(before, after))
      .map(([, after]) => (after.exists ? after : emptyAccount(after.address)));
  }
}

const isSame = (one: MaybeAccount, other: MaybeAccount): boolean => {
  if (!one.exists || !other.exists) return one.exists === other.exists;
  return (
    one.lamports === other.lamports &&
    one.programAddress === other.programAddress &&
    Buffer.compare(dataOf(one) as Uint8Array, dataOf(other) as Uint8Array) === 0
  );
};

const mentioning = (filter: unknown): ((keys: readonly string[]) => boolean) => {
  if (filter === 'all' || filter === 'allWithVotes') return () => true;
  const { mentions } = (filter ?? {}) as { mentions?: unknown };
  if (!Array.isArray(mentions) || mentions.length !== 1)
    throw refused.params('Invalid Request: Only 1 address supported');
  return (keys) => keys.includes(String(mentions[0]));
};
