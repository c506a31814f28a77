import type { Hash } from '@mintage/protocol';
import type { Hex } from 'viem';
import { RpcError } from '../../chain/wire.ts';
import { inOrder, type RawLog } from '../events/evm/log.ts';
import { isWordOf, wordOf } from '../events/evm/words.ts';
import { MovedError } from '../sync/MovedError.ts';
import { type AddressBook, addressesOf, type Found, withFound } from './addressBook.ts';
import { Bloom } from './bloom.ts';
import { foundIn } from './decode.ts';
import type { EvmHeader, Head } from './header.ts';
import type { ChainSource, LogFilter, UntimedLog } from './source.ts';
import { allTopics, poolTopics, topics } from './topics.ts';

/** Blocks of the chain with all their logs that may be ours. */
export interface ReadPage {
  from: number;
  to: EvmHeader;
  headers: EvmHeader[];
  /** In order, each with its block's time. */
  logs: RawLog[];
}

/** Position before a page: its previous block, null before the first. */
export interface Place {
  number: number;
  hash: Hash | null;
  book: AddressBook;
}

/** Most blocks in a page for which every header is read. */
export const livePage = 64;

/**
 * Reads many blocks with one log filter, for history: only the headers at both ends are read. That no log is missing
 * rests on the providers' word.
 *
 * @returns Undefined when the page's first block does not follow `after`.
 */
export const readRange = async (source: ChainSource, after: Place, to: number): Promise<ReadPage | undefined> => {
  const from = after.number + 1;
  const headers = await readHeaders(source, to > from ? [from, to] : [from]);
  const before = await readBefore(source, after);
  const [first, last] = [headers[0] as EvmHeader, headers.at(-1) as EvmHeader];
  if (after.hash !== null && first.parentHash !== after.hash) return undefined;
  const logs = await withTimes(source, await readLogs(source, after.book, { from, to }), headers);
  await requireStill(source, last);
  return { from, to: last, headers: [...before, last], logs: inOrder(logs) };
};

/**
 * Reads blocks one by one, linked by parent hashes, for blocks that may still be reorganised and where a provider's
 * word is not trusted: a block whose bloom may contain our logs is read whole, so that none can be missing.
 *
 * @param head - The newest block, as it was read just before.
 * @returns Undefined when the page's first block does not follow `after`.
 */
export const readBlocks = async (
  source: ChainSource,
  after: Place,
  to: number,
  head?: Head,
): Promise<ReadPage | undefined> => {
  const from = after.number + 1;
  const headers = await readHeaders(source, range(from, to), head);
  const before = await readBefore(source, after);
  const first = headers[0] as EvmHeader;
  if (after.hash !== null && first.parentHash !== after.hash) return undefined;
  requireLinked([...before, ...headers]);
  const logs = await withTimes(source, await logsOfBlocks(source, after.book, headers), headers);
  return { from, to: headers.at(-1) as EvmHeader, headers: [...before, ...headers], logs: inOrder(logs) };
};

/** Reads the logs of linked blocks that may be ours. */
export const logsOfBlocks = async (
  source: ChainSource,
  book: AddressBook,
  headers: readonly EvmHeader[],
): Promise<UntimedLog[]> => {
  const silent = headers.filter((header) => source.wholeBlocks === undefined || !tells(header));
  const whole = await readWhole(source, book, without(headers, silent));
  const known = withFound(book, foundIn(whole, book));
  const rest = await readSilent(source, known, silent);
  return oursOf([...whole, ...rest], withFound(known, foundIn(rest, book)));
};

/**
 * Reads whole every block whose bloom may contain our logs; then the blocks that may contain a token created, or a pool
 * opened, by the first ones.
 */
const readWhole = async (
  source: ChainSource,
  book: AddressBook,
  headers: readonly EvmHeader[],
): Promise<UntimedLog[]> => {
  const read = async (some: readonly EvmHeader[]): Promise<UntimedLog[]> =>
    some.length === 0 || source.wholeBlocks === undefined ? [] : source.wholeBlocks(some);
  const first = headers.filter((header) => mayShowUs(bloomOf(header), book));
  const logs = await read(first);
  const found = foundIn(logs, book);
  const second = without(headers, first).filter((header) => mayShow(bloomOf(header), found));
  return [...logs, ...(await read(second))];
};

