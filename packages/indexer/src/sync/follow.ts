import { createdTokens, topics } from '../events/decode.ts';
import { type Hex, inOrder, type RawLog } from '../events/log.ts';
import type { Position } from '../store/position.ts';
import type { BlockChange, Change, Header } from './changes.ts';
import { ProvidersDownError, RpcError } from './rpc.ts';
import type { ChainSource, UntimedLog } from './source.ts';

export interface FollowOptions {
  /** Blocks below the head by this many are never expected to be reorganised. */
  finalityBlocks: number;
}

/** The chain's history does not contain our newest final block: nothing may be rewritten without a person. */
export class FinalityError extends Error {
  constructor(number: number) {
    super(`the chain's blocks differ from ours at or below the final block ${number}`);
    this.name = 'FinalityError';
  }
}

/** The provider's answers do not fit together, most often because the chain moved between them. Asking again helps. */
class MovedError extends Error {
  constructor(what: string, cause?: unknown) {
    super(`the chain moved while it was read: ${what}`, { cause });
    this.name = 'MovedError';
  }
}

/** Most blocks in a page whose headers are all kept. */
const livePage = 64;
const firstSpan = 1_000;
const longestSpan = 50_000;
/** The page size that a backfill aims at, and the one above which it shortens its pages. */
const logsWanted = 2_000;
const logsTooMany = 10_000;
/** Readings in a row that did not fit together, after which we give the provider a rest. */
const mostMoves = 5;

/**
 * The changes that lead from `position` along the chain, without an end. Whoever iterates applies each change and moves
 * `position` before asking for the next; after `idle` it waits as long as it likes.
 *
 * Blocks at or below finality come in pages of many blocks, newer ones with every header, linked by parent hashes: a
 * reorg shows as a parent that is not ours, never by the provider's word.
 */
export async function* follow(
  source: ChainSource,
  position: Position,
  { finalityBlocks }: FollowOptions,
): AsyncGenerator<Change, never, void> {
  let span = firstSpan;
  let moves = 0;
  for (;;) {
    const head = await source.head();
    const known = position.hashes.get(head.number);
    if (head.number <= position.number) {
      // A lower head alone is a provider that lags; only another block in the place of one of ours is a reorg.
      if (known === undefined || known === head.hash) yield { type: 'idle', head: position.number };
      else yield { type: 'reorg', ancestor: await findAncestor(source, position, head) };
      continue;
    }
    const finalized = head.number - finalityBlocks;
    const from = position.number + 1;
    const isBackfill = from <= finalized;
    const to = isBackfill ? Math.min(from + span - 1, finalized) : Math.min(from + livePage - 1, head.number);
    let page: BlockChange | undefined;
    try {
      page = await readPage(source, position, { from, to, head: head.number, finalized, isBackfill });
    } catch (error) {
      if (error instanceof MovedError && moves < mostMoves) {
        moves += 1;
        continue;
      }
      const tooMuch = error instanceof RpcError || error instanceof ProvidersDownError;
      if (!tooMuch || !isBackfill || span === 1) throw error;
      span = Math.ceil(span / 2);
      continue;
    }
    moves = 0;
    if (page === undefined) {
      yield { type: 'reorg', ancestor: await findAncestor(source, position, head) };
      continue;
    }
    if (page.logs.length > logsTooMany) span = Math.ceil(span / 2);
    else if (page.logs.length < logsWanted) span = Math.min(span * 2, longestSpan);
    yield page;
    const oldest = Math.min(...position.hashes.keys());
    if (position.finalized - oldest >= Math.max(1, finalityBlocks / 4)) {
      yield { type: 'finalize', number: position.finalized };
    }
  }
}

interface PageBounds {
  from: number;
  to: number;
  head: number;
  finalized: number;
  isBackfill: boolean;
}

/**
 * The very first page brings the block before it along, so that a reorg of everything still has an ancestor.
 *
 * @returns Undefined when the page's first block does not follow ours.
 */
