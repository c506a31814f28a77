import type { Row } from '../db/tables.ts';
import type { Journal } from './journal.ts';
import type { changedSpecs, TableSpec } from './specs.ts';

type ChangedTable = (typeof changedSpecs)[number]['name'];

/**
 * The rows of one table that a page may touch, held in memory while its events are applied. All keys must have been
 * loaded before: asking for another one is a mistake in `neededKeys`, and throws.
 */
export class ChangedRows<Name extends ChangedTable> {
  readonly #spec: TableSpec<Name>;
  readonly #journal: Journal;
  readonly #rows = new Map<string, Row<Name> | undefined>();
  /** Block of the latest image in the journal, by key: the first change in a block is preceded by one. */
  readonly #imagedAt = new Map<string, number>();

  constructor(spec: TableSpec<Name>, journal: Journal, keys: Iterable<readonly unknown[]>, loaded: Row<Name>[]) {
    this.#spec = spec;
    this.#journal = journal;
    for (const key of keys) this.#rows.set(key.join(' '), undefined);
    for (const row of loaded) this.#rows.set(this.#keyOf(row), row);
  }

  /** The row as it is now; undefined when there is none. Only for reading: what `change` returns may be written. */
  find(...key: readonly unknown[]): Row<Name> | undefined {
    const text = key.join(' ');
    if (!this.#rows.has(text)) throw new Error(`${this.#spec.name} ${text} was not loaded`);
    return this.#rows.get(text);
  }

  /** The existing row, to be changed by an event of `block`. */
  change(block: number, ...key: readonly unknown[]): Row<Name> {
    const row = this.find(...key);
    if (row === undefined) throw new Error(`there is no ${this.#spec.name} ${key.join(' ')}`);
    this.#image(block, row, row);
    return row;
  }

  add(block: number, row: Row<Name>): Row<Name> {
    if (this.find(...this.#spec.key.map((column) => row[column])) !== undefined) {
      throw new Error(`${this.#spec.name} ${this.#keyOf(row)} is there already`);
    }
    this.#image(block, row, null);
    this.#rows.set(this.#keyOf(row), row);
    return row;
  }

  /** Every row that was changed or added. */
  changed(): Row<Name>[] {
    return [...this.#imagedAt.keys()].map((key) => this.#rows.get(key) as Row<Name>);
  }

  #image(block: number, row: Row<Name>, before: Row<Name> | null): void {
    const text = this.#keyOf(row);
    if (this.#imagedAt.get(text) === block) return;
    this.#imagedAt.set(text, block);
    const key = Object.fromEntries(this.#spec.key.map((column) => [column, row[column]]));
    this.#journal.record(block, this.#spec.name, key, before);
  }

  #keyOf(row: Row<Name>): string {
    return this.#spec.key.map((column) => row[column]).join(' ');
  }
}
