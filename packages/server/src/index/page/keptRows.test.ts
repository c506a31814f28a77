import { expect, test } from 'vitest';
import { eids } from '../../../test/eids.ts';
import { ChangedRows } from './changedRows.ts';
import { Journal } from './journal.ts';
import { KeptRows } from './keptRows.ts';

/** A page that changed the sums of these recipients. */
const pageWith = (...recipients: `0x${string}`[]) => {
  const sums = new ChangedRows('fee_sum', new Journal(eids.ethereum, 0));
  for (const recipient of recipients) {
    sums.need(eids.ethereum, recipient, 0);
    sums.add(5, { eid: eids.ethereum, recipient, distribution_type: 0, credits: 1, earned: 7n });
  }
  return sums;
};

test('default: a row is found by its key until two generations went by without it', () => {
  const kept = new KeptRows(2);
  const find = (recipient: string) => kept.find('fee_sum', [eids.ethereum, recipient, 0])?.recipient;
  kept.keep(pageWith('0xa', '0xb'));
  kept.keep(pageWith('0xc', '0xa'));
  expect([find('0xa'), find('0xb'), find('0xc')]).toEqual(['0xa', '0xb', '0xc']);
  kept.keep(pageWith('0xd'));
  expect([find('0xa'), find('0xb'), find('0xc'), find('0xd')]).toEqual(['0xa', undefined, '0xc', '0xd']);
});

test('edge: keys that were needed and have no row are not kept', () => {
  const kept = new KeptRows();
  const sums = pageWith('0xa');
  sums.need(eids.ethereum, '0xb', 0);
  kept.keep(sums);
  expect(kept.find('fee_sum', [eids.ethereum, '0xb', 0])).toBeUndefined();
});
