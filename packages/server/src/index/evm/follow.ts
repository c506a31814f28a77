import type { Hash } from '@mintage/protocol';
import { RpcError } from '../../chain/wire.ts';
import type { Position } from '../position.ts';
import type { Change } from '../sync/changes.ts';
import { DisagreementError } from '../sync/DisagreementError.ts';
import { FinalityError } from '../sync/FinalityError.ts';
import { MovedError } from '../sync/MovedError.ts';
import { PaceMeter } from '../sync/pace.ts';
import { LagError, ProvidersDownError } from '../sync/poll.ts';
import { UnknownBlockError } from '../sync/UnknownBlockError.ts';
import { addressBook, type Contracts, withFound } from './addressBook.ts';
import { Continuity } from './continuity.ts';
import { decodeLogs, foundIn } from './decode.ts';
import type { EvmHeader, Head } from './header.ts';
import { isComplete } from './isComplete.ts';
import { livePage, type Place, type ReadPage, readBlocks, readRange } from './readPage.ts';
import type { ChainSource } from './source.ts';
import { Span } from './span.ts';

export interface FollowOptions {
  contracts: Contracts;
  /** Number of blocks below the head from which no reorg is expected. */
  finalityBlocks: number;
  /** Kept by the caller from one `follow` to the next. */
  doubts?: Doubts;
}

/** What `follow` has learnt about the providers. */
export interface Doubts {
  /** A range query once omitted logs; from then on blocks are read one by one. */
  ranges: boolean;
}

/** How long answers may be inconsistent before that counts as a failure, milliseconds. */
const patienceMs = 10_000;
/** How often the head is read during a backfill, where it is only a rough goal, milliseconds. */
const headEveryMs = 2_000;

/**
 * The changes of `Follower.follow`.
 *
 * Final blocks come in pages of many blocks, and the next page is read while one is applied. Newer blocks come with
 * every header, linked by parent hashes: a reorg is detected by a parent that differs from ours, never by a provider's
 * statement.
 */
export async function* follow(
  source: ChainSource,
  position: Position,
  { contracts, finalityBlocks, doubts = { ranges: false } }: FollowOptions,
): AsyncGenerator<Change, never, void> {
  const reader = new Reader(source, doubts, contracts);
  let book = addressBook(contracts, position.tokens, position.pools);
  const pace = new PaceMeter();
  let head: Head | undefined;
  let headAt = 0;
  let fitUntil = performance.now();
  for (;;) {
    try {
      const isFar = head !== undefined && position.number < head.number - finalityBlocks;
      if (head === undefined || !isFar || performance.now() - headAt > headEveryMs) {
        head = await source.head();
        headAt = performance.now();
      }
      if (head.number <= position.number) {
        const ancestor = await reorgBelow(source, position, head);
        pace.restart();
        if (ancestor === undefined) yield { type: 'idle', head: position.number };
        else {
          yield { type: 'reorg', ancestor };
          book = addressBook(contracts, position.tokens, position.pools);
        }
        fitUntil = performance.now();
        continue;
      }
      const finalized = head.number - finalityBlocks;
      const after = { number: position.number, hash: position.hash, book };
      const page = await reader.read(after, Math.max(finalized, -1), head);
      if (page === undefined) {
        const ancestor = await findAncestor(source, position, position.number);
        if (ancestor.number === position.number)
          throw new MovedError(`block ${position.number + 1} has another parent`);
        yield { type: 'reorg', ancestor };
        book = addressBook(contracts, position.tokens, position.pools);
        fitUntil = performance.now();
        continue;
      }
      reader.readAhead(after, page, finalized);
      const measured = pace.add(page.to.number - page.from + 1, page.logs.length);
      yield {
        type: 'block',
        from: page.from,
        to: page.to,
        headers: page.headers.filter(
          ({ number }) => number > finalized || number === page.to.number || number < page.from,
        ),
        events: decodeLogs(page.logs, book),
        head: head.number,
        finalized: Math.max(position.finalized, Math.min(finalized, page.to.number)),
        pace: page.to.number < head.number ? measured : null,
      };
      fitUntil = performance.now();
      const oldest = Math.min(...position.hashes.keys());
      if (position.finalized - oldest >= Math.max(1, finalityBlocks / 4)) {
        yield { type: 'finalize', number: position.finalized };
      }
    } catch (error) {
      if (!isUnsettled(error) || performance.now() - fitUntil > patienceMs) throw error;
      head = undefined;
      yield { type: 'unsettled' };
    }
  }
}

const isUnsettled = (error: unknown): boolean =>
  error instanceof MovedError ||
  error instanceof LagError ||
  error instanceof UnknownBlockError ||
  error instanceof DisagreementError;

