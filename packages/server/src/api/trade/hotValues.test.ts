import { describe, expect, it } from 'vitest';
import { hotValues } from './hotValues.ts';

/** An index of numbers that counts its queries and can be held or broken. */
const index = () => {
  const rows = new Map<string, number>([['a', 1]]);
  const asked: string[][] = [];
  let gate: Promise<void> = Promise.resolve();
  const state = {
    rows,
    asked,
    broken: false,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    values: hotValues<number>(async (keys) => {
      asked.push([...keys]);
      const found = new Map(keys.flatMap((key) => (rows.has(key) ? [[key, rows.get(key) as number] as const] : [])));
      await gate;
      if (state.broken) throw new Error('database is away');
      return found;
    }, 2),
  };
  return state;
};

describe('hotValues', () => {
  it('default: asks once, then answers from memory', async () => {
    const { values, asked } = index();
    expect(values.peek('a')).toBeUndefined();
    expect(await Promise.all([values.find('a'), values.find('a')])).toEqual([1, 1]);
    expect(values.peek('a')).toBe(1);
    expect(await values.find('b')).toBeUndefined();
    expect(asked).toEqual([['a'], ['b']]);
  });

  it('behavior: refresh reloads what was asked for and drops the rest', async () => {
    const { values, asked, rows } = index();
    await values.find('a');
    rows.set('a', 2);
    await values.refresh();
    expect(values.peek('a')).toBe(2);
    await values.refresh();
    await values.refresh();
    expect(values.peek('a')).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  it('behavior: a load that a refresh overtook is done again', async () => {
    const { values, rows, hold } = index();
    const open = hold();
    const found = values.find('a');
    rows.set('a', 2);
    await values.refresh();
    open();
    expect(await found).toBe(2);
  });

  it('behavior: a value that left the index leaves the memory; a failing refresh empties it', async () => {
    const state = index();
    await state.values.find('a');
    state.rows.delete('a');
    await state.values.refresh();
    expect(state.values.peek('a')).toBeUndefined();
    state.rows.set('a', 3);
    await state.values.find('a');
    state.broken = true;
    await expect(state.values.refresh()).rejects.toThrow('away');
    expect(state.values.peek('a')).toBeUndefined();
  });

  it('behavior: holds no more than its capacity', async () => {
    const { values, rows } = index();
    rows.set('b', 2).set('c', 3);
    for (const key of ['a', 'b', 'c']) await values.find(key);
    expect([values.peek('a'), values.peek('b'), values.peek('c')]).toEqual([undefined, 2, 3]);
  });
});
