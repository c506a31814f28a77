import { MintageError } from '@mintage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InexactNumber, maxDepth, parseJson } from './parseJson.ts';

const failure = (text: string): string => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof MintageError && error.code === 'INVALID_JSON') return error.message;
    throw error;
  }
  return 'accepted';
};

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('parseJson', () => {
  it('default', () => {
    expect(parseJson('{"a":[1,-2.5,"x\\"{[,",{"b":true}],"c":""}')).toEqual({
      a: [1, -2.5, 'x"{[,', { b: true }],
      c: '',
    });
  });

  it('behavior: reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue({ noUnicodeString: false }),
        ),
        (value) => {
          const text = JSON.stringify(value);
          fc.pre(!/\d[eE]|\d{16}|__proto__/.test(text) && !/[\d.]{16}/.test(text) && !text.includes('null'));
          expect(parseJson(text)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('R2 null means absent, also deep down; a list keeps its places', () => {
    expect(parseJson('{"a":null,"b":{"c":null,"d":1},"e":[null,{"f":null}],"g":"null"}')).toEqual({
      b: { d: 1 },
      e: [null, {}],
      g: 'null',
    });
  });

  it.each([
    ['{"a":1,"a":1}', 'The key "a" appears twice in one object.'],
    ['{"a":1,"b":{"c":1,"d":[{}],"c":2}}', 'The key "c" appears twice in one object.'],
    ['{"amount":1,"\\u0061mount":2}', 'The key "amount" appears twice in one object.'],
    [
      `{${Array.from({ length: 40 }, (_, index) => `"k${index % 39}":1`).join(',')}}`,
      'The key "k0" appears twice in one object.',
    ],
    ['{"__proto__":{"x":1}}', 'The key "__proto__" is not accepted.'],
    ['{"a":{"\\u005f_proto__":1}}', 'The key "__proto__" is not accepted.'],
  ])('R2 error: ambiguous %s', (text, message) => {
    expect(failure(text)).toBe(message);
  });

  it('behavior: the same key in different objects, and as a value, is fine', () => {
    expect(parseJson('{"a":{"a":"a"},"b":["a","a",{"a":1},{"a":2}]}')).toEqual({
      a: { a: 'a' },
      b: ['a', 'a', { a: 1 }, { a: 2 }],
    });
  });

  it.each([
    '1e3',
    '1E3',
    '-2.5e-7',
    '0.1234567890123456',
    '1234567890123456',
    '9007199254740993',
    '1.0000000000000001',
  ])('R1 keeps %s from becoming a double', (text) => {
    expect(parseJson(`{"n":${text}}`)).toEqual({ n: new InexactNumber(text) });
  });

  it.each([
    '1',
    '-7',
    '0.5',
    '123456789012345',
    '100000000000000000000',
    '0.000000000000000001',
    '1.500000000000000000',
  ])('R1 takes %s as it is', (text) => {
    expect(parseJson(`{"n":${text}}`)).toEqual({ n: Number(text) });
  });

  it('R1 a taken number keeps every digit', () => {
    const digits = fc.tuple(fc.nat({ max: 999_999_999 }), fc.nat({ max: 999_999 }), fc.boolean());
    fc.assert(
      fc.property(digits, ([whole, fraction, negative]) => {
        fc.pre(whole + fraction > 0); // -0 prints as 0
        const text = `${negative ? '-' : ''}${whole}.${String(fraction).padStart(6, '0')}`;
        const { n } = parseJson(`{"n":${text}}`) as { n: number };
        expect(n.toFixed(6)).toBe(text);
      }),
      { numRuns: 20_000 },
    );
  });

  it('R3 error: nested too deep', () => {
    expect(failure(nested(maxDepth))).toBe('accepted');
    expect(failure(nested(maxDepth + 1))).toBe(`The body is nested deeper than ${maxDepth} levels.`);
    expect(failure('['.repeat(1_000_000))).toBe(`The body is nested deeper than ${maxDepth} levels.`);
  });

  it.each([
    '',
    'hello',
    '{',
    '{"a":}',
    '{"a":1,}',
    '{"a" 1}',
    '{"a\\',
    '{"\\x":1}',
    "{'a':1}",
    '{"a":01}',
    '{"a":NaN}',
    '{"a":"\n"}',
  ])('error: not JSON: %j', (text) => {
    expect(failure(text)).toBe('The body is not valid JSON.');
  });

  it.each(['[]', '1', '"x"', 'null', 'true', '1e5'])('error: not an object: %s', (text) => {
    expect(failure(text)).toBe('The body must be one JSON object.');
  });

  it('R3 no text makes it fail in another way', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '1',
      '-',
      'e',
      'null',
      '__proto__',
      'a',
      ' ',
      '\u0000',
      '\\u00',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        failure(pieces.join(''));
      }),
      { numRuns: 20_000 },
    );
  });
});
