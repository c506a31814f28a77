import type { Address } from '@mintage/protocol';
import { describe, expect, test } from 'vitest';
import type { ChainEvent } from '../handlers/events.ts';
import { MissingEventError, requireEveryNumber } from './numbers.ts';

const [launch, user] = ['L'.repeat(44), 'U'.repeat(44)] as [Address, Address];
const told = (account: Address, number: number) => ({ name: 'Numbered', account, number }) as ChainEvent;

describe('requireEveryNumber', () => {
  test('default: each account goes on where the tables end', () => {
    const numbers = new Map([[launch, 4]]);
    expect(requireEveryNumber([told(launch, 4), told(user, 0), told(launch, 5)], numbers)).toEqual(
      new Set([launch, user]),
    );
    expect(requireEveryNumber([], numbers)).toEqual(new Set());
  });

  test('error: a gap, at the beginning, in the middle, and of an account that is new', () => {
    const numbers = new Map([[launch, 4]]);
    for (const list of [[told(launch, 5)], [told(launch, 4), told(launch, 6)], [told(user, 1)]])
      expect(() => requireEveryNumber(list, numbers)).toThrow(MissingEventError);
  });

  test('error: a number twice', () => {
    expect(() => requireEveryNumber([told(launch, 3)], new Map([[launch, 4]]))).toThrow('twice');
    expect(() => requireEveryNumber([told(launch, 0), told(launch, 0)], new Map())).toThrow('twice');
  });
});
