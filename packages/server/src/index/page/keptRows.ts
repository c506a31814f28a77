import type { ChangedTable, Row } from '../../db/chainTables.ts';
import type { ChangedRows, Key } from './changedRows.ts';
import { KeyMap } from './keyMap.ts';

/**
 * Caches rows of earlier pages, so that the next page need not select what was just written. The cache is valid only
 * while nothing but pages writes the tables, and only after a page is committed.
 *
 * Keeps at most two generations of rows: when the newer one is full it becomes the older one, and rows of the previous
 * older one that no page has used since are dropped.
 */
export class KeptRows {
  readonly #mostRows: number;
  #newer = new Generation();
  #older = new Generation();

  /** @param mostRows - Most rows of one generation; a single page may exceed it. */
  constructor(mostRows = 30_000) {
    this.#mostRows = mostRows;
  }

  find<Name extends ChangedTable>(table: Name, key: Key): Row<Name> | undefined {
    return (this.#newer.of(table).get(key) ?? this.#older.of(table).get(key)) as Row<Name> | undefined;
  }

  /** Keeps what a page read and wrote. */
  keep<Name extends ChangedTable>(rows: ChangedRows<Name>): void {
    if (this.#newer.size >= this.#mostRows) {
      this.#older = this.#newer;
      this.#newer = new Generation();
    }
    for (const key of rows.needed()) {
      const row = rows.find(...key);
      if (row !== undefined) this.#newer.set(rows.table, key, row);
    }
  }
}

class Generation {
  size = 0;
  readonly #tables = new Map<ChangedTable, KeyMap<object>>();

  of(table: ChangedTable): KeyMap<object> {
    const known = this.#tables.get(table);
    if (known !== undefined) return known;
    const rows = new KeyMap<object>();
    this.#tables.set(table, rows);
    return rows;
  }

  set(table: ChangedTable, key: Key, row: object): void {
    const rows = this.of(table);
    if (rows.get(key) === undefined) this.size += 1;
    rows.set(key, row);
  }
}
