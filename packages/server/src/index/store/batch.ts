import type { Address, Hash } from '@mintage/protocol';
import { type Row, type WrittenOnceTable, writtenOnceTables } from '../../db/chainTables.ts';
import type { News } from '../../db/outbox.ts';
import { namesOf } from '../../db/table.ts';
import { copyText } from '../page/bulk.ts';
import type { Page } from '../page/page.ts';
import type { BlockChange, Header } from '../sync/changes.ts';

/** Undo information of blocks up to `number` goes; of the blocks themselves `oldest` stays. */
export interface Finalized {
  number: number;
  oldest: number;
}

/**
 * Pages that were folded one after another and wait to be written in one transaction. Rows that are written once wait as the text
 * that is copied: as objects they would take several times the memory. Rows that change wait in `TableRows`.
 */
export class Batch {
  /** Newest block in the tables. */
  readonly from: { readonly number: number; readonly hash: Hash | null };
  readonly #copied = new Map<WrittenOnceTable, Buffer[]>();
  readonly headers: Header[] = [];
  readonly journal: Row<'journal'>[] = [];
  readonly news: News[] = [];
  readonly created: Address[] = [];
  /** Who sent something, by token. */
  readonly senders = new Map<Address, Set<Address>>();
  /** Time of the first event; null: there is none. */
  since: Date | null = null;
  /** Whether a token of another chain becomes known here. */
  registers = false;
  /** Undo information that is no longer needed, once this is written. */
  finalized: Finalized | undefined;
  /** The newest page. */
  last: BlockChange;
  #events = 0;
  readonly #startedAt = performance.now();

  /** @param first - The first page that will be added. */
  constructor({ number, hash }: Batch['from'], first: BlockChange) {
    this.from = { number, hash };
    this.last = first;
  }

  add(page: Page, change: BlockChange, news: readonly News[]): void {
    const { events, headers } = change;
    this.last = change;
    for (const name of namesOf(writtenOnceTables)) {
      if (page.written[name].length === 0) continue;
      const texts = this.#copied.get(name) ?? [];
      texts.push(Buffer.from(copyText(name, page.written[name])));
      this.#copied.set(name, texts);
    }
    this.headers.push(...headers);
    this.journal.push(...page.journal.rows);
    this.news.push(...news);
    for (const event of events) {
      if (event.name === 'TokenCreated') this.created.push(event.token);
      if (event.name === 'TokenRegistered') this.registers = true;
    }
    this.since ??= events[0]?.at.time ?? null;
    for (const { token, sender } of page.written.transfer) this.#sent(token, sender);
    this.#events += events.length;
  }

  #sent(token: Address, sender: Address): void {
    const senders = this.senders.get(token) ?? new Set();
    this.senders.set(token, senders.add(sender));
  }

  copied(): Iterable<[WrittenOnceTable, readonly Buffer[]]> {
    return this.#copied;
  }

  /** Whether it is time to write: waiting longer would save little, hold memory, and leave readers behind. */
  isFull({ longestMs }: { longestMs: number }): boolean {
    return this.#events >= mostEvents || performance.now() - this.#startedAt >= longestMs;
  }
}

const mostEvents = 30_000;
