import { chains } from '@mintage/protocol';
import type { StreamFilter } from '@mintage/protocol/operations';
import { type RawBuilder, sql } from 'kysely';
import type { StreamEvent } from './reader.ts';

type FieldName = Exclude<keyof StreamFilter, 'topic'>;

/** The value of an event that a filter names: a column of `stream_event`, or a key of its `data`. */
type Field = { column: 'platform_id' | 'wallet' } | { key: string };

const fields: Record<FieldName, Field> = {
  tokenIds: { column: 'platform_id' },
  wallets: { column: 'wallet' },
  chains: { key: 'chain' },
  activityTypes: { key: 'activity_type' },
  activitySubtypes: { key: 'activity_subtype' },
  currencies: { key: 'currency' },
  activityIds: { key: 'activity_id' },
  distributionTypes: { key: 'distribution_type' },
};
const names = Object.keys(fields) as FieldName[];

export type Matches = (event: Pick<StreamEvent, 'topic' | 'platform_id' | 'wallet' | 'data'>) => boolean;

/** Whether an event is wanted: of every field that the filter has, it has to name the event's value. */
export const matcherOf = (filter: StreamFilter): Matches => {
  const checks = names.flatMap((name): Matches[] => {
    const wanted = filter[name];
    if (wanted === undefined) return [];
    const [field, values] = [fields[name], new Set<unknown>(wanted)];
    return ['column' in field ? (event) => values.has(event[field.column]) : ({ data }) => values.has(data[field.key])];
  });
  return (event) => event.topic === filter.topic && checks.every((one) => one(event));
};

/** The same in SQL, of an event `e` of the filter's topic and a filter that is stored as jsonb. */
export const isWanted = (filter: RawBuilder<unknown>): RawBuilder<boolean> => {
  const checks = names.map((name) => {
    const wanted = sql`${filter}->${sql.lit(name)}`;
    return sql`(${wanted} is null or ${wanted} @> ${valueOf(fields[name])})`;
  });
  return sql`(${sql.join(checks, sql` and `)})`;
};

const valueOf = (field: Field) =>
  'column' in field ? sql`to_jsonb(${sql.ref(`e.${field.column}`)})` : sql`(e.data->${sql.lit(field.key)})`;

/**
 * A part of `isWanted` of a given filter, by what has an index, for pages of bounded work: what it leaves over is for
 * `matcherOf`. A chain's slug stands in an event's data, its key in the row.
 */
export const isNearlyWanted = ({ tokenIds, wallets, chains: slugs }: StreamFilter): RawBuilder<boolean> => {
  const checks = [
    tokenIds && isAmong('e.platform_id', tokenIds),
    wallets && isAmong('e.wallet', wallets),
    slugs && sql`e.eid = any(${slugs.map(eidOf)}::bigint[])`,
  ].filter((check) => check !== undefined);
  return sql`(${sql.join([sql`true`, ...checks], sql` and `)})`;
};

/** A single value by equality: only then is the index read in the order of `seq` and left at the end of the page. */
const isAmong = (column: string, values: readonly string[]) =>
  values.length === 1 ? sql`${sql.ref(column)} = ${values[0]}` : sql`${sql.ref(column)} = any(${values}::text[])`;

/** A slug that is none matches nothing. */
const eidOf = (slug: string): number => chains.find((chain) => chain.slug === slug)?.eid ?? -1;
