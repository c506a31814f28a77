import type { Json, ToolSchema } from './toolSchema.ts';
import { visible } from './visible.ts';

/**
 * Which texts of an answer a stranger may have written, by its schema: every text that is not an enumeration, an address
 * or a number. A new field is untrusted until its schema says otherwise.
 */
export interface Untrusted {
  /** The fields in words: `tokens[].name`. */
  paths: readonly string[];
  /** The same answer with those texts visible and fenced, for people and models to read. */
  fenced(answer: unknown): unknown;
}

type Fence = (value: unknown) => unknown;

export const untrustedIn = (schema: ToolSchema): Untrusted => {
  const paths: string[] = [];
  const fenced = fenceOf(schema, '', paths);
  return { paths: [...new Set(paths)], fenced };
};

const fence = (text: string): string => (text === '' ? '' : `<untrusted>${visible(text)}</untrusted>`);

/** For what no schema describes: every text, however deep. */
const fenceAll: Fence = (value) => {
  if (typeof value === 'string') return fence(value);
  if (Array.isArray(value)) return value.map(fenceAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [visible(key), fenceAll(item)]));
};

const fenceOf = (schema: Json, path: string, paths: string[]): Fence => {
  const branches = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Json[] | undefined;
  if (branches !== undefined) {
    const found: string[] = [];
    for (const branch of branches) fenceOf(branch, path, found);
    // What one of several forms leaves open is open in all of them.
    if (found.length === 0) return (value) => value;
    const whole = branches.filter((branch) => branch.type !== 'null');
    if (whole.length === 1) return orNull(fenceOf(whole[0] as Json, path, paths));
    paths.push(...found);
    return fenceAll;
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return orNull(fenceOf({ ...schema, type: types.length === 1 ? types[0] : undefined }, path, paths));
  }
  if (schema.enum !== undefined || schema.const !== undefined) return (value) => value;
  switch (schema.type) {
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return (value) => (typeof value === 'string' ? fence(value) : value);
    case 'string':
      if (isClosed(schema.pattern)) return (value) => value;
      break;
    case 'array': {
      if (schema.items === undefined) break;
      const item = fenceOf(schema.items as Json, `${path}[]`, paths);
      return (value) => (Array.isArray(value) ? value.map(item) : fenceAll(value));
    }
    case 'object':
      return fenceObject(schema, path, paths);
  }
  paths.push(path);
  return fenceAll;
};

const orNull =
  (inner: Fence): Fence =>
  (value) =>
    value === null ? null : inner(value);

const fenceObject = (schema: Json, path: string, paths: string[]): Fence => {
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  const named = new Map(
    Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => [
      name,
      fenceOf(property, below(name), paths),
    ]),
  );
  const rest = schema.additionalProperties as Json | undefined;
  const other = rest?.type === undefined ? fenceAll : fenceOf(rest, below('*'), paths);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return fenceAll(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        named.has(key) ? key : visible(key),
        (named.get(key) ?? other)(item),
      ]),
    );
  };
};

/** A pattern that no word fits: it takes digits, hex digits and marks, but at no length the letter g. */
const isClosed = (pattern: unknown): boolean => {
  if (typeof pattern !== 'string') return false;
  const expression = new RegExp(pattern, 'u');
  return !probes.some((probe) => expression.test(probe));
};

const probes = Array.from({ length: 80 }, (_, length) => ['g'.repeat(length + 1), 'G'.repeat(length + 1)]).flat();