/** A page that is being read ahead. */
interface Ahead {
  after: Hash;
  page: Promise<{ page: ReadPage | undefined } | { error: unknown }>;
}

/**
 * Reads the page after a position: by range query below finality, block by block above it and where range queries are
 * not trusted.
 */
class Reader {
  readonly #source: ChainSource;
  readonly #doubts: Doubts;
  readonly #contracts: Contracts;
  readonly #span = new Span();
  #continuity: Continuity;
  #ahead: Ahead | undefined;

  constructor(source: ChainSource, doubts: Doubts, contracts: Contracts) {
    this.#source = source;
    this.#doubts = doubts;
    this.#contracts = contracts;
    this.#continuity = new Continuity(contracts);
  }

  /** @returns Undefined when the next block does not follow `after`. */
  async read(after: Place, finalized: number, head: Head): Promise<ReadPage | undefined> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead !== undefined && ahead.after === after.hash) {
      const outcome = await ahead.page;
      if ('error' in outcome) throw outcome.error;
      return outcome.page;
    }
    if (ahead !== undefined) this.#continuity = new Continuity(this.#contracts);
    if (after.number < finalized && after.hash !== null && !this.#doubts.ranges)
      return this.#readRange(after, finalized);
    this.#continuity = new Continuity(this.#contracts);
    // The contracts' initial settings leave no later trace, so the deployment block is read whole.
    if (after.hash === null) return readBlocks(this.#source, after, after.number + 1);
    return readBlocks(this.#source, after, Math.min(after.number + livePage, head.number), head);
  }

  /** Starts to read the page after `page` while that one is applied. */
  readAhead({ book }: Place, page: ReadPage, finalized: number): void {
    if (page.to.number >= finalized || this.#doubts.ranges) return;
    const after = { number: page.to.number, hash: page.to.hash, book: withFound(book, foundIn(page.logs, book)) };
    const reading = this.#readRange(after, finalized);
    this.#ahead = {
      after: page.to.hash,
      page: reading.then(
        (next) => ({ page: next }),
        (error: unknown) => ({ error }),
      ),
    };
  }

  async #readRange(after: Place, finalized: number): Promise<ReadPage | undefined> {
    for (;;) {
      const to = Math.min(after.number + this.#span.blocks, finalized);
      const blocks = to - after.number;
      try {
        const page = await readRange(this.#source, after, to);
        if (page === undefined) return undefined;
        if (await this.#isComplete(after, page)) {
          this.#span.served(blocks, page.logs.length);
          return page;
        }
      } catch (error) {
        if (isTooMuch(error) && this.#span.refused(blocks)) continue;
        // Providers that omit different logs never agree on a range, but do on its blocks.
        if (!(error instanceof DisagreementError) || this.#source.wholeBlocks === undefined) throw error;
      }
      this.#doubts.ranges = true;
      return readBlocks(this.#source, after, Math.min(after.number + livePage, finalized));
    }
  }

  async #isComplete(after: Place, page: ReadPage): Promise<boolean> {
    if (this.#source.wholeBlocks === undefined) return true;
    return isComplete(this.#source, after.book, page, this.#continuity);
  }
}

/** Whether the range was too large: refused, or too slow. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof RpcError ||
  (error instanceof ProvidersDownError && error.cause instanceof Error && error.cause.name === 'TimeoutError');

/** @returns The ancestor to go back to; undefined when the chain still has our blocks, or the provider merely lags. */
const reorgBelow = async (
  source: ChainSource,
  position: Position,
  head: EvmHeader,
): Promise<{ number: number; hash: Hash } | undefined> => {
  const known = position.hashes.get(head.number);
  if (known === undefined || known === head.hash) return undefined;
  const ancestor = await findAncestor(source, position, head.number);
  return ancestor.number === head.number ? undefined : ancestor;
};

/** The newest of our blocks up to `highest` that the chain still has. */
const findAncestor = async (
  source: ChainSource,
  position: Position,
  highest: number,
): Promise<{ number: number; hash: Hash }> => {
  const ours = [...position.hashes].filter(([number]) => number <= highest).toSorted(([a], [b]) => b - a);
  let isWhole = true;
  for (let i = 0; i < ours.length; i += livePage) {
    const some = ours.slice(i, i + livePage);
    const theirs = await source.headers(some.map(([number]) => number));
    const same = some.find(([, hash], j) => theirs[j]?.hash === hash);
    if (same !== undefined && same[0] >= position.finalized) return { number: same[0], hash: same[1] };
    isWhole &&= !theirs.includes(undefined);
  }
  if (!isWhole) throw new MovedError('blocks are missing');
  throw new FinalityError(position.finalized);
};
