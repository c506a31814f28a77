import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { actionTypes } from '../../src/operations/actionTypes.ts';
import { createTokenTransaction } from '../../src/operations/createTokenTransaction.ts';
import { inputSchemaOf, mayWrite, type Operation } from '../../src/operations/operation.ts';
import { operations } from '../../src/operations/operations.ts';
import { tradeToken } from '../../src/operations/tradeToken.ts';
import { create_token } from '../../src/tools/create_token.ts';
import { toolChain } from '../../src/tools/toolChain.ts';

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

  it('H23 objects within them are strict too, at any depth', () => {
    const loose: string[] = [];
    const walk = (schema: z.ZodType, path: string): void => {
      const def = schema.def as unknown as Record<string, unknown>;
      if (schema instanceof z.ZodObject) {
        if (!(schema.def.catchall instanceof z.ZodNever)) loose.push(path);
        for (const [key, inner] of Object.entries(schema.shape)) walk(inner as z.ZodType, `${path}.${key}`);
      }
      for (const inner of [def.innerType, def.in, def.out, def.element, ...((def.options as unknown[]) ?? [])]) {
        if (inner instanceof z.ZodType) walk(inner, path);
      }
    };
    for (const operation of all.filter(mayWrite)) {
      if (!(operation.name in lenient)) walk(inputSchemaOf(operation, { execute: true }), operation.name);
    }
    expect(loose).toEqual([]);
  });

  it('H23 error: a builder whose fee is misspelt, and a misspelt link, once something is executed', () => {
    const builder = { code: `0x${'b'.repeat(40)}`, feeBps: 9_000 };
    const misspelt: [Pick<Operation, 'input'>, string, object][] = [
      [tradeToken, 'execute', { builder }],
      [createTokenTransaction, 'execute', { builder }],
      [createTokenTransaction, 'execute', { links: { twiter: 'https://x.com/fox' } }],
      [create_token(toolChain(['base'])), 'autoExecute', { links: { twiter: 'https://x.com/fox' } }],
    ];
    for (const [of, flag, fields] of misspelt) {
      const unknown = (body: object) =>
        inputSchemaOf(of, body)
          .safeParse(body)
          .error?.issues.filter(({ code }) => code === 'unrecognized_keys')
          .map(({ path }) => path);
      expect(unknown({ ...fields, [flag]: true })).toEqual([Object.keys(fields)]);
      expect(unknown(fields)).toEqual([]);
    }
  });

  it('behavior: what is executed is read as what is prepared', () => {
    const parts = { builder: { code: `0x${'b'.repeat(40)}` }, execute: true };
    for (const body of [
      { ...tradeToken.example, ...parts },
      { ...createTokenTransaction.example, ...parts, links: { website: 'fox.example', twitter: '' }, tags: ['fox'] },
    ]) {
      const operation = 'name' in body ? createTokenTransaction : tradeToken;
      expect(inputSchemaOf(operation, body)).not.toBe(operation.input);
      expect(inputSchemaOf(operation, body).parse(body)).toEqual(operation.input.parse(body));
    }
  });

  it('error: the tools’ word for `execute` is refused, not ignored', () => {
    const executing = operations.filter(({ input }) => 'execute' in ((input as { shape?: object }).shape ?? {}));
    expect(executing.length).toBeGreaterThan(5);
    for (const operation of executing) {
      const issuesOf = (autoExecute: unknown) =>
        inputSchemaOf(operation, { autoExecute }).safeParse({ autoExecute }).error?.issues ?? [];
      const about = { path: ['autoExecute'], message: 'is a parameter of the tools: send `execute`' };
      expect(issuesOf(true), operation.name).toContainEqual(expect.objectContaining(about));
      expect(issuesOf(false), operation.name).not.toContainEqual(expect.objectContaining(about));
    }
  });
});
