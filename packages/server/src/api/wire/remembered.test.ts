import { describe, expect, it } from 'vitest';
import { Remembered } from './remembered.ts';

describe('Remembered', () => {
  it('default: a value is there until its time is over', () => {
    let nowMs = 0;
    const remembered = new Remembered<string>(10, () => nowMs);
    remembered.set('a', 'first', 100);
    nowMs = 99;
    expect(remembered.get('a')).toBe('first');
    nowMs = 100;
    expect(remembered.get('a')).toBeUndefined();
    expect(remembered.get('b')).toBeUndefined();
  });

  it('behavior: when it is full, the entry that was set longest ago is dropped', () => {
    const remembered = new Remembered<number>(2, () => 0);
    remembered.set('a', 1, 10);
    remembered.set('b', 2, 10);
    remembered.set('a', 3, 10);
    remembered.set('c', 4, 10);
    expect(['a', 'b', 'c'].map((key) => remembered.get(key))).toEqual([3, undefined, 4]);
  });

  it('behavior: entries are dropped by key and by value', () => {
    const remembered = new Remembered<number>(10, () => 0);
    for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) remembered.set(key, value, 10);
    remembered.delete('a');
    remembered.deleteWhere((value) => value === 2);
    expect(['a', 'b', 'c'].map((key) => remembered.get(key))).toEqual([undefined, undefined, 3]);
  });
});
