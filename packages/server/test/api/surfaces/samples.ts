import type { z } from 'zod';

/** Values for any input schema, found by trying: a new field gets one without a word here. */

type Fields = Record<string, unknown>;

// oxlint-disable-next-line typescript/no-explicit-any -- the insides of a schema of any kind
export const defOf = (schema: z.ZodType): any => schema.def;

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Tried in this order where a schema is neither an object nor a list. */
export const values: readonly unknown[] = [
  `0x${'5a'.repeat(20)}`,
  '00000000-0000-4000-8000-0000000000aa',
  'base-sepolia',
  png,
  '1',
  'AAAA',
  'text',
  1,
  100,
  false,
  `0x${'5a'.repeat(65)}`,
  `0x${'5a'.repeat(32)}`,
  '2031-01-01T00:00:00Z',
  'https://a.example',
  'sample2030',
  'sampleOf2030char',
  'web3',
  'sample.png',
  'sample.svg',
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  'BTBZMqHH6r4Tts7J_aSIgg',
];

/** What is inside optional, default, nullable and piped schemas. */
export const bare = (schema: z.ZodType): z.ZodType => {
  const def = defOf(schema);
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'nullable':
    case 'readonly':
    case 'catch':
      return bare(def.innerType);
    case 'pipe':
      return defOf(def.in).type === 'transform' ? bare(def.out) : bare(def.in);
    default:
      return schema;
  }
};

export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/**
 * A value that the schema takes: of an object only the keys that it needs.
 *
 * @param path - For the error.
 * @throws Error when no value is known: `values` needs one more.
 */
export const sampleOf = (schema: z.ZodType, path = 'input'): unknown => {
  const def = defOf(bare(schema));
  if (def.type === 'object') {
    const shape = def.shape as Record<string, z.ZodType>;
    const needed = Object.entries(shape).filter(([, field]) => !isOptional(field));
    return Object.fromEntries(needed.map(([key, field]) => [key, sampleOf(field, `${path}.${key}`)]));
  }
  if (def.type === 'array') return [sampleOf(def.element, `${path}[0]`)];
  if (def.type === 'literal') return def.values[0];
  if (def.type === 'union' && objectsOf(schema).length > 0) return sampleOf(def.options[0], path);
  const some = def.type === 'enum' ? [...values, ...Object.values(def.entries)] : values;
  const fitting = some.find((value) => schema.safeParse(value).success);
  if (fitting === undefined) throw new Error(`No sample is known for ${path}; add one to the list.`);
  return fitting;
};

/** A field that holds no fields of its own. */
export interface Leaf {
  /** Keys from the top; a number is a place in a list. */
  path: readonly (string | number)[];
  schema: z.ZodType;
  /** Of the branches of a union above it the one that has the field; the rest of the value is to be a sample of it. */
  base: unknown;
}

/** Every field at any depth, required or not, in every branch. */
export const leavesOf = (schema: z.ZodType): Leaf[] => {
  const inner = bare(schema);
  const def = defOf(inner);
  const branches = objectsOf(schema);
  if (branches.length > 0) return branches.flatMap(leavesOf);
  if (def.type === 'object') {
    const base = sampleOf(schema) as Fields;
    return Object.entries(def.shape as Record<string, z.ZodType>)
      .filter(([, field]) => defOf(bare(field)).type !== 'never')
      .flatMap(([key, field]) =>
        leavesOf(field).map((leaf) => ({
          path: [key, ...leaf.path],
          schema: leaf.schema,
          base: leaf.path.length === 0 ? base : { ...base, [key]: leaf.base },
        })),
      );
  }
  if (def.type === 'array') {
    return leavesOf(def.element).map((leaf) => ({ path: [0, ...leaf.path], schema: leaf.schema, base: [leaf.base] }));
  }
  return [{ path: [], schema: inner, base: undefined }];
};

/** The branches of a union of objects. */
const objectsOf = (schema: z.ZodType): z.ZodType[] => {
  const def = defOf(bare(schema));
  if (def.type !== 'union') return [];
  const options = def.options as z.ZodType[];
  return options.every((option) => defOf(bare(option)).type === 'object') ? options : [];
};

/** The leaf's base with this value in its place. */
export const filled = ({ path, base }: Leaf, value: unknown): Fields => put(base, path, value) as Fields;

const put = (base: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown => {
  if (key === undefined) return value;
  if (typeof key === 'number') return [put((base as unknown[] | undefined)?.[key], rest, value)];
  const fields = (base ?? {}) as Fields;
  return { ...fields, [key]: put(fields[key], rest, value) };
};