/** Reads blocks whose headers have no usable bloom, by log filter. */
const readSilent = async (
  source: ChainSource,
  book: AddressBook,
  headers: readonly EvmHeader[],
): Promise<UntimedLog[]> => {
  const [first, last] = [headers[0], headers.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (first === last) return readLogs(source, book, { blockHash: last.hash });
  const logs = await readLogs(source, book, { from: first.number, to: last.number });
  await requireStill(source, last);
  const numbers = new Set(headers.map(({ number }) => number));
  return logs.filter((log) => numbers.has(log.blockNumber));
};

// ---------------------------------------------------------------- what a header's bloom says

/** Highest false-positive rate at which blooms are used: above it nearly all blocks would be read whole. */
const mostFalseChance = 0.2;

const blooms = new WeakMap<EvmHeader, Bloom>();
const bloomOf = (header: EvmHeader): Bloom => {
  const known = blooms.get(header) ?? new Bloom(header.logsBloom as Hex);
  blooms.set(header, known);
  return known;
};

/** Whether the header's bloom is usable. */
export const tells = (header: EvmHeader): boolean =>
  header.logsBloom !== undefined && bloomOf(header).falseChance <= mostFalseChance;

const mayShowUs = (bloom: Bloom, book: AddressBook): boolean => {
  const { launchpad, poolManager, tokenBridge, layerZeroEndpoint, tokens, pools } = book;
  const mayHave = (...parts: readonly (Hex | null)[]) => parts.every((part) => part !== null && bloom.mayHave(part));
  return (
    mayHave(launchpad) ||
    mayHave(tokenBridge) ||
    mayHave(poolManager, topics.ProtocolFeeUpdated) ||
    mayHave(layerZeroEndpoint, topics.LzReceiveAlert, tokenBridge && wordOf(tokenBridge)) ||
    mayShow(bloom, { tokens, pools })
  );
};

const mayShow = (
  bloom: Bloom,
  { tokens, pools }: Record<'tokens', Iterable<Hex>> & { pools: Iterable<readonly [Hex, Hex]> },
) => {
  if (bloom.mayHave(topics.Transfer)) for (const token of tokens) if (bloom.mayHave(token)) return true;
  if (poolTopics.some((topic) => bloom.mayHave(topic)))
    for (const [pool] of pools) if (bloom.mayHave(pool)) return true;
  return false;
};

/** Blocks whose bloom almost certainly contains one of our contracts, although `logs` has none of it. */
export const blocksWithout = (
  headers: readonly EvmHeader[],
  logs: readonly RawLog[],
  { launchpad, tokenBridge, tokens, pools }: AddressBook,
): number[] => {
  const senders = new Set(logs.map((log) => `${log.blockNumber} ${log.address}`));
  const rarely = 0.02;
  const lacks = (header: EvmHeader, sender: Hex): boolean =>
    bloomOf(header).mayHave(sender) && !senders.has(`${header.number} ${sender}`);
  return headers
    .filter((header) => tells(header) && bloomOf(header).falseChance <= rarely)
    .filter((header) => {
      if (lacks(header, launchpad) || (tokenBridge !== null && lacks(header, tokenBridge))) return true;
      const bloom = bloomOf(header);
      if (bloom.falseChance * (tokens.size + pools.size) > rarely || !bloom.mayHave(topics.Transfer)) return false;
      for (const token of tokens) if (lacks(header, token)) return true;
      // Of a pool other logs count for nothing, as one of added liquidity.
      if (!poolTopics.some((topic) => bloom.mayHave(topic))) return false;
      for (const pool of pools.keys()) if (lacks(header, pool)) return true;
      return false;
    })
    .map(({ number }) => number);
};

/** The logs that may be ours; the endpoint's about other applications are not. */
const oursOf = (logs: readonly UntimedLog[], book: AddressBook): UntimedLog[] => {
  const senders = new Set(addressesOf(book));
  return logs.filter(
    ({ address, topics: [topic, subject] }) =>
      senders.has(address) &&
      topic !== undefined &&
      ourTopics.has(topic) &&
      (address !== book.layerZeroEndpoint || isWordOf(subject, book.tokenBridge)),
  );
};

// ---------------------------------------------------------------- reading

export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

const without = (headers: readonly EvmHeader[], some: readonly EvmHeader[]): EvmHeader[] => {
  const gone = new Set(some);
  return headers.filter((header) => !gone.has(header));
};

/**
 * Reads the headers of all these blocks; none is missing.
 *
 * @param head - Not asked for again where it is agreed.
 */
export const readHeaders = async (
  source: ChainSource,
  numbers: readonly number[],
  head?: Head,
): Promise<EvmHeader[]> => {
  const known = head?.isAgreed && numbers.at(-1) === head.number ? [head] : [];
  const headers = [...(await source.headers(numbers.slice(0, numbers.length - known.length))), ...known];
  return headers.map((header, i) => {
    if (header?.number !== numbers[i]) throw new MovedError(`block ${numbers[i]} is missing`);
    return header as EvmHeader;
  });
};

/** The first page also reads the block before it, so that a reorg of everything still has an ancestor. */
const readBefore = async (source: ChainSource, { number, hash }: Place): Promise<EvmHeader[]> =>
  hash === null && number >= 0 ? readHeaders(source, [number]) : [];

export const requireLinked = (headers: readonly EvmHeader[]): void => {
  for (const [i, header] of headers.entries()) {
    const previous = headers[i - 1];
    if (previous !== undefined && previous.hash !== header.parentHash) throw new MovedError(`block ${header.number}`);
  }
};

const requireStill = async (source: ChainSource, { number, hash }: EvmHeader): Promise<void> => {
  const [again] = await source.headers([number]);
  if (again?.hash !== hash) throw new MovedError(`block ${number} has another hash`);
};

const ourTopics: ReadonlySet<Hex> = new Set(allTopics);

/** Reads all logs that may be ours: of the contracts and known tokens, then of the tokens and pools that these logs make. */
const readLogs = async (source: ChainSource, book: AddressBook, filter: LogFilter): Promise<UntimedLog[]> => {
  try {
    const logs = oursOf(await source.logs(filter, addressesOf(book), allTopics), book);
    const added = newAddresses(foundIn(logs, book), book);
    if (added.length === 0) return logs;
    return [...logs, ...(await source.logs(filter, added, [topics.Transfer, ...poolTopics]))];
  } catch (error) {
    // Nodes answer this way when the block has left their chain after we read the header.
    if (error instanceof RpcError && 'blockHash' in filter) throw new MovedError(error.message, error);
    throw error;
  }
};

const newAddresses = ({ tokens, pools }: Found, book: AddressBook): Hex[] => [
  ...tokens.filter((token) => !book.tokens.has(token)),
  ...pools.flatMap(([pool]) => (book.pools.has(pool) ? [] : [pool])),
];

/** Gives each log the time of its block, and checks that it belongs to the blocks whose headers we read. */
const withTimes = async (source: ChainSource, logs: UntimedLog[], headers: readonly EvmHeader[]): Promise<RawLog[]> => {
  const known = new Map(headers.map((header) => [header.number, header]));
  const untimed = logs.filter((log) => log.timestamp === undefined && !known.has(log.blockNumber));
  const missing = [...new Set(untimed.map((log) => log.blockNumber))];
  for (let i = 0; i < missing.length; i += livePage) {
    for (const header of await readHeaders(source, missing.slice(i, i + livePage))) known.set(header.number, header);
  }
  const [first, last] = [headers[0]?.timestamp as number, headers.at(-1)?.timestamp as number];
  for (const log of logs) {
    const header = known.get(log.blockNumber);
    if (header !== undefined && header.hash !== log.blockHash) throw new MovedError(`log of block ${log.blockNumber}`);
    const timestamp = header?.timestamp ?? (log.timestamp as number);
    if (timestamp < first || timestamp > last) throw new MovedError(`the time of block ${log.blockNumber}`);
    log.timestamp = timestamp;
  }
  return logs as RawLog[];
};
