import { type ChainType, ofFamilies } from '@mintage/protocol';
import { z } from 'zod';

/** A schema as assistants get it: JSON Schema with an object at its root and no references. */
export interface ToolSchema {
  type: 'object';
  properties?: Record<string, Json>;
  required?: string[];
  [key: string]: unknown;
}

export type Json = Record<string, unknown>;

/**
 * Self-contained, because not every client follows references. An answer may have more fields than its schema names
 * (the platform id under the deployment's own name), so `additionalProperties` is not false.
 *
 * @param types - Words of the families that are served: their forms are shown.
 */
export const toolSchema = (schema: z.ZodType, io: 'input' | 'output', types: readonly ChainType[]): ToolSchema => {
  const {
    $defs,
    $schema: _,
    ...root
  } = z.toJSONSchema(schema, { io, override: ofFamilies(types) }) as Json & { $defs?: Record<string, Json> };
  return inlined(root, $defs ?? {}) as ToolSchema;
};

/** Inlines all references. No schema is recursive, so this ends. */
const inlined = (node: unknown, definitions: Record<string, Json>): unknown => {
  if (Array.isArray(node)) return node.map((item) => inlined(item, definitions));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, id: _, ...rest } = node as Json;
  const target = typeof $ref === 'string' ? definitions[$ref.replace('#/$defs/', '')] : undefined;
  const result: Json = target === undefined ? {} : (inlined(target, definitions) as Json);
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'additionalProperties' && value === false) continue;
    result[key] = key === 'properties' ? eachInlined(value as Json, definitions) : inlined(value, definitions);
  }
  return result;
};

/** Inlines the properties one by one, because a field named like a keyword, such as `id`, is not one. */
const eachInlined = (properties: Json, definitions: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, inlined(property, definitions)]));
