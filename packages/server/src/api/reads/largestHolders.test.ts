import type { Eid } from '@mintage/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldRow, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { largestHolders } from './largestHolders.ts';

const address = hex(0xf0);
const [home, ...away] = (['base-sepolia', 'bnb', 'base'] as const).map((slug) => tokenRow(slug, address));
const places = [home as NonNullable<typeof home>, ...away];
const eids = places.map(({ eid }) => eid as Eid);

describe('largestHolders', () => {
  let reads: Awaited<ReturnType<typeof startReads>>;
  beforeAll(async () => {
    reads = await startReads();
  });
  afterAll(() => reads?.stop());

  const hold = async (held: readonly { on: number; wallet: number; amount: number }[]) => {
    await reads.db.deleteFrom('balance').execute();
    if (held.length === 0) return;
    const rows = held.map(({ on, wallet, amount }) =>
      heldRow(places[on] as (typeof places)[0], hex(wallet), { amount: BigInt(amount) }),
    );
    await reads.db.insertInto('balance').values(rows).execute();
  };

  it('behavior: who is the largest on no chain may be it on all of them together', async () => {
    await hold([
      { on: 0, wallet: 1, amount: 10 },
      { on: 0, wallet: 9, amount: 7 },
      { on: 1, wallet: 2, amount: 10 },
      { on: 1, wallet: 9, amount: 7 },
    ]);
    expect(await largestHolders(reads.db, address, eids, 1, 1)).toEqual([{ wallet: hex(9), amount: 14n }]);
  });

  it('behavior: the same as adding up everything, however few are looked at first', async () => {
    const balance = fc.record({ on: fc.nat(2), wallet: fc.integer({ min: 1, max: 12 }), amount: fc.nat(20) });
    const balances = fc.uniqueArray(balance, { selector: ({ on, wallet }) => `${on} ${wallet}`, maxLength: 36 });
    await fc.assert(
      fc.asyncProperty(
        balances,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (held, most, look) => {
          await hold(held);
          const sums = new Map<number, number>();
          for (const { wallet, amount } of held) sums.set(wallet, (sums.get(wallet) ?? 0) + amount);
          const amounts = [...sums.values()].filter((amount) => amount > 0).toSorted((a, b) => b - a);
          const found = await largestHolders(reads.db, address, eids, most, look);
          expect(found.map(({ amount }) => Number(amount))).toEqual(amounts.slice(0, most));
          for (const { wallet, amount } of found) expect(sums.get(Number(wallet))).toBe(Number(amount));
        },
      ),
      { numRuns: 150 },
    );
  });
});
