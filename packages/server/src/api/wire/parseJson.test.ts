import { MintageError } from '@mintage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestText, maxDepth, mostKeys, mostValues, parseJson } from './parseJson.ts';

const failure = (text: string): string => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof MintageError && error.kind.status < 500) return error.message;
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
    const message =
      'must be a number without an exponent and with at most 15 significant digits; where base units are taken, send them as text';
    expect(failure(`{"n":${text}}`)).toBe(`n: ${message}`);
    expect(failure(`{"a":[{"b":1},{"n":[2,${text}]}]}`)).toBe(`a.1.n.1: ${message}`);
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
        fc.pre(whole + fraction > 0); // -0 is printed as 0, so it would not round-trip
        const text = `${negative ? '-' : ''}${whole}.${String(fraction).padStart(6, '0')}`;
        const { n } = parseJson(`{"n":${text}}`) as { n: number };
        expect(n.toFixed(6)).toBe(text);
      }),
      { numRuns: 10_000 },
    );
  });

  it('R3 error: nested too deep', () => {
    expect(failure(nested(maxDepth))).toBe('accepted');
    expect(failure(nested(maxDepth + 1))).toBe(`The body is nested deeper than ${maxDepth} levels.`);
    expect(failure('['.repeat(1_000_000))).toBe(`The body is nested deeper than ${maxDepth} levels.`);
  });

  it.each([
    ['digits', '1'.repeat(200_000)],
    ['zeros before a digit', `0.${'0'.repeat(200_000)}1`],
  ])('H1 a number of very many %s is refused by its first ones', (_what, text) => {
    expect(failure(`{"n":${text}`)).toMatch(/^n: must be a number without an exponent/);
  });

  it('H1 the first number that is not exact ends the reading: what is behind it is not looked at', () => {
    const broken = '}]'.repeat(10);
    expect(failure(`{"a":[1,1e1,${'1e1,'.repeat(1_000)}${broken}`)).toMatch(
      /^a\.1: must be a number without an exponent/,
    );
  });

  it('H1 values and keys are counted, and one too many ends the reading', () => {
    const broken = '"'.repeat(3);
    const [values, keys] = [`The body has more than ${mostValues} values.`, `The body has more than ${mostKeys} keys.`];
    for (const value of ['1', '""', 'true', 'false', 'null', '[]', '{}']) {
      const list = (count: number) => `{"a":[${Array.from({ length: count }, () => value).join()}`;
      expect([value, failure(`${list(mostValues - 2)}]}`)]).toEqual([value, 'accepted']);
      expect([value, failure(`${list(mostValues)},${broken}`)]).toEqual([value, values]);
    }
    const object = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":0`).join()}`;
    expect(failure(`${object(mostKeys)}}`)).toBe('accepted');
    expect(failure(`${object(mostKeys + 1)},${broken}`)).toBe(keys);
    const nested = `{"a":[${Array.from({ length: mostKeys / 2 + 1 }, () => '{"a":0,"b":0}').join()}`;
    expect(failure(`${nested},${broken}`)).toBe(keys);
  });

  it('H1 a text longer than 256 KiB is a data URI or refused', () => {
    const longer = 'a'.repeat(longestText);
    expect(failure(`{"a":"${longer.slice(1)}"}`)).toBe('accepted');
    expect(failure(`{"a":"data:${longer}"}`)).toBe('accepted');
    expect(failure(`{"a":"${longer}"}`)).toMatch(/^A text of the body is longer than 262144 characters/);
    expect(failure(`{"a":["${'\\u0061'.repeat(longestText)}","`)).toMatch(/^A text of the body is longer/);
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
      { numRuns: 10_000 },
    );
  });
});
