import { type ChainType, ofFamilies } from '@mintage/protocol';
import { z } from 'zod';
import { unitOf } from './units.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** One field of an input or answer. */
export interface Field {
  /** As written in the body: `quote.fees[].bps`. */
  name: string;
  type: string;
  required: boolean;
  /** What it counts in; '' where it counts nothing. */
  unit: string;
  description: string;
}

/** Fields of a schema at any depth, an object's before those within it. Members of a union stand together. */
export const fieldsOf = (schema: z.ZodType, io: 'input' | 'output', types: readonly ChainType[]): Field[] => {
  const { $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: ofFamilies(types) });
  const walk = createWalk($defs as Record<string, Schema>);
  return [...walk(json as Schema, '', []).values()];
};

const createWalk = (defs: Readonly<Record<string, Schema>>) => {
  const resolve = (schema: Schema): Schema => {
    const { $ref, ...own } = schema;
    const whole = $ref === undefined ? undefined : defs[nameOf($ref)];
    return whole === undefined ? schema : { ...whole, ...own };
  };

  /** @param within - Named parts around this one: a part that holds itself is shown once. */
  const walk = (given: Schema, prefix: string, within: readonly string[]): Map<string, Field> => {
    const found = new Map<string, Field>();
    const add = (fields: ReadonlyMap<string, Field>): void => {
      for (const [name, field] of fields) if (!found.has(name)) found.set(name, field);
    };
    const around = given.$ref === undefined ? within : [...within, nameOf(given.$ref)];
    if (given.$ref !== undefined && within.includes(nameOf(given.$ref))) return found;
    const schema = resolve(given);
    for (const member of membersOf(schema)) add(walk(member, prefix, around));
    const required = schema.required ?? [];
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      const child = property as Schema;
      // No caller sends it, and no answer has it.
      if (isNever(resolve(child))) continue;
      const name = prefix === '' ? key : `${prefix}.${key}`;
      const field = fieldOf(name, key, child, required.includes(key));
      if (!found.has(name)) found.set(name, field);
      add(walk(child, name, around));
    }
    if (isSchema(schema.items)) add(walk(schema.items, `${prefix}[]`, around));
    if (isSchema(schema.additionalProperties) && typeof resolve(schema.additionalProperties).properties === 'object') {
      add(walk(schema.additionalProperties, `${prefix}.<key>`, around));
    }
    return found;
  };

  const fieldOf = (name: string, key: string, given: Schema, required: boolean): Field => {
    const type = typeOf(given);
    const unit = unitOf(key, type);
    const said = [given, ...membersOf(resolve(given))];
    const own = said.find(({ description }) => description !== undefined);
    // What a type of amounts or times says of itself the column of units has.
    const ofType = unit === '' ? said.map(resolve).find(({ description }) => description !== undefined) : undefined;
    return { name, type, required, unit, description: (own ?? ofType)?.description ?? '' };
  };

  const hasFields = (schema: Schema): boolean =>
    schema.properties !== undefined || membersOf(schema).some((member) => hasFields(resolve(member)));

  /** The type in words: `string`, `"buy" or "sell"`, `list of FeeLine`. */
  const typeOf = (given: Schema): string => {
    const schema = resolve(given);
    const members = membersOf(schema);
    if (given.$ref !== undefined && !hasFields(schema)) return nameOf(given.$ref);
    if (members.length > 0) return [...new Set(members.map(typeOf))].join(' or ');
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return enumOf(schema.enum);
    if (schema.type === 'array') return `list of ${isSchema(schema.items) ? typeOf(schema.items) : 'anything'}`;
    // `string` and `null` stand in one list.
    return [schema.type ?? 'anything'].flat().join(' or ');
  };

  return walk;
};

const nameOf = (ref: string): string => ref.replace('#/$defs/', '');

const membersOf = ({ anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] => [...anyOf, ...oneOf, ...allOf];

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

const isNever = ({ not }: Schema): boolean => isSchema(not) && Object.keys(not).length === 0;

/** More words than these are a list of their own; the description or the type's page has them. */
const mostWords = 10;

const enumOf = (words: readonly unknown[]): string =>
  words.length > mostWords ? `one of ${words.length} words` : words.map((word) => JSON.stringify(word)).join(' or ');