const readPage = async (
  source: ChainSource,
  position: Position,
  bounds: PageBounds,
): Promise<BlockChange | undefined> => {
  const { from, to, isBackfill } = bounds;
  const numbers = isBackfill ? [from, ...(to > from ? [to] : [])] : range(from, to);
  const headers = await readHeaders(source, numbers);
  const before = position.hash === null && from > 0 ? await readHeaders(source, [from - 1]) : [];
  const first = headers[0] as Header;
  const last = headers.at(-1) as Header;
  if (position.hash !== null && first.parentHash !== position.hash) return undefined;
  if (!isBackfill) requireLinked([...before, ...headers]);

  const filter = from === to ? { blockHash: last.hash } : { from, to };
  const logs = await readLogs(source, position, filter);
  const timed = await withTimes(source, logs, headers);
  if (from < to) {
    const [again] = await source.headers([to]);
    if (again?.hash !== last.hash) throw new MovedError(`block ${to} has another hash`);
  }
  return {
    type: 'block',
    from,
    to: last,
    headers: [...before, ...(isBackfill ? [last] : headers)],
    logs: inOrder(timed),
    head: bounds.head,
    finalized: Math.max(position.finalized, Math.min(bounds.finalized, to)),
  };
};

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

const readHeaders = async (source: ChainSource, numbers: readonly number[]): Promise<Header[]> => {
  const headers = await source.headers(numbers);
  return headers.map((header, i) => {
    if (header?.number !== numbers[i]) throw new MovedError(`block ${numbers[i]} is missing`);
    return header as Header;
  });
};

const requireLinked = (headers: readonly Header[]): void => {
  for (const [i, header] of headers.entries()) {
    const previous = headers[i - 1];
    if (previous !== undefined && previous.hash !== header.parentHash) throw new MovedError(`block ${header.number}`);
  }
};

type LogFilter = Parameters<ChainSource['logs']>[0];

/** All logs that may be ours: of the contracts and known tokens, then those of the tokens that these logs create. */
const readLogs = async (source: ChainSource, position: Position, filter: LogFilter): Promise<UntimedLog[]> => {
  const { launchpad, poolManager, tokens } = position.book;
  const addresses = [launchpad, ...(poolManager === null ? [] : [poolManager]), ...tokens];
  try {
    const logs = await source.logs(filter, addresses, allTopics);
    const created = createdTokens(logs, launchpad);
    return created.length === 0 ? logs : [...logs, ...(await source.logs(filter, created, [topics.Transfer]))];
  } catch (error) {
    // A node answers so when the block left its chain after we read the header.
    if (error instanceof RpcError && 'blockHash' in filter) throw new MovedError(error.message, error);
    throw error;
  }
};

const allTopics: readonly Hex[] = Object.values(topics);

/** Gives each log the time of its block, and checks that it belongs to the block whose header we read. */
const withTimes = async (
  source: ChainSource,
  logs: readonly UntimedLog[],
  headers: readonly Header[],
): Promise<RawLog[]> => {
  const known = new Map(headers.map((header) => [header.number, header]));
  const untimed = logs.filter((log) => log.timestamp === undefined && !known.has(log.blockNumber));
  const missing = [...new Set(untimed.map((log) => log.blockNumber))];
  for (let i = 0; i < missing.length; i += livePage) {
    for (const header of await readHeaders(source, missing.slice(i, i + livePage))) known.set(header.number, header);
  }
  return logs.map((log) => {
    const header = known.get(log.blockNumber);
    if (header !== undefined && header.hash !== log.blockHash) throw new MovedError(`log of block ${log.blockNumber}`);
    return { ...log, timestamp: header?.timestamp ?? (log.timestamp as number) };
  });
};

/** The newest of our blocks that the chain still has. */
const findAncestor = async (
  source: ChainSource,
  position: Position,
  head: Header,
): Promise<{ number: number; hash: Hex }> => {
  const ours = [...position.hashes].filter(([number]) => number <= head.number).toSorted(([a], [b]) => b - a);
  for (let i = 0; i < ours.length; i += livePage) {
    const some = ours.slice(i, i + livePage);
    const theirs = await source.headers(some.map(([number]) => number));
    const same = some.find(([, hash], j) => theirs[j]?.hash === hash);
    if (same !== undefined && same[0] >= position.finalized) return { number: same[0], hash: same[1] };
  }
  throw new FinalityError(position.finalized);
};
