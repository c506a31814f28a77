import { chains } from '@mintage/protocol';
import type { StreamFilter } from '@mintage/protocol/operations';
import { type RawBuilder, sql } from 'kysely';
import type { StreamEvent } from './streamEvent.ts';

type FieldName = Exclude<keyof StreamFilter, 'topic'>;

/** The value of an event that a filter names: a column of `stream_event`, or a key of its `data`, which may hold several values. */
type Field = { column: 'platform_id' | 'wallet' | 'user_id' } | { key: string; isList?: true };

const fields: Record<FieldName, Field> = {
  tokenIds: { column: 'platform_id' },
  wallets: { column: 'wallet' },
  chains: { key: 'chain' },
  activityTypes: { key: 'activity_type' },
  activitySubtypes: { key: 'activity_subtype' },
  currencies: { key: 'currency' },
  activityIds: { key: 'activity_id' },
  distributionTypes: { key: 'distribution_type' },
  authorIds: { key: 'author_id' },
  parentIds: { key: 'parent_id' },
  postIds: { key: 'target_id' },
  hashtags: { key: 'hashtags', isList: true },
  userIds: { column: 'user_id' },
};
const names = Object.keys(fields) as FieldName[];

export type Matches = (event: Pick<StreamEvent, 'topic' | 'platform_id' | 'wallet' | 'user_id' | 'data'>) => boolean;

/** Whether an event is wanted: of every field that the filter has, it has to name the event's value. */
export const matcherOf = (filter: StreamFilter): Matches => {
  const checks = names.flatMap((name): Matches[] => {
    const wanted = filter[name];
    if (wanted === undefined) return [];
    const [field, values] = [fields[name], new Set<unknown>(wanted)];
    if ('column' in field) return [(event) => values.has(event[field.column])];
    if (field.isList) return [({ data }) => listIn(data[field.key]).some((value) => values.has(value))];
    return [({ data }) => values.has(data[field.key])];
  });
  return (event) => event.topic === filter.topic && checks.every((one) => one(event));
};

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The same in SQL, of an event `e` of the filter's topic and a filter that is stored as jsonb. */
export const isWanted = (filter: RawBuilder<unknown>): RawBuilder<boolean> => {
  const checks = names.map((name) => {
    const wanted = sql`${filter}->${sql.lit(name)}`;
    return sql`(${wanted} is null or ${hasValueOf(fields[name], wanted)})`;
  });
  return sql`(${sql.join(checks, sql` and `)})`;
};

const hasValueOf = (field: Field, wanted: RawBuilder<unknown>): RawBuilder<boolean> => {
  if ('column' in field) return sql`${wanted} @> to_jsonb(${sql.ref(`e.${field.column}`)})`;
  const value = sql`(e.data->${sql.lit(field.key)})`;
  if (!field.isList) return sql`${wanted} @> ${value}`;
  return sql`exists (select from jsonb_array_elements(
    case when jsonb_typeof(${value}) = 'array' then ${value} else '[]' end) one where ${wanted} @> one.value)`;
};

/**
 * A part of `isWanted` of a given filter, by what has an index, for pages of bounded work: what it leaves over is for
 * `matcherOf`. A chain's slug stands in an event's data, its key in the row.
 */
export const isNearlyWanted = ({ tokenIds, wallets, userIds, chains: slugs }: StreamFilter): RawBuilder<boolean> => {
  const checks = [
    tokenIds && isAmong('e.platform_id', tokenIds),
    wallets && isAmong('e.wallet', wallets),
    userIds && sql`e.user_id = any(${userIds}::uuid[])`,
    slugs && sql`e.eid = any(${slugs.map(eidOf)}::bigint[])`,
  ].filter((check) => check !== undefined);
  return sql`(${sql.join([sql`true`, ...checks], sql` and `)})`;
};

/** A single value by equality: only then is the index read in the order of `seq` and left at the end of the page. */
const isAmong = (column: string, values: readonly string[]) =>
  values.length === 1 ? sql`${sql.ref(column)} = ${values[0]}` : sql`${sql.ref(column)} = any(${values}::text[])`;

/** A slug that is none matches nothing. */
const eidOf = (slug: string): number => chains.find((chain) => chain.slug === slug)?.eid ?? -1;
