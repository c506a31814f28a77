import { expect, test } from 'vitest';
import { eids } from '../../../test/eids.ts';
import { Journal } from './journal.ts';
import { TableRows } from './tableRows.ts';

type Sums = TableRows<'fee_sum'>;

/** A page that adds to the sums of these recipients, of which the table has none but those that are here. */
const page = (sums: Sums, ...recipients: `0x${string}`[]): void => {
  sums.begin(new Journal(eids.ethereum, 0));
  for (const recipient of recipients) sums.need(recipient, 0);
  sums.loaded([]);
  for (const recipient of recipients) {
    const row =
      sums.change(5, recipient, 0) ??
      sums.add(5, { eid: eids.ethereum, recipient, distribution_type: 0, credits: 0, earned: 0n });
    row.credits += 1;
  }
};

const recipientsOf = (rows: { recipient: string; credits: number }[]) =>
  rows.map(({ recipient, credits }) => [recipient, credits]);

test('default: a row that several pages change is written once, as new until it was', () => {
  const sums: Sums = new TableRows('fee_sum');
  page(sums, '0xa', '0xb');
  page(sums, '0xb', '0xc');
  expect(recipientsOf(sums.added())).toEqual([
    ['0xa', 1],
    ['0xb', 2],
    ['0xc', 1],
  ]);
  expect(sums.replaced()).toEqual([]);
  sums.written();
  expect(sums.changed()).toEqual([]);
  page(sums, '0xb');
  expect(recipientsOf(sums.replaced())).toEqual([['0xb', 3]]);
  expect(sums.added()).toEqual([]);
});

test('behavior: a key is asked for once, whether the table has it or not', () => {
  const sums: Sums = new TableRows('fee_sum');
  page(sums, '0xa');
  sums.begin(new Journal(eids.ethereum, 0));
  sums.need('0xa', 0);
  sums.need('0xb', 0);
  expect(sums.unknown()).toEqual([['0xb', 0]]);
  sums.loaded([]);
  sums.need('0xb', 0);
  expect(sums.unknown()).toEqual([]);
  expect(sums.find('0xb', 0)).toBeUndefined();
});

test('behavior: when many are here, those that the last page did not name are asked for again', () => {
  const sums: Sums = new TableRows('fee_sum', 1);
  page(sums, '0xa', '0xb');
  sums.written();
  page(sums, '0xb', '0xc');
  sums.written();
  sums.begin(new Journal(eids.ethereum, 0));
  for (const recipient of ['0xa', '0xb', '0xc']) sums.need(recipient, 0);
  expect(sums.unknown()).toEqual([['0xa', 0]]);
  expect(sums.find('0xb', 0)?.credits).toBe(2);
});

test('error: a row that was not named', () => {
  const sums: Sums = new TableRows('fee_sum');
  page(sums, '0xa');
  expect(() => sums.find('0xb', 0)).toThrow('fee_sum 0xb 0 was not loaded');
});
