import type { Choices } from './random.ts';

/** What strangers send in the place of a value, and how it is put there. */

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const keysOfObjects = [
  'toString',
  'valueOf',
  'toJSON',
  'length',
  'then',
  'constructor',
  'hasOwnProperty',
  'name',
  'size',
];

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Texts for any place, also of a URL or a form. */
export const texts: readonly string[] = [
  '',
  ' ',
  '\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00',
  '\ufffe\uffff',
  '\u0001\u001f\u007f\u0085',
  '\u202eevil\u2066',
  '\u{1f6f6}'.repeat(40),
  'e\u0301'.repeat(100),
  'x'.repeat(129),
  'x'.repeat(5_000),
  '%',
  '%_%',
  '\\',
  '\\%\\',
  "'",
  "'; drop table token; --",
  '" or ""="',
  '$1',
  '{}',
  '[]',
  '%00',
  '%ff%fe',
  '%zz',
  '../../../../etc/passwd',
  '\r\nset-cookie: a=b',
  '<script>alert(1)</script>',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '-1',
  '0',
  '1e3',
  '1e999',
  '0x',
  '0b1',
  ' 1',
  '1 ',
  '1,000',
  '１２３',
  '0.0000000000000000001',
  '1.',
  '.1',
  '9'.repeat(15),
  '9'.repeat(16),
  '9223372036854775807',
  '9223372036854775808',
  '9'.repeat(77),
  '9'.repeat(78),
  '1157920892373161954235709850086879078532699846656405640394575840079131296399360',
  `0x${'f'.repeat(64)}`,
  `0x${'f'.repeat(65)}`,
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
  `0x${'fF'.repeat(20)}`,
  `0x${'5a'.repeat(65)}`,
  `0x${'00'.repeat(65)}`,
  `0x${'ff'.repeat(65)}`,
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2030-02-29T24:00:60Z',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '294277-01-01T00:00:00Z',
  '2030-01-01T00:00:00+99:99',
  ...keysOfObjects,
  '__proto__',
  'prototype',
  '====',
  'AAAA',
  base64('{"a":1}'),
  base64('[1,"\u0000"]'),
  'data:image/png;base64,####',
  'data:image/png;base64,',
  'data:image/svg+xml;base64,PHN2Zz4=',
  'data:,',
  'data:text/html;base64,PGI+',
  'http://[::1',
  'http://a:b@c',
  'https://203.0.113.7/x',
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest/meta-data/',
  'ipfs://x',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '//x',
  'solana',
  'opbnb',
  'base',
];

const structures: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  0.1,
  1e-7,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  999_999_999_999_999,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
  [],
  {},
  [[]],
  [null],
  [''],
  [{}],
  ['a', ['b']],
  Array.from({ length: 200 }, (_, i) => i),
  Array.from({ length: 101 }, () => 'base-sepolia'),
  nested(25),
  nested(40),
  ...keysOfObjects.flatMap((key) => [{ [key]: 'x' }, { [key]: null }, { [key]: 1 }, { [key]: {} }]),
  { toString: 'x', valueOf: null },
  { toString: 1, valueOf: 1 },
  { length: -1 },
  { length: 1e9, 0: 'a' },
  { type: 'Buffer', data: [1] },
  { $ne: null },
  { 'a.b': { '': 1 } },
];

export const values: readonly unknown[] = [...texts, ...texts, ...structures];

type Path = readonly (string | number)[];

/** The places of a value, itself included. */
const placesOf = (value: unknown, path: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? [path]
    : [
        path,
        ...Object.entries(value).flatMap(([key, item]) =>
          placesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
        ),
      ];

const put = (value: unknown, [key, ...rest]: Path, item: unknown): unknown => {
  if (key === undefined) return item;
  if (Array.isArray(value)) return value.map((old, at) => (at === key ? put(old, rest, item) : old));
  return { ...(value as object), [key]: put((value as Record<string, unknown>)[key], rest, item) };
};

/** A value with one to three places replaced, now and then with a strange key more. */
export const corrupted = (value: Record<string, unknown>, choices: Choices): Record<string, unknown> => {
  let result: unknown = value;
  for (let left = 1 + choices.below(3); left > 0; left -= 1) {
    const places = placesOf(result).slice(1);
    if (places.length === 0) break;
    result = put(result, choices.one(places), choices.one(values));
  }
  if (choices.once(6)) result = { ...(result as object), [choices.one(texts)]: choices.one(values) };
  return result as Record<string, unknown>;
};

/** Bodies that are no JSON object, or no JSON, or say what a parser may take in two ways. */
export const bodies: readonly (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '{"a":',
  '{"a":1}}',
  '{"a":1}{"b":2}',
  'null',
  '1',
  '"x"',
  'true',
  '[]',
  '[{}]',
  '{"a":1e999}',
  '{"a":-0}',
  '{"a":01}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":NaN}',
  `{"a":${'9'.repeat(400)}}`,
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  "{'a':1}",
  '{"a":"\\x"}',
  '{"a":"\\u12"}',
  '{"a":"\n"}',
  '{"a":"\\ud800"}',
  '{"\\u0000":1}',
  '/* */{}',
  '\ufeff{}',
  '\u2028{}',
  '['.repeat(20_000),
  '{"a":'.repeat(5_000),
  `{"a":"${'x'.repeat(70_000)}"}`,
  `{${Array.from({ length: 3_000 }, (_, i) => `"k${i}":0`).join(',')}}`,
  Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x00]),
  'a=b&c=d',
  '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
];
