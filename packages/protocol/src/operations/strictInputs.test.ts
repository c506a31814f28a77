import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inputSchemaOf, mayWrite, type Operation } from '../operation.ts';
import { actionTypes } from './actionTypes.ts';
import { operations } from './operations.ts';

const all = operations as readonly Operation[];

/** Operations that write and ignore what they do not know, each with its reason. */
const lenient: Readonly<Record<string, string>> = {
  sendTransaction: 'of the specification: its clients may send more keys; nothing that limits it can be left out',
  createReferralCode: 'of the specification; sets neither rights nor money',
  enterReferralCode: 'of the specification; sets neither rights nor money',
  platformAction: 'an envelope of the specification; the action has the rule of its own operation',
};

const refusesUnknown = (schema: z.ZodType): boolean => {
  const result = schema.safeParse({ execute: true, sliipageBps: 1 });
  return !result.success && result.error.issues.some((issue) => issue.code === 'unrecognized_keys');
};

describe('what sets rights or money', () => {
  it.each(all.filter(mayWrite).map((operation) => [operation.name, operation] as const))(
    'H23 %s refuses unknown fields, or has its reason',
    (name, operation) => {
      // What only prepares is checked by who signs it; asked to execute, it takes no unknown field.
      expect(refusesUnknown(inputSchemaOf(operation, { execute: true }))).toBe(!(name in lenient));
    },
  );

  it('H23 so do the actions that execute', () => {
    for (const action of Object.values(actionTypes) as Operation[]) {
      if (!(action.name in lenient)) {
        expect(refusesUnknown(inputSchemaOf(action, { execute: true })), action.name).toBe(true);
      }
    }
  });

  it('behavior: clients of the specification may send what is not known, as long as nothing is executed', () => {
    const preparing = all.filter(({ scope }) => scope === 'prepare');
    expect(preparing.length).toBeGreaterThan(5);
    for (const operation of preparing) {
      for (const body of [{}, { execute: false }, { execute: 'true' }, null]) {
        expect(inputSchemaOf(operation, body), operation.name).toBe(operation.input);
      }
    }
  });

  it('behavior: objects within them are strict too, or of the specification', () => {
    const loose: string[] = [];
    const walk = (schema: z.ZodType, path: string): void => {
      const def = schema.def as unknown as Record<string, unknown>;
      if (schema instanceof z.ZodObject) {
        if (!(schema.def.catchall instanceof z.ZodNever)) loose.push(path);
        for (const [key, inner] of Object.entries(schema.shape)) walk(inner as z.ZodType, `${path}.${key}`);
      }
      for (const inner of [def.innerType, def.in, def.element, ...((def.options as unknown[]) ?? [])]) {
        if (inner instanceof z.ZodType) walk(inner, path);
      }
    };
    for (const operation of all.filter(mayWrite)) {
      if (!(operation.name in lenient)) walk(inputSchemaOf(operation, { execute: true }), operation.name);
    }
    // A builder whose fee is misspelt gets none, and a link that is misspelt is not shown.
    expect(loose).toEqual(['createTokenTransaction.links', 'createTokenTransaction.builder', 'tradeToken.builder']);
  });
});
