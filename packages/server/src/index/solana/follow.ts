import type { Address, Hash } from '@mintage/protocol';
import type { Position } from '../position.ts';
import type { Change } from '../sync/changes.ts';
import { DisagreementError } from '../sync/DisagreementError.ts';
import { MovedError } from '../sync/MovedError.ts';
import { PaceMeter } from '../sync/pace.ts';
import { LagError } from '../sync/poll.ts';
import { type Ancestor, ancestorUpTo, isStill } from './ancestor.ts';
import type { Block, Level } from './calls.ts';
import { type Programs, Signers } from './decode.ts';
import { Heard } from './heard.ts';
import { type Known, strangeAmong } from './missing.ts';
import { MissingEventError, requireEveryNumber } from './numbers.ts';
import { type ReadPage, readPage } from './readPage.ts';
import { settle } from './settle.ts';
import type { ClusterSource, Head } from './source.ts';

/** How long answers may be inconsistent before that counts as a failure, milliseconds. */
const patienceMs = 10_000;
/** Most transactions of a page, but for those of one slot. */
const pageLength = 200;
/** Blocks are looked at once more when so many slots more are final. */
const settledTogether = 8;
/** Blocks that can no longer vanish are forgotten together. */
const forgottenTogether = 8;
/** Most accounts whose numbers are compared at a time. */
const comparedTogether = 1_000;

/**
 * The changes of `Follower.follow`.
 *
 * Final blocks come in pages of many transactions, newer ones as soon as they are confirmed. Only blocks with one of our transactions
 * and the last of a page are read: they are linked by their hashes, so what is below the last is as we read it while that one is there.
 * That no transaction is missing, the numbers of events show.
 */
export async function* follow(
  source: ClusterSource,
  position: Position,
  programs: Programs,
): AsyncGenerator<Change, never, void> {
  const following = new Following(source, position, programs);
  let fitUntil = performance.now();
  for (;;) {
    try {
      for await (const change of following.next()) {
        yield change;
        fitUntil = performance.now();
      }
    } catch (error) {
      if (!isUnsettled(error) || performance.now() - fitUntil > patienceMs) throw error;
      yield { type: 'unsettled' };
    }
  }
}

const isUnsettled = (error: unknown): boolean =>
  error instanceof MovedError ||
  error instanceof LagError ||
  error instanceof MissingEventError ||
  error instanceof DisagreementError;

/** Follows from where the position is. */
class Following {
  readonly #position: Position;
  readonly #known: Known;
  readonly #heard = new Heard();
  readonly #seen = new Map<Hash, number>();
  /** Slot of the newest event of each account that told something since it was last compared. */
  readonly #told = new Map<Address, number>();
  readonly #pace = new PaceMeter();
  /** Up to here everything is known to be as it is in the tables. */
  #settled: number;
  /** Up to here there is a list. */
  #listedTo = -1;
  /** Somebody leaves transactions out: lists are put together until the gap is closed. */
  #again = false;

  constructor(source: ClusterSource, position: Position, programs: Programs) {
    this.#position = position;
    this.#settled = position.hash === null ? position.number : position.finalized;
    const signers = new Signers(programs.program);
    this.#known = { source, programs, signers, position, seen: this.#seen };
  }

