import type { z } from 'zod';
import { bare, defOf, isOptional, values } from '../surfaces/samples.ts';
import type { Choices } from './random.ts';

/** Picks a value that a schema takes. */
export type ValidValue = (schema: z.ZodType, choices: Choices) => unknown;

/**
 * Valid values for any input schema, at random: of objects some optional keys, of unions any branch, of texts and numbers
 * whatever fits of the usual ones and of what the target knows.
 *
 * @param known - Ids of things that exist there, so that a valid request finds something.
 */
export const validValues = (known: readonly unknown[]): ValidValue => {
  const pool = [
    ...values,
    ...known,
    0,
    2,
    5,
    25,
    true,
    'latest',
    'earliest',
    'paper-boat',
    '1000000',
    '0.5',
    '24h',
    'buy',
  ];
  const fitting = new WeakMap<z.ZodType, readonly unknown[]>();

  const leafOf = (schema: z.ZodType, choices: Choices): unknown => {
    let some = fitting.get(schema);
    if (some === undefined) {
      const def = defOf(bare(schema));
      const own = def.type === 'enum' ? Object.values(def.entries) : def.type === 'literal' ? def.values : [];
      some = [...own, ...pool].filter((value) => schema.safeParse(value).success);
      fitting.set(schema, some);
    }
    return some.length === 0 ? undefined : choices.one(some);
  };

  const valueOf = (schema: z.ZodType, choices: Choices): unknown => {
    const def = defOf(bare(schema));
    if (def.type === 'object') {
      const fields = Object.entries(def.shape as Record<string, z.ZodType>);
      const chosen = fields.filter(([, field]) => !isOptional(field) || choices.once(3));
      return Object.fromEntries(chosen.map(([key, field]) => [key, valueOf(field, choices)]));
    }
    if (def.type === 'array') return Array.from({ length: choices.below(4) }, () => valueOf(def.element, choices));
    if (def.type === 'union') return valueOf(choices.one(def.options as z.ZodType[]), choices);
    return leafOf(schema, choices);
  };
  return valueOf;
};
