import { MintageError } from '@mintage/sdk';
import { describe, expect, it } from 'vitest';
import * as t from '../messages/en/common.ts';
import { wordsOf } from './wordsOf.ts';

describe('wordsOf', () => {
  const { next } = new MintageError('DEADLINE_PASSED', '').kind;

  it('default: what is wrong, then what to do', () => {
    expect(wordsOf(new MintageError('DEADLINE_PASSED', 'It took too long'))).toBe(`It took too long. ${next}`);
  });

  it('behavior: what the service said already is not said twice', () => {
    expect(wordsOf(new MintageError('DEADLINE_PASSED', `Too late. ${next}`))).toBe(`Too late. ${next}`);
  });

  it('behavior: words for people where the catalogue has words for programs', () => {
    expect(wordsOf(new MintageError('WALLET_REFUSED', 'The wallet refused: 4001'))).toBe(t.errors.WALLET_REFUSED);
  });

  it.each(Object.keys(t.errors))('invariant: %s is a code of the catalogue', (code) => {
    expect(new MintageError(code as 'WALLET_REFUSED', '').kind).not.toBe(
      new MintageError('NO_SUCH' as 'WALLET_REFUSED', '').kind,
    );
  });
});
