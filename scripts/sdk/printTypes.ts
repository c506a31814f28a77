import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;
type Named = Readonly<Record<string, Schema>>;

/**
 * JSON Schemas as TypeScript: an interface of every object, a type of everything else, with descriptions as comments. Keys that
 * an answer may have beyond the known ones are left out, so that a misspelt one is an error. A type that is another one with more keys
 * optional is said by it.
 *
 * @param named - Schemas by the name of their type; a `$ref` names one of them.
 * @param isInput - Of a type that callers make: its lists are readonly.
 * @throws Error at a keyword that it does not know: a type must not say less than its schema unseen.
 */
export const printTypes = (named: Named, isInput: (name: string) => boolean): string =>
  Object.entries(named)
    .map(([name, schema], index, all) => {
      const whole = all
        .slice(0, index)
        .find(([other, its]) => isInput(other) === isInput(name) && isLooser(schema, its));
      if (whole !== undefined) return `${comment(schema, '')}export ${looser(name, schema, whole)}\n`;
      const type = typeOf(schema, { indent: '', list: isInput(name) ? 'readonly ' : '' });
      const declared = schema.properties === undefined ? `type ${name} = ${type};` : `interface ${name} ${type}`;
      return `${comment(schema, '')}export ${declared}\n`;
    })
    .join('\n');

/** Whether it has the fields of the other one, and fewer of them in any case. */
const isLooser = (schema: Schema, whole: Schema): boolean => {
  const { required = [] } = whole;
  const isSame = schema.properties !== undefined && isDeepStrictEqual(schema.properties, whole.properties);
  return isSame && optionalIn(schema).some((name) => required.includes(name)) && isSubset(schema.required, required);
};

const isSubset = (some: readonly string[] = [], all: readonly string[]): boolean =>
  some.every((name) => all.includes(name));

const optionalIn = ({ properties = {}, required = [] }: Schema): string[] =>
  Object.keys(properties).filter((name) => !required.includes(name));

const looser = (name: string, schema: Schema, [whole]: readonly [string, Schema]): string => {
  const optional = optionalIn(schema).map((field) => `'${field}'`);
  return `type ${name} = Omit<${whole}, Optional${name}> & Partial<Pick<${whole}, Optional${name}>>;

type Optional${name} =
${optional.map((field) => `  | ${field}`).join('\n')};`;
};

interface Place {
  /** Of the line that the type begins on. */
  indent: string;
  /** What stands before a list. */
  list: string;
}

/** Keywords that a type cannot say. */
const unchecked =
  'description default format pattern id $schema $defs propertyNames discriminator minLength maxLength ' +
  'minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems';
const typed = '$ref const enum anyOf oneOf not type items properties required additionalProperties';
const known = new Set(`${unchecked} ${typed}`.split(' '));

const typeOf = (schema: Schema, place: Place): string => {
  const unknown = Object.keys(schema).filter((key) => !known.has(key));
  if (unknown.length > 0) throw new Error(`the keyword ${unknown.join(', ')} has no type`);
  if (schema.$ref !== undefined) return schema.$ref.replace('#/$defs/', '');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map((option) => typeOf(option as Schema, place)))].join(' | ');
  if (schema.not !== undefined) return 'never';
  if (schema.type === 'array') return `${place.list}${grouped(typeOf(schema.items as Schema, place))}[]`;
  if (schema.type === 'object') return object(schema, place);
  if (schema.type === undefined) return 'unknown';
  const types = [schema.type].flat().map((type) => (type === 'integer' ? 'number' : type));
  return types.join(' | ');
};

const object = ({ properties, required = [], additionalProperties }: Schema, { indent, list }: Place): string => {
  const inner = `${indent}  `;
  const within = { indent: inner, list };
  if (properties === undefined) return `{ [key: string]: ${typeOf(additionalProperties as Schema, within)} }`;
  const fields = Object.entries(properties as Named).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(property, inner)}${inner}${key(name)}${mark}: ${typeOf(property, within)};\n`;
  });
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
};

const grouped = (type: string): string => (type.includes(' | ') || type.includes(' & ') ? `(${type})` : type);
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

const comment = ({ description }: Schema, indent: string): string =>
  description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`;
