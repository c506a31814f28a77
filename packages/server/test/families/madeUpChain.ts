import { type Address, type Hash, MintageError } from '@mintage/protocol';
import type { ChainEvent } from '../../src/index/handlers/events.ts';
import { add, type Books, type Effects, emptyBooks, fee, run, type Told, take, treasury } from './program.ts';
import { type Bytes, digest, openSigned, type Transaction } from './transaction.ts';

/** A block with the books as it leaves them. */
export interface Block {
  height: number;
  hash: Hash;
  /** Hash of the block before. */
  parent: Hash;
  /** Unix seconds. */
  time: number;
  transactions: readonly Included[];
  events: readonly ChainEvent[];
  books: Books;
}

/** A transaction in a block. A failed one has paid its fee and done nothing else. */
interface Included {
  id: Hash;
  from: Address;
  error: MintageError | null;
}

/** Why the chain does not take a transaction. */
export class NotTakenError extends Error {}

/** Blocks that the tip is ahead of finality. */
const finalityLag = 3;
/** Most blocks that a transaction may be good for. */
export const longestValidity = 150;

/**
 * A small chain in memory. It moves only when `produce` is called. Blocks above `finalized` may be replaced, and what is final
 * only the chain says.
 */
export class MadeUpChain {
  readonly #blocks: Block[] = [];
  readonly #pool = new Map<Hash, Transaction>();
  /** Heights of the transactions in blocks. */
  readonly #places = new Map<Hash, number>();
  readonly #listeners = new Set<(block: Block) => void>();
  #finalized = 1;
  #forks = 0;
  /** Signed bytes in the order in which they came, repeats included. */
  readonly received: Bytes[] = [];
  /** False: whatever is sent is lost on the way. */
  isListening = true;

  constructor(startsAt = Math.floor(Date.now() / 1000)) {
    const place = { height: 1, parent: digest('before all blocks'), time: startsAt };
    const set: Told = { name: 'SettingChanged', setting: 'treasury', value: treasury };
    this.#append(place, [], [{ id: digest('deployment'), effects: { events: [set], transfers: [] } }], emptyBooks());
  }

  get head(): Block {
    return this.block(this.#blocks.length) as Block;
  }

  /** Transactions that wait for a block. */
  get pooled(): number {
    return this.#pool.size;
  }

  /** Newest block that is never replaced. */
  get finalized(): number {
    return this.#finalized;
  }

  /** Calls this with every new block until the returned function is called. */
  onBlock(listener: (block: Block) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Undefined above the head. */
  block(height: number): Block | undefined {
    return this.#blocks[height - 1];
  }

  /** Where a transaction is: in the pool it has no block. Undefined when the chain does not know it. */
  find(id: Hash): { from: Address; block: Block | null; error: MintageError | null } | undefined {
    const pooled = this.#pool.get(id);
    if (pooled !== undefined) return { from: pooled.from, block: null, error: null };
    const block = this.block(this.#places.get(id) ?? 0);
    const included = block?.transactions.find((one) => one.id === id);
    return block && included && { from: included.from, block, error: included.error };
  }

  /** Gives native coin, which no reorganisation takes back. */
  fund(wallet: Address, amount: bigint): void {
    for (const { books } of this.#blocks.slice(this.#finalized - 1)) add(books.coins, wallet, amount);
  }

  /**
   * Takes a signed transaction for one of the next blocks.
   *
   * @throws NotTakenError when it is not signed, too old, good for too long, was seen before, or cannot pay its fee.
   */
  submit(raw: Bytes): Hash {
    if (!this.isListening) throw new NotTakenError('The chain does not answer.');
    this.received.push(raw);
    const { id, transaction } = opened(raw);
    const { height, books } = this.head;
    if (transaction.validUntil <= height) throw new NotTakenError(`The transaction ${id} is too old.`);
    if (transaction.validUntil > height + longestValidity) throw new NotTakenError(`${id} is good for too long.`);
    if (this.find(id) !== undefined) throw new NotTakenError(`The transaction ${id} was seen before.`);
    if (coinsIn(books, transaction.from) < fee) throw new NotTakenError(`${transaction.from} cannot pay.`);
    this.#pool.set(id, transaction);
    return id;
  }

  /** The next block, with all that waits and is not too old. */
  produce(seconds = 1): Block {
    const { height, hash: parent, time: before, books: last } = this.head;
    const place = { height: height + 1, parent, time: before + seconds };
    const waiting = [...this.#pool].filter(([, { validUntil }]) => validUntil >= place.height);
    this.#pool.clear();
    let books = structuredClone(last);
    const transactions: Included[] = [];
    const done: Done[] = [];
    for (const [id, transaction] of waiting) {
      if (coinsIn(books, transaction.from) < fee) continue; // it has spent them in this block
      take(books.coins, transaction.from, fee);
      const outcome = attempt(books, transaction, place.time);
      books = outcome.books;
      transactions.push({ id, from: transaction.from, error: outcome.error });
      done.push({ id, effects: outcome.effects });
    }
    return this.#append(place, transactions, done, books);
  }

  /** Replaces the newest blocks by as many empty ones. Their transactions are forgotten: who wants them sends them again. */
  reorg(blocks: number): void {
    const ancestor = this.head.height - blocks;
    if (ancestor < this.#finalized) throw new Error(`Block ${ancestor + 1} is final.`);
    this.#forks += 1;
    for (const { transactions } of this.#blocks.splice(ancestor)) {
      for (const { id } of transactions) this.#places.delete(id);
    }
    this.#pool.clear();
    for (let made = 0; made < blocks; made += 1) this.produce();
  }

  #append(
    place: Pick<Block, 'height' | 'parent' | 'time'>,
    transactions: readonly Included[],
    done: readonly Done[],
    books: Books,
  ): Block {
    const ids = transactions.map(({ id }) => id);
    const hash = digest(place.parent, String(place.height), String(place.time), String(this.#forks), ...ids);
    const told = done.flatMap(({ id, effects }) => effects.events.map((event) => ({ id, event })));
    const at = { block: place.height, blockHash: hash, time: new Date(place.time * 1000) };
    const events = told.map(
      ({ id, event }, logIndex): ChainEvent => ({ ...event, at: { ...at, txHash: id, logIndex } }),
    );
    const block = { ...place, hash, transactions, events, books };
    this.#blocks.push(block);
    for (const id of ids) this.#places.set(id, place.height);
    this.#finalized = Math.max(this.#finalized, place.height - finalityLag);
    for (const listener of this.#listeners) listener(block);
    return block;
  }
}

interface Done {
  id: Hash;
  effects: Effects;
}

const opened = (raw: Bytes): ReturnType<typeof openSigned> => {
  try {
    return openSigned(raw);
  } catch (error) {
    throw new NotTakenError((error as Error).message);
  }
};

const coinsIn = ({ coins }: Books, wallet: Address): bigint => coins.get(wallet) ?? 0n;

const nothing: Effects = { events: [], transfers: [] };

/** The outcome of a transaction. */
export interface Attempt {
  /** After it. */
  books: Books;
  effects: Effects;
  error: MintageError | null;
}

/** Runs a transaction on a copy of the books: they change only when it succeeds. */
export const attempt = (books: Books, transaction: Pick<Transaction, 'from' | 'does'>, time: number): Attempt => {
  const tried = structuredClone(books);
  try {
    return { books: tried, effects: run(tried, transaction, time), error: null };
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    return { books, effects: nothing, error };
  }
};
