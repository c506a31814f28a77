import { type ChangedTable, changedTables, type Row } from '../../db/chainTables.ts';
import { namesOf } from '../../db/table.ts';
import { keyColumns } from './bulk.ts';
import type { Journal } from './journal.ts';
import { KeyMap } from './keyMap.ts';

/** Values of a table's key columns after `eid`, in their order: all rows are of one chain. */
export type Key = readonly unknown[];

/** Where a row is, or would be. */
export interface Place<Name extends ChangedTable> {
  readonly key: Key;
  row: Row<Name> | undefined;
  /** The table does not have it yet. */
  isNew: boolean;
  /** The table does not have its last change yet. */
  isChanged: boolean;
  /** Block of the latest image in the journal: an image is recorded before the first change in each block. */
  imagedAt: number | undefined;
  /** Number of the page that last named it. */
  namedBy: number;
}

/**
 * The rows of one table that events touch, in memory from one page to the next: for each page, first `need` names its rows, then
 * `loaded` brings those that are not here yet, then events change them. What changed stays here until `written`, so that a row that
 * many pages change is written once. Access to a row that was not named is a mistake in `needs` and throws.
 *
 * This is valid only while nothing but pages writes the table, and is thrown away when one of them fails.
 */
export class TableRows<Name extends ChangedTable> {
  readonly table: Name;
  readonly #keyColumns: readonly string[];
  readonly #mostRows: number;
  #byKey = new KeyMap<Place<Name>>();
  #places: Place<Name>[] = [];
  #changed: Place<Name>[] = [];
  #unknown: Key[] = [];
  #page = 0;
  #journal: Journal | undefined;

  /** @param mostRows - That many rows are kept although the last page did not need them. */
  constructor(table: Name, mostRows = 30_000) {
    this.table = table;
    this.#keyColumns = keyColumns(table).slice(1);
    this.#mostRows = mostRows;
  }

  /** Begins a page, whose changes go into this journal. */
  begin(journal: Journal): void {
    this.#journal = journal;
    this.#page += 1;
  }

  /** Naming unneeded or repeated keys is harmless. */
  need(...key: Key): void {
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      known.namedBy = this.#page;
      return;
    }
    const place = { key, row: undefined, isNew: false, isChanged: false, imagedAt: undefined, namedBy: this.#page };
    this.#byKey.set(key, place);
    this.#places.push(place);
    this.#unknown.push(key);
  }

  /** Named keys of which nobody has looked yet whether the table has them. */
  unknown(): readonly Key[] {
    return this.#unknown;
  }

  /** What the table has of the unknown. */
  loaded(rows: readonly Row<Name>[]): void {
    for (const row of rows) this.place(...this.#keyOf(row)).row = row;
    this.#unknown = [];
  }

  /** The current row, read-only; undefined when there is none. Use `change` to write. */
  find(...key: Key): Row<Name> | undefined {
    return this.place(...key).row;
  }

  /** The row, to be changed by an event of `block`; undefined when there is none. */
  change(block: number, ...key: Key): Row<Name> | undefined {
    return this.changeAt(this.place(...key), block);
  }

  add(block: number, row: Row<Name>): Row<Name> {
    return this.addAt(this.place(...this.#keyOf(row)), block, row);
  }

  /** For rows that many events in a row change: `changeAt` and `addAt` need not look it up. It may be used within this page. */
  place(...key: Key): Place<Name> {
    const place = this.#byKey.get(key);
    if (place === undefined) throw new Error(`${this.table} ${key.join(' ')} was not loaded`);
    return place;
  }

  changeAt(place: Place<Name>, block: number): Row<Name> | undefined {
    if (place.row !== undefined) this.#image(place, block);
    return place.row;
  }

  addAt(place: Place<Name>, block: number, row: Row<Name>): Row<Name> {
    if (place.row !== undefined) throw new Error(`${this.table} ${place.key.join(' ')} is there already`);
    this.#image(place, block);
    place.row = row;
    place.isNew = true;
    return row;
  }

  /** Every row with a change that is not written. */
  changed(): Row<Name>[] {
    return this.#changed.map(({ row }) => row as Row<Name>);
  }

  /** The changed rows that are new to the table. */
  added(): Row<Name>[] {
    return this.#changed.filter(({ isNew }) => isNew).map(({ row }) => row as Row<Name>);
  }

  /** The changed rows that the table has. */
  replaced(): Row<Name>[] {
    return this.#changed.filter(({ isNew }) => !isNew).map(({ row }) => row as Row<Name>);
  }

  /** The table has all changes now. When many rows are here, those that the last page did not name are forgotten. */
  written(): void {
    for (const place of this.#changed) {
      place.isNew = false;
      place.isChanged = false;
    }
    this.#changed = [];
    if (this.#places.length <= 2 * this.#mostRows) return;
    // Newest first, which is the order in which the sort leaves those of one page.
    const kept = this.#places.toSorted((a, b) => b.namedBy - a.namedBy);
    this.#places = kept.filter(({ namedBy }, i) => i < this.#mostRows || namedBy === this.#page);
    this.#byKey = new KeyMap();
    for (const place of this.#places) this.#byKey.set(place.key, place);
  }

  #image(place: Place<Name>, block: number): void {
    if (!place.isChanged) {
      place.isChanged = true;
      this.#changed.push(place);
    }
    if (place.imagedAt === block) return;
    place.imagedAt = block;
    const journal = this.#journal as Journal;
    if (!journal.records(block)) return;
    const names = Object.fromEntries(this.#keyColumns.map((column, i) => [column, place.key[i]]));
    journal.record(block, this.table, { eid: journal.eid, ...names }, place.row ?? null);
  }

  #keyOf(row: Row<Name>): Key {
    return this.#keyColumns.map((column) => (row as Record<string, unknown>)[column]);
  }
}

/** Of each table whose rows events change. */
export type Rows = { readonly [Name in ChangedTable]: TableRows<Name> };

export const noRows = (): Rows =>
  Object.fromEntries(namesOf(changedTables).map((name) => [name, new TableRows(name)])) as unknown as Rows;
