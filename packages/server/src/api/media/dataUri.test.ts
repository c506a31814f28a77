import { describe, expect, test } from 'vitest';
import { decodeDataUri } from './dataUri.ts';

const decode = (base64: string): string => Buffer.from(decodeDataUri(`data:;base64,${base64}`, 100)).toString('latin1');

describe('decodeDataUri', () => {
  test.each([
    ['AA==', '\0'],
    ['AA', '\0'],
    ['YWJj', 'abc'],
    ['YWI=', 'ab'],
    ['-_-_', '\xfb\xff\xbf'],
  ])('behavior: %s', (base64, bytes) => expect(decode(base64)).toBe(bytes));

  test.each(['', '=', '==', 'A', 'AAAAA', 'AA=A', 'AAAA====', 'AA!A', 'A A=', 'AAA\n', 'AAAAäAAA', 'AAAA\0'])(
    'error: %j is no base64',
    (base64) => expect(() => decode(base64)).toThrow('not valid base64'),
  );

  test('error: too large before and after decoding', () => {
    expect(() => decodeDataUri(`data:;base64,${'A'.repeat(1_000)}`, 100)).toThrow('larger than 100 bytes');
    expect(() => decodeDataUri(`data:;base64,${'A'.repeat(136)}`, 100)).toThrow('larger than 100 bytes');
    expect(() => decodeDataUri('data:,AAAA', 100)).toThrow('not base64');
  });
});