  async *next(): AsyncGenerator<Change, void, void> {
    const { source } = this.#known;
    const head = await source.head();
    const gone = await this.#vanished(head);
    if (gone !== undefined) return yield* this.#goBack(gone);
    if (head.number <= this.#position.number) {
      this.#pace.restart();
      return yield { type: 'idle', head: this.#position.number };
    }
    try {
      const undone = await this.#settle(head);
      if (undone !== undefined) return yield* this.#goBack(undone);
      yield* this.#goOn(head);
    } catch (error) {
      if (!(error instanceof MissingEventError)) throw error;
      const undone = await this.#look(error);
      if (undone === undefined) throw error;
      yield* this.#goBack(undone);
    }
  }

  /** Where to go back to, when the newest of our blocks that can be there is not. */
  async #vanished(head: Head): Promise<Ancestor | undefined> {
    const { hashes } = this.#position;
    const newest = Math.max(-1, ...[...hashes.keys()].filter((number) => number <= head.number));
    const hash = hashes.get(newest);
    if (hash === undefined || (await isStill(this.#known.source, { number: newest, hash }, head.number))) return;
    return ancestorUpTo(this.#known.source, this.#position, newest - 1);
  }

  *#goBack(ancestor: Ancestor): Generator<Change, void, void> {
    this.#listedTo = -1;
    for (const [signature, slot] of this.#seen) if (slot > ancestor.number) this.#seen.delete(signature);
    this.#pace.restart();
    yield { type: 'reorg', ancestor };
  }

  async #settle(head: Head): Promise<Ancestor | undefined> {
    const to = head.finalized;
    // As long as we are behind what is final, nobody can say what the accounts' numbers should be.
    if (to > this.#position.number || to - this.#settled < settledTogether) return;
    const accounts = [...this.#told].filter(([, slot]) => slot <= to).map(([account]) => account);
    const compared = accounts.slice(0, comparedTogether);
    const settled = await settle(this.#known, this.#settled, head, compared);
    if ('to' in settled && settled.to < to) return;
    if ('ancestor' in settled) {
      this.#heard.add(settled.missing);
      this.#again ||= settled.missing.length > 0;
      return settled.ancestor;
    }
    this.#settled = to;
    for (const account of compared) this.#told.delete(account);
    for (const [signature, slot] of this.#seen) if (slot <= to) this.#seen.delete(signature);
    return;
  }

  async *#goOn(head: Head): AsyncGenerator<Change, void, void> {
    const position = this.#position;
    const isFar = position.number < head.finalized;
    await this.#list(isFar ? 'finalized' : 'confirmed', isFar ? head.finalized : head.number);
    const range = this.#heard.next(position.number + 1, this.#listedTo, pageLength);
    // What comes after blocks that are still to be looked at once more is not final before they are.
    const isFinal = range.to <= head.finalized && this.#settled >= position.number;
    const { programs, signers } = this.#known;
    const { poolTypes } = position;
    const page = await readPage(this.#known.source, range, { programs, signers, poolTypes, isFinal });
    const accounts = requireEveryNumber(page.events, position.numbers);
    const before = position.hash === null && !isFinal ? await this.#before(head) : [];
    if (isFinal) this.#settled = Math.max(this.#settled, range.to);
    else for (const { signature, slot } of page.read) this.#seen.set(signature, slot);
    yield this.#changeOf(page, before, head);
    this.#heard.forget(position.finalized);
    for (const account of accounts) this.#told.set(account, page.to.number);
    if (position.number >= this.#listedTo) this.#again = false;
    const old = [...position.hashes.keys()].filter((number) => number < position.finalized).length;
    if (old >= forgottenTogether) yield { type: 'finalize', number: position.finalized };
  }

  #changeOf(page: ReadPage, before: Block[], head: Head): Change {
    const position = this.#position;
    const blocks = [...before, ...page.blocks];
    const numbers = [...position.hashes.keys(), ...blocks.map(({ number }) => number)];
    // A block that we remember, so that there is always one to go back to.
    const finalized = Math.max(position.finalized, ...numbers.filter((number) => number <= this.#settled));
    const isKept = ({ number }: Block): boolean => number >= finalized || number === page.to.number;
    return {
      type: 'block',
      from: position.number + 1,
      to: page.to,
      headers: blocks.filter(isKept),
      events: page.events,
      head: head.number,
      finalized,
      pace: page.to.number < head.number ? this.#pace.add(page.to.number - position.number, page.events.length) : null,
    };
  }

  /** Before the first page there is no block of ours to go back to: a final one below it is. */
  async #before({ finalized }: Head): Promise<Block[]> {
    const block = await this.#known.source.block(finalized, false);
    if (block === null) throw new MovedError(`slot ${finalized} has no block`);
    this.#settled = Math.max(this.#settled, finalized);
    return [block];
  }

  async #list(level: Level, to: number): Promise<void> {
    const { number } = this.#position;
    if (level === 'finalized' && this.#listedTo > number) return;
    const { source, programs } = this.#known;
    const listed = await source.list(programs.program, { from: number + 1, level, again: this.#again });
    if (!this.#again) this.#heard.forgetAbove(number);
    this.#heard.add(listed);
    this.#listedTo = to;
  }

  /** Looks for a missing event among the transactions of its account. Where to go back to, when we have passed it already. */
  async #look({ account }: MissingEventError): Promise<Ancestor | undefined> {
    const { source } = this.#known;
    this.#again = true;
    this.#listedTo = -1;
    const { number, finalized } = this.#position;
    const listed = await source.list(account, { from: finalized + 1, level: 'confirmed', again: true });
    this.#heard.add(listed.filter(({ slot }) => slot > number));
    const { missing } = await strangeAmong(this.#known, listed);
    if (missing.length === 0) return undefined;
    this.#heard.add(missing);
    return ancestorUpTo(source, this.#position, Math.min(...missing.map(({ slot }) => slot)) - 1);
  }
}
