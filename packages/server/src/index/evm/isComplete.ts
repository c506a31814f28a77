import { inOrder, type RawLog } from '../events/evm/log.ts';
import { FinalityError } from '../sync/FinalityError.ts';
import { MovedError } from '../sync/MovedError.ts';
import { type AddressBook, withFound } from './addressBook.ts';
import { sameLogs } from './agreedSource.ts';
import { type Continuity, merged } from './continuity.ts';
import { foundIn } from './decode.ts';
import type { EvmHeader } from './header.ts';
import { blocksWithout, livePage, logsOfBlocks, type ReadPage, range, readHeaders, requireLinked } from './readPage.ts';
import type { ChainSource } from './source.ts';

/** Headers are read for pages with at least this many logs per block: there they cost little compared to the logs. */
const blocksPerLog = 1 / 4;

/**
 * Whether a page read by a log filter contains all our logs, as far as can be checked without reading every block: each
 * block whose logs are inconsistent, or whose header's bloom shows more than the logs, is read whole.
 *
 * @throws FinalityError when the missing log belongs to a block before the page.
 */
export const isComplete = async (
  source: ChainSource,
  book: AddressBook,
  page: ReadPage,
  continuity: Continuity,
): Promise<boolean> => {
  const blocks = page.to.number - page.from + 1;
  const isDense = blocks <= Math.max(livePage, page.logs.length * blocksPerLog);
  const headers = isDense ? await readAll(source, page.from, page.to.number) : [];
  requireLinked(headers);
  if (isDense && headers.at(-1)?.hash !== page.to.hash) throw new MovedError(`block ${page.to.number}`);
  const known = withFound(book, foundIn(page.logs, book));
  const lacking = blocksWithout(headers, page.logs, known);
  const gaps = merged([
    ...continuity.gaps(page.logs, known.pools),
    ...lacking.map((number) => ({ from: number, to: number })),
  ]);
  for (const gap of gaps) {
    const from = Math.max(gap.from, page.from);
    if (!(await isAsRead(source, known, page.logs, from, gap.to))) return false;
    if (gap.from < page.from) throw new FinalityError(gap.from, 'the tables lack a log of a block from');
  }
  return true;
};

const readAll = async (source: ChainSource, from: number, to: number): Promise<EvmHeader[]> => {
  const headers: EvmHeader[] = [];
  for (let first = from; first <= to; first += livePage) {
    headers.push(...(await readHeaders(source, range(first, Math.min(first + livePage - 1, to)))));
  }
  return headers;
};

/** Compares the page with whole blocks. */
const isAsRead = async (
  source: ChainSource,
  book: AddressBook,
  logs: readonly RawLog[],
  from: number,
  to: number,
): Promise<boolean> => {
  for (let first = from; first <= to; first += livePage) {
    const last = Math.min(first + livePage - 1, to);
    const truth = inOrder(await logsOfBlocks(source, book, await readHeaders(source, range(first, last))));
    const said = logs.filter(({ blockNumber }) => blockNumber >= first && blockNumber <= last);
    if (!sameLogs(truth, said)) return false;
  }
  return true;
};
