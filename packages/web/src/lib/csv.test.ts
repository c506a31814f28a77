import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.ts';

describe('csvOf', () => {
  it('keeps amounts as they are, and hides formulas of strangers from spreadsheets', () => {
    const cells = [
      '-12.300000000000000001',
      '=HYPERLINK("x")',
      '+1',
      '@a',
      '-x',
      '\tx',
      'a,b',
      'say "hi"',
      'two\nlines',
    ];
    expect(csvOf([cells])).toBe(
      `-12.300000000000000001,"'=HYPERLINK(""x"")",'+1,'@a,'-x,'\tx,"a,b","say ""hi""","two\nlines"\r\n`,
    );
  });
});
