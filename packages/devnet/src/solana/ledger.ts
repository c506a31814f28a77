import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type Address, getBase58Decoder } from '@solana/kit';
import type { Time } from './clock.ts';
import { dataOf, type MaybeAccount, once } from './machine/account.ts';
import { feeOf, priceOf } from './machine/fee.ts';
import { balancesOf, type Landed, outcomeOf } from './machine/outcome.ts';
import type { State } from './machine/state.ts';
import { keysOf, type ReadTransaction, readTransaction } from './machine/transaction.ts';
import type { Level } from './wire/params.ts';

export interface Block {
  slot: number;
  parentSlot: number;
  /** Number of blocks before it; slots that were skipped do not count. */
  height: number;
  hash: string;
  parentHash: string;
  /** Unix seconds. */
  time: number;
  transactions: readonly Landed[];
}

/** What has to be kept to go on from here another time. */
export interface LedgerRecord {
  genesisHash: string;
  blocks: readonly Block[];
  lastSlot: number;
  forks: number;
  transactionCount: number;
}

export interface LedgerOptions {
  /** Blocks on top of a block that make it final. */
  finalAfter: number;
  /** Every so many slots one stays empty, without a block; none when absent. */
  skipEvery?: number;
}

/** Blocks for which a blockhash stays good. */
export const blockhashAge = 150;
/** Blocks without transactions that stay, besides the newest ones; an hour of them. */
const keptBlocks = 9_000;
/** Blocks with transactions that stay: the oldest go first. */
const keptFullBlocks = 20_000;

/**
 * The chain: blocks, what is final of them, and transactions that wait for the next one. The state behind it is that after
 * the newest block.
 *
 * Emits `block` after each new one.
 */
export class Ledger extends EventEmitter<{ block: [Block] }> {
  readonly state: State;
  readonly genesisHash: string;
  readonly #options: LedgerOptions;
  readonly #time: Time;
  readonly #blocks: Block[];
  readonly #bySlot = new Map<number, Block>();
  readonly #landed = new Map<string, Landed>();
  /** Where this run began: what was kept is final. */
  readonly #ground: number;
  #waiting: ReadTransaction[] = [];
  /** The newest slot that there was, on any fork. */
  #lastSlot: number;
  /** Forks so far: a block is another one after each, even with the same contents. */
  #forks: number;
  #transactionCount: number;

