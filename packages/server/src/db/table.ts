import type { Address, Eid, Hash } from '@mintage/protocol';
import type { ColumnType } from 'kysely';

/**
 * One declaration a table: from it follow the types of its rows, how they are copied in bulk, what of them an undo keeps and
 * that they go when their chain is forgotten. The table itself is made by a file in `migrations/`.
 */
export interface Table<Columns extends Record<string, Column> = Record<string, Column>> {
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
  readonly columns: Columns;
}

/** A column whose rows hold a `Value`, to which an insert gives a `Given` and an update a `Set`. */
export interface Column<Value = unknown, Given = unknown, Set = unknown> {
  /** In PostgreSQL, as arrays in bulk statements name it. */
  readonly type: SqlType;
  /** Never changes, so that a change of the row need not send it. */
  readonly isConstant: boolean;
  /** What the column stands for; there is never such a value. */
  readonly types?: { value: Value; given: Given; set: Set };
}

export type SqlType =
  | ('int2' | 'int4' | 'int8' | 'float8' | 'numeric' | 'bool' | 'text' | 'uuid' | 'date' | 'timestamptz' | 'jsonb')
  | ('_int8' | '_text');

/** @param key - Columns of the primary key, `eid` first. */
export const table = <const Columns extends Record<string, Column>>(
  key: readonly (keyof Columns & string)[],
  columns: Columns,
): Table<Columns> => ({ key, columns });

const column = <Value>(type: SqlType): Column<Value, Value, Value> => ({ type, isConstant: false });

/** Ids, block numbers and counts, which stay below 2^53. */
export const int8 = column<number>('int8');
export const int2 = column<number>('int2');
export const int4 = column<number>('int4');
/** LayerZero endpoint id of a chain: every chain has one, whatever its family. */
export const eid = column<Eid>('int8');
export const eids = column<Eid[]>('_int8');
export const float8 = column<number>('float8');
export const bool = column<boolean>('bool');
/** Base units, or USD with 18 fraction digits where the name says so. */
export const amount = column<bigint>('numeric');
export const text = column<string>('text');
export const texts = column<string[]>('_text');
export const uuid = column<string>('uuid');
/** A day in UTC, `2026-01-31`. */
export const date = column<string>('date');
export const time = column<Date>('timestamptz');
/** In the one printed form of its chain's family. */
export const address = column<Address>('text');
/** Of a block, a transaction or a pool, as its chain's family prints it. */
export const hash = column<Hash>('text');
/** Bytes that every family has alike: lower-case hex with 0x. */
export const hex = column<`0x${string}`>('text');
/** One of some words. */
export const oneOf = <Word extends string>(): Column<Word, Word, Word> => column('text');
export const json = <Value>(): Column<Value, Value, Value> => column('jsonb');
/** jsonb that is written as text and read as a value. */
export const jsonText = <Value>(): Column<Value, string, string> => ({ type: 'jsonb', isConstant: false });

export const orNull = <Value, Given, Set>(
  one: Column<Value, Given, Set>,
): Column<Value | null, Given | null, Set | null> => one;

/** An insert may leave it out. */
export const withDefault = <Value, Given, Set>(one: Column<Value, Given, Set>): Column<Value, Given | undefined, Set> =>
  one;

/** Written by the insert and never changed. */
export const constant = <Value, Given>({ type }: Column<Value, Given>): Column<Value, Given, never> => ({
  type,
  isConstant: true,
});

/** Written by the database alone. */
export const generated = <Value>({ type }: Column<Value>): Column<Value, never, never> => ({ type, isConstant: true });

/** The tables as the query builder knows them. */
export type TablesOf<Tables extends Record<string, Table>> = {
  [Name in keyof Tables]: {
    [Of in keyof Tables[Name]['columns']]: TypesOf<Tables[Name]['columns'][Of]>;
  };
};

type TypesOf<One> = One extends Column<infer Value, infer Given, infer Set> ? ColumnType<Value, Given, Set> : never;

type NameOfAChain<Tables extends Record<string, Table>> = {
  [Name in keyof Tables & string]: 'eid' extends keyof Tables[Name]['columns'] ? Name : never;
}[keyof Tables & string];

/**
 * Names of the tables whose rows belong to one chain, in the order in which they can be deleted: a table is declared after
 * those that its rows refer to.
 */
export const tablesOfAChain = <Tables extends Record<string, Table>>(tables: Tables): NameOfAChain<Tables>[] =>
  namesOf<keyof Tables & string>(tables)
    .filter((name): name is NameOfAChain<Tables> => 'eid' in (tables[name]?.columns ?? {}))
    .toReversed();

export const namesOf = <Name extends string>(tables: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(tables) as Name[];
