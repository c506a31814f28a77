import type { ChangedTable, Row } from '../../db/chainTables.ts';
import { keyColumns } from './bulk.ts';
import type { Journal } from './journal.ts';
import { KeyMap } from './keyMap.ts';

/** Values of a table's key columns, in their order. */
export type Key = readonly unknown[];

interface Place<Name extends ChangedTable> {
  key: Key;
  row: Row<Name> | undefined;
  isNew: boolean;
  /** Block of the latest image in the journal: an image is recorded before the first change in each block. */
  imagedAt: number | undefined;
}

/**
 * The rows of one table that a page may touch, in memory while its events are applied: first `need` names them, then
 * `fill` loads the ones that exist, then events change them. Access to a row that was not named is a mistake in `needs`
 * and throws.
 */
export class ChangedRows<Name extends ChangedTable> {
  readonly table: Name;
  readonly #journal: Journal;
  readonly #places = new KeyMap<Place<Name>>();
  readonly #needed: Key[] = [];
  readonly #touched: Place<Name>[] = [];

  constructor(table: Name, journal: Journal) {
    this.table = table;
    this.#journal = journal;
  }

  /** Naming unneeded or repeated keys is harmless. */
  need(...key: Key): void {
    if (this.#places.get(key) !== undefined) return;
    this.#places.set(key, { key, row: undefined, isNew: false, imagedAt: undefined });
    this.#needed.push(key);
  }

  needed(): readonly Key[] {
    return this.#needed;
  }

  fill(rows: readonly Row<Name>[]): void {
    for (const row of rows) this.#place(this.#keyOf(row)).row = row;
  }

  /** The current row, read-only; undefined when there is none. Use `change` to write. */
  find(...key: Key): Row<Name> | undefined {
    return this.#place(key).row;
  }

  /** The row, to be changed by an event of `block`; undefined when there is none. */
  change(block: number, ...key: Key): Row<Name> | undefined {
    const place = this.#place(key);
    if (place.row !== undefined) this.#image(block, place);
    return place.row;
  }

  add(block: number, row: Row<Name>): Row<Name> {
    const place = this.#place(this.#keyOf(row));
    if (place.row !== undefined) throw new Error(`${this.table} ${place.key.join(' ')} is there already`);
    this.#image(block, place);
    place.row = row;
    place.isNew = true;
    return row;
  }

  /** Every row that was changed or added. */
  changed(): Row<Name>[] {
    return this.#touched.map(({ row }) => row as Row<Name>);
  }

  /** The changed rows that are new to the table. */
  added(): Row<Name>[] {
    return this.#touched.filter(({ isNew }) => isNew).map(({ row }) => row as Row<Name>);
  }

  /** The changed rows that already exist in the table. */
  replaced(): Row<Name>[] {
    return this.#touched.filter(({ isNew }) => !isNew).map(({ row }) => row as Row<Name>);
  }

  #place(key: Key): Place<Name> {
    const place = this.#places.get(key);
    if (place === undefined) throw new Error(`${this.table} ${key.join(' ')} was not loaded`);
    return place;
  }

  #image(block: number, place: Place<Name>): void {
    if (place.imagedAt === block) return;
    if (place.imagedAt === undefined) this.#touched.push(place);
    place.imagedAt = block;
    if (!this.#journal.records(block)) return;
    const key = Object.fromEntries(keyColumns(this.table).map((column, i) => [column, place.key[i]]));
    this.#journal.record(block, this.table, key, place.row ?? null);
  }

  #keyOf(row: Row<Name>): Key {
    return keyColumns(this.table).map((column) => row[column]);
  }
}