  constructor(state: State, record: LedgerRecord, time: Time, options: LedgerOptions) {
    super();
    this.state = state;
    this.genesisHash = record.genesisHash;
    this.#options = options;
    this.#time = time;
    this.#blocks = [...record.blocks];
    for (const block of this.#blocks) this.#index(block);
    this.#ground = this.tip.height;
    this.#lastSlot = record.lastSlot;
    this.#forks = record.forks;
    this.#transactionCount = record.transactionCount;
  }

  // -------------------------------------------------------------- reading

  get tip(): Block {
    return this.#blocks.at(-1) as Block;
  }
  /** The newest block of this commitment. */
  at(level: Level): Block {
    const depth = { processed: 0, confirmed: 1, finalized: this.#options.finalAfter }[level];
    const lowest = this.#blocks.length - 1 - (this.tip.height - this.#ground);
    return this.#blocks[Math.max(lowest, this.#blocks.length - 1 - depth)] as Block;
  }
  levelOf(slot: number): Level {
    if (slot <= this.at('finalized').slot) return 'finalized';
    return slot <= this.at('confirmed').slot ? 'confirmed' : 'processed';
  }
  block(slot: number): Block | undefined {
    return this.#bySlot.get(slot);
  }
  /** Oldest first. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }
  landed(signature: string): Landed | undefined {
    return this.#landed.get(signature);
  }
  get transactionCount(): number {
    return this.#transactionCount;
  }
  /** Blocks of this fork above the one with this blockhash, seen from a block; null when the hash is unknown there. */
  ageOf(blockhash: string, from: Block): number | null {
    const newest = this.#blocks.length - 1 - (this.tip.height - from.height);
    for (let age = 0; age <= blockhashAge && newest - age >= 0; age += 1)
      if (this.#blocks[newest - age]?.hash === blockhash) return age;
    return null;
  }
  accountAt(at: Address, level: Level): MaybeAccount {
    return this.state.accountAt(at, this.at(level).height);
  }
  record(): LedgerRecord {
    return {
      genesisHash: this.genesisHash,
      blocks: this.#blocks,
      lastSlot: this.#lastSlot,
      forks: this.#forks,
      transactionCount: this.#transactionCount,
    };
  }

  // -------------------------------------------------------------- growing

  /** For the next block. A transaction that cannot pay its fee then, or is too old, is forgotten without a word. */
  take(transaction: ReadTransaction): void {
    const { signature } = transaction;
    if (!this.#waiting.some((one) => one.signature === signature)) this.#waiting.push(transaction);
  }

  /** One slot with a block in it, unless it is one to skip. */
  tick(): void {
    const { skipEvery } = this.#options;
    if (skipEvery !== undefined && (this.#lastSlot + 1) % skipEvery === 0) this.skip(1);
    else this.mine();
  }

  /** Slots without a block. */
  skip(slots: number): void {
    this.#lastSlot += slots;
    for (let slot = 0; slot < slots; slot += 1) this.#time.pass();
  }

  mine(): Block {
    const parent = this.tip;
    this.#lastSlot += 1;
    this.#time.pass();
    const [slot, height] = [this.#lastSlot, parent.height + 1];
    const time = Math.max(parent.time, this.#time.seconds);
    this.state.begin(height);
    this.state.setClock(slot, time);
    const waiting = this.#waiting;
    this.#waiting = [];
    const transactions: Landed[] = [];
    for (const one of waiting) {
      const landed = this.#run(one, slot, parent);
      if (landed === null) continue;
      transactions.push(landed);
      this.#landed.set(landed.signature, landed);
    }
    const signatures = transactions.map(({ signature }) => signature);
    const hash = hashOf(parent.hash, slot, this.#forks, ...signatures);
    const block = { slot, parentSlot: parent.slot, height, hash, parentHash: parent.hash, time, transactions };
    this.#blocks.push(block);
    this.#bySlot.set(slot, block);
    this.#transactionCount += transactions.length;
    this.emit('block', block);
    this.state.settle(this.at('finalized').height);
    this.#forgetOld();
    return block;
  }

  /** What the transaction did in this slot; null when it does not land at all. */
  #run(read: ReadTransaction, slot: number, parent: Block): Landed | null {
    const { wire, transaction, signature, message } = read;
    const isOld = this.ageOf(message.blockhash, parent) === null;
    if (isOld || this.#landed.has(signature) || !read.isFullySigned) return null;
    const { svm } = this.state;
    const then = once((at) => svm.getAccount(at));
    const keys = keysOf(message, (at) => dataOf(then(at)));
    if (!keys.isWhole) return null;
    const writable = keys.all.filter((_, index) => keys.isWritable(index));
    for (const at of writable) this.state.willChange(at);
    const before = balancesOf(keys, then);
    const outcome = outcomeOf(svm.sendTransaction(transaction));
    const changed = new Set(writable);
    const after = balancesOf(keys, (at) => (changed.has(at) ? svm.getAccount(at) : then(at)));
    // Who could not pay, or what could not even be loaded, paid nothing and is in no block.
    if (outcome.error !== null && before.lamports[0] === after.lamports[0]) return null;
    return {
      ...outcome,
      wire,
      signature,
      slot,
      version: message.version,
      fee: feeOf(message),
      price: priceOf(message),
      keys: keys.all,
      writable,
      loaded: keys.loaded,
      before,
      after,
    };
  }

  // -------------------------------------------------------------- going back

  /**
   * Forgets the newest blocks and all that happened in them, and goes on beside them: the next block follows the one below,
   * in a slot that nobody has seen yet.
   *
   * @param again - Transactions out of the forgotten blocks that wait for the next one.
   * @param sameSlots - The forgotten slots come again, with other blocks.
   * @returns The signatures that were forgotten.
   * @throws RangeError when one of the blocks is final.
   */
  reorg(
    depth: number,
    { again = [], sameSlots = false }: { again?: readonly string[]; sameSlots?: boolean } = {},
  ): string[] {
    const most = this.tip.height - this.at('finalized').height;
    if (depth < 1 || depth > most) throw new RangeError(`Between 1 and ${most} blocks can go; the others are final.`);
    const dropped = this.#blocks.splice(this.#blocks.length - depth);
    this.state.goBackTo(this.tip.height);
    this.#forks += 1;
    if (sameSlots) this.#lastSlot = this.tip.slot;
    const transactions = dropped.flatMap((block) => block.transactions);
    for (const { slot } of dropped) this.#bySlot.delete(slot);
    for (const { signature } of transactions) this.#landed.delete(signature);
    this.#transactionCount -= transactions.length;
    const back = transactions.filter(({ signature }) => again.includes(signature));
    this.#waiting = [...back.map(({ wire }) => readTransaction(wire)), ...this.#waiting];
    return transactions.map(({ signature }) => signature);
  }

  // -------------------------------------------------------------- bounds

  #index(block: Block): void {
    this.#bySlot.set(block.slot, block);
    for (const landed of block.transactions) this.#landed.set(landed.signature, landed);
  }
  #forgetOld(): void {
    if (this.tip.height % 1_000 !== 0) return;
    const newest = this.#blocks.length - keptBlocks;
    const full = this.#blocks.filter((one) => one.transactions.length > 0).slice(-keptFullBlocks);
    const kept = new Set(full);
    const gone = this.#blocks.filter((one, at) => at < newest && !kept.has(one));
    for (const { slot, transactions } of gone) {
      this.#bySlot.delete(slot);
      for (const { signature } of transactions) this.#landed.delete(signature);
    }
    const stay = this.#blocks.filter(({ slot }) => this.#bySlot.has(slot));
    this.#blocks.splice(0, this.#blocks.length, ...stay);
  }
}

/** The first block, of a chain that nobody has used. */
export const genesis = (name: string, time: number): LedgerRecord => {
  const hash = hashOf(name);
  const block = { slot: 0, parentSlot: 0, height: 0, hash, parentHash: hash, time, transactions: [] };
  return { genesisHash: hash, blocks: [block], lastSlot: 0, forks: 0, transactionCount: 0 };
};

const hashOf = (...parts: readonly (string | number)[]): string =>
  getBase58Decoder().decode(createHash('sha256').update(parts.join(' ')).digest());
