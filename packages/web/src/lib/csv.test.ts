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
    // A spreadsheet of other habits takes a semicolon, a tab or a line for the end of a cell.
    expect(csvOf([['x;=1', 'x\t@a', 'x\n +1', 'a ;-1', ' =1', '＝1', 'a-b; c=d']])).toBe(
      `x;'=1,x\t'@a,"x\n' +1",a ;'-1,' =1,'＝1,a-b; c=d\r\n`,
    );
  });
});
