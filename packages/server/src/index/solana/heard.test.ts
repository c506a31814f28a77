import type { Hash } from '@mintage/protocol';
import { describe, expect, test } from 'vitest';
import { Heard } from './heard.ts';

const listed = (slot: number, name: string, hasFailed = false) => ({ signature: name as Hash, slot, hasFailed });
const heardOf = (...slots: number[]): Heard => {
  const heard = new Heard();
  heard.add(slots.map((slot, i) => listed(slot, `${slot}-${i}`)).toReversed());
  return heard;
};
const slotsOf = ({ listed: list, to }: ReturnType<Heard['next']>) => [list.map(({ slot }) => slot), to];

describe('Heard', () => {
  test('next: whole slots in order, and all of a slot that is larger than a page', () => {
    const heard = heardOf(1, 2, 2, 3, 5, 5, 5, 9);
    expect(slotsOf(heard.next(1, 20, 10))).toEqual([[1, 2, 2, 3, 5, 5, 5, 9], 20]);
    expect(slotsOf(heard.next(1, 20, 2))).toEqual([[1], 1]);
    expect(slotsOf(heard.next(2, 20, 3))).toEqual([[2, 2, 3], 3]);
    expect(slotsOf(heard.next(4, 20, 2))).toEqual([[5, 5, 5], 5]);
    expect(slotsOf(heard.next(2, 4, 3))).toEqual([[2, 2, 3], 4]);
    expect(slotsOf(heard.next(10, 20, 1))).toEqual([[], 20]);
  });

  test('forget: what is final, or listed anew', () => {
    const heard = heardOf(1, 2, 3, 4);
    heard.forget(1);
    heard.forgetAbove(3);
    expect(slotsOf(heard.next(0, 9, 10))).toEqual([[2, 3], 9]);
  });

  test('add: a transaction counts as failed when all say so, and where it was named last', () => {
    const heard = new Heard();
    heard.add([listed(3, 'a', true), listed(3, 'b', true)]);
    heard.add([listed(3, 'a', false), listed(4, 'b', true)]);
    heard.add([listed(3, 'a', true)]);
    expect(heard.next(0, 9, 10).listed).toEqual([listed(3, 'a', false), listed(4, 'b', true)]);
  });
});
