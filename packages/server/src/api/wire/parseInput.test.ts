import { MintageError, optional } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from './parseInput.ts';
import { parseJson } from './parseJson.ts';

const schema = z.object({
  name: z.string().min(1),
  side: z.enum(['buy', 'sell']).optional(),
  amount: z.union([z.number().positive(), z.string().regex(/^\d+$/, 'must be digits')]).optional(),
  count: z.int().min(1).max(5).optional(),
  builder: z.object({ code: z.string() }).optional(),
  tags: optional(z.array(z.string().max(3)).max(2)),
});

const details = (text: string): unknown => {
  try {
    parseInput(schema, parseJson(text));
  } catch (error) {
    if (error instanceof MintageError && error.code === 'INVALID_PARAMETERS') return error.details;
    throw error;
  }
  return [];
};

describe('parseInput', () => {
  it('default', () => {
    expect(parseInput(schema, parseJson('{"name":"x","tags":null,"unknown":99}'))).toEqual({ name: 'x' });
  });

  it.each([
    ['{}', 'name', 'is required'],
    ['{"name":null}', 'name', 'is required'],
    ['{"name":1}', 'name', 'must be a string'],
    ['{"name":""}', 'name', 'must have at least 1 characters'],
    ['{"name":"x","side":"hold"}', 'side', 'must be `buy` or `sell`'],
    ['{"name":"x","amount":0}', 'amount', 'must be more than 0'],
    ['{"name":"x","amount":"1.5"}', 'amount', 'must be digits'],
    ['{"name":"x","amount":true}', 'amount', 'must be a number or a string'],
    ['{"name":"x","count":1.5}', 'count', 'must be a whole number'],
    ['{"name":"x","count":9}', 'count', 'must be at most 5'],
    ['{"name":"x","builder":{}}', 'builder.code', 'is required'],
    ['{"name":"x","builder":7}', 'builder', 'must be an object'],
    ['{"name":"x","tags":["a","b","c"]}', 'tags', 'must have at most 2 items'],
    ['{"name":"x","tags":["a","long"]}', 'tags.1', 'must have at most 3 characters'],
  ])('error: %s', (text, path, message) => {
    expect(details(text)).toEqual([{ path, message }]);
  });

  it('R1 error: says what is wrong with an exponent; the first one ends the reading', () => {
    const message =
      'must be a number without an exponent and with at most 15 significant digits; where base units are taken, send them as text';
    expect(details('{"name":"x","amount":1e3,"count":1e0}')).toEqual([{ path: 'amount', message }]);
  });
});
