import type { Eid } from '@mintage/protocol';
import type { Row } from '../../db/chainTables.ts';

/**
 * Undo information per block: the previous image of every row that the block changed. Final blocks are not journalled.
 */
export class Journal {
  readonly rows: Row<'journal'>[] = [];
  readonly eid: Eid;
  readonly #from: number;

  /** @param from - First block that may still be reorganised. */
  constructor(eid: Eid, from: number) {
    this.eid = eid;
    this.#from = from;
  }

  records(block: number): boolean {
    return block >= this.#from;
  }

  /** @param before - The row before the block's first change to it; null when there was none. */
  record(block: number, table: string, key: object, before: object | null): void {
    if (!this.records(block)) return;
    this.rows.push({
      eid: this.eid,
      block_number: block,
      seq: this.rows.length,
      table_name: table,
      key: JSON.stringify(key),
      before: before === null ? null : JSON.stringify(before, digits),
    });
  }
}

/** bigint as decimal digits, so that no amount passes through a floating point number. */
const digits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
