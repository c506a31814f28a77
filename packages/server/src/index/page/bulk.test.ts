import { testDatabase } from '@mintage/devnet/testDatabase';
import { expect, test } from 'vitest';
import { eids } from '../../../test/eids.ts';
import { insertRows, selectRows, updateRows } from './bulk.ts';

/** Every character that COPY or an array literal reads as its own. */
const odd = 'a\\b"c\td\ne\r{f},\'g NULL \\N é 🎉';

test('default: what is inserted, updated and looked up comes back as it was, whatever characters it holds', async () => {
  const { db, stop } = await testDatabase();
  const block = (number: number, time: string) => ({
    eid: eids.ethereum,
    number,
    hash: `0x${number}` as const,
    parent_hash: '0x' as const,
    time: new Date(time),
  });
  const sum = (recipient: string, earned: bigint) => ({
    eid: eids.ethereum,
    recipient: recipient as `0x${string}`,
    distribution_type: 0,
    credits: 1,
    earned,
  });
  const image = (seq: number, before: string | null) => ({
    eid: eids.ethereum,
    block_number: 1,
    seq,
    table_name: odd,
    key: JSON.stringify({ [odd]: [odd, 1] }),
    before,
  });
  try {
    const blocks = [block(1, '2026-01-31T23:59:59.000Z'), block(2, '2026-02-01T00:00:00.000Z')];
    await insertRows(db, 'block', blocks);
    expect(await selectRows(db, 'block', eids.ethereum, [[1], [2]])).toEqual(blocks);

    const sums = [sum(odd, 1n), sum('NULL', 2n), sum('', 3n)];
    await insertRows(db, 'fee_sum', sums);
    const changed = sums.map((row) => ({ ...row, earned: row.earned * 10n ** 60n }));
    await updateRows(db, 'fee_sum', changed);
    const keys = sums.map(({ recipient }) => [recipient, 0]);
    const found = await selectRows(db, 'fee_sum', eids.ethereum, keys);
    expect(found.toSorted((a, b) => (a.earned < b.earned ? -1 : 1))).toEqual(changed);

    await insertRows(db, 'journal', [image(0, null), image(1, odd)]);
    await updateRows(db, 'journal', [image(0, JSON.stringify(odd)), image(1, null)]);
    expect(await db.selectFrom('journal').selectAll().orderBy('seq').execute()).toEqual([
      image(0, JSON.stringify(odd)),
      image(1, null),
    ]);
  } finally {
    await stop();
  }
});
