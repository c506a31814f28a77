/** How many blocks the next page of a backfill has: as many as hold a few thousand logs, and no more than the provider serves. */
export class Span {
  #blocks = 100;
  /** A number of blocks that was refused; tried again only after many pages, because most limits count logs. */
  #refused = Number.POSITIVE_INFINITY;
  #servedSince = 0;

  get blocks(): number {
    return this.#blocks;
  }

  /** A page of `blocks` held so many logs. */
  served(blocks: number, logs: number): void {
    this.#servedSince += 1;
    if (this.#servedSince >= pagesToForget) this.#refused = Number.POSITIVE_INFINITY;
    const wanted = Math.round((blocks * logsWanted) / Math.max(1, logs));
    const most = Math.min(this.#blocks * 4, longest, this.#refused - 1);
    this.#blocks = Math.max(1, Math.min(wanted, most));
  }

  /** @returns False when a single block was refused. */
  refused(blocks: number): boolean {
    this.#servedSince = 0;
    this.#refused = blocks;
    this.#blocks = Math.ceil(blocks / 2);
    return blocks > 1;
  }
}

/** The reading is fastest from 1,000 to 10,000 logs a page; the writing likes more, because rows change once a page. */
const logsWanted = 10_000;
const longest = 50_000;
const pagesToForget = 100;
