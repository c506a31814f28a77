/**
 * Chooses how many blocks the next page of a backfill has: as many as hold a few thousand logs, and no more than the
 * provider serves.
 */
export class Span {
  #blocks = 100;
  /** Number of blocks that was refused; tried again only after many pages, because most limits count logs. */
  #refused = Number.POSITIVE_INFINITY;
  #servedSince = 0;

  get blocks(): number {
    return this.#blocks;
  }

  /** Records that a page of `blocks` held this many logs. */
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

/** Target number of logs per page: reading is fastest at 1,000 to 10,000, and a small page takes little memory. */
const logsWanted = 2_500;
const longest = 50_000;
const pagesToForget = 100;
