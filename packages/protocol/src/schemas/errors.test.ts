import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCatalogue, MintageError } from './errors.ts';

describe('MintageError', () => {
  it('default: every code is of the kind that the catalogue has for it', () => {
    for (const [code, kind] of Object.entries(errorCatalogue))
      expect(new MintageError(code as ErrorCode, 'It is so.').kind).toBe(kind);
  });

  it('behavior: what to do next is an advice, and does not say once more what is wrong', () => {
    for (const [code, { next }] of Object.entries(errorCatalogue))
      expect([code, next]).toEqual([code, expect.not.stringMatching(/^Nothing:/)]);
  });

  it('behavior: a code that only a newer service knows is not tried again, and says what to do', () => {
    for (const code of ['OF_TOMORROW', 'constructor']) {
      const { kind } = new MintageError(code as ErrorCode, 'It is so.');
      expect(kind).toEqual({ status: 0, retryable: false, next: expect.stringMatching(/client/) });
    }
  });
});
