import { RpcError } from '../../chain/wire.ts';
import type { AddressBook } from '../events/addressBook.ts';
import type { Hex } from '../events/log.ts';
import { createdTokens } from '../handlers/decode.ts';
import type { Position } from '../position.ts';
import type { Change, Header } from './changes.ts';
import { Continuity } from './continuity.ts';
import { FinalityError } from './FinalityError.ts';
import { isComplete } from './isComplete.ts';
import { PaceMeter } from './pace.ts';
import { DisagreementError, LagError, ProvidersDownError } from './poll.ts';
import { livePage, MovedError, type Place, type ReadPage, readBlocks, readRange } from './readPage.ts';
import { type ChainSource, UnknownBlockError } from './source.ts';
import { Span } from './span.ts';

export interface FollowOptions {
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
 * Yields, without end, the changes that lead from `position` along the chain. The caller applies each change and moves
 * `position` before asking for the next; after `idle` and `unsettled` it may wait as long as it likes.
 *
 * Final blocks come in pages of many blocks, and the next page is read while one is applied. Newer blocks come with
 * every header, linked by parent hashes: a reorg is detected by a parent that differs from ours, never by a provider's
 * statement.
 */
export async function* follow(
  source: ChainSource,
  position: Position,
  { finalityBlocks, doubts = { ranges: false } }: FollowOptions,
): AsyncGenerator<Change, never, void> {
  const reader = new Reader(source, doubts, position.book);
  const pace = new PaceMeter();
  let head: Header | undefined;
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
        yield ancestor === undefined ? { type: 'idle', head: position.number } : { type: 'reorg', ancestor };
        fitUntil = performance.now();
        continue;
      }
      const finalized = head.number - finalityBlocks;
      const page = await reader.read(position, Math.max(finalized, -1), head.number);
      if (page === undefined) {
        const ancestor = await findAncestor(source, position, position.number);
        if (ancestor.number === position.number)
          throw new MovedError(`block ${position.number + 1} has another parent`);
        yield { type: 'reorg', ancestor };
        fitUntil = performance.now();
        continue;
      }
      reader.readAhead(position, page, finalized);
      const measured = pace.add(page.to.number - page.from + 1, page.logs.length);
      yield {
        type: 'block',
        ...page,
        headers: page.headers.filter(
          ({ number }) => number > finalized || number === page.to.number || number < page.from,
        ),
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
  after: Hex;
  page: Promise<{ page: ReadPage | undefined } | { error: unknown }>;
}

/**
 * Reads the page after a position: by range query below finality, block by block above it and where range queries are
 * not trusted.
 */
class Reader {
  readonly #source: ChainSource;
  readonly #doubts: Doubts;
  readonly #contracts: Pick<AddressBook, 'launchpad' | 'poolManager'>;
  readonly #span = new Span();
  #continuity: Continuity;
  #ahead: Ahead | undefined;

  constructor(source: ChainSource, doubts: Doubts, contracts: Pick<AddressBook, 'launchpad' | 'poolManager'>) {
    this.#source = source;
    this.#doubts = doubts;
    this.#contracts = contracts;
    this.#continuity = new Continuity(contracts);
  }

  /** @returns Undefined when the next block does not follow `after`. */
  async read(after: Place, finalized: number, head: number): Promise<ReadPage | undefined> {
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
    return readBlocks(this.#source, after, Math.min(after.number + livePage, head));
  }

  /** Starts to read the page after `page` while that one is applied. */
  readAhead({ book }: Place, page: ReadPage, finalized: number): void {
    if (page.to.number >= finalized || this.#doubts.ranges) return;
    const tokens = new Set([...book.tokens, ...createdTokens(page.logs, book.launchpad)]);
    const after = { number: page.to.number, hash: page.to.hash, book: { ...book, tokens } };
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
  head: Header,
): Promise<{ number: number; hash: Hex } | undefined> => {
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
): Promise<{ number: number; hash: Hex }> => {
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
