import type { Address } from '@mintage/protocol';
import type { ChainEvent } from '../handlers/events.ts';

/** The program has told an event that nobody showed us. */
export class MissingEventError extends Error {
  readonly account: Address;

  constructor(account: Address, number: number) {
    super(`event ${number} of ${account} is missing: no provider lists its transaction`);
    this.name = 'MissingEventError';
    this.account = account;
  }
}

/**
 * That these events have every number after those that the tables have.
 *
 * @returns The accounts that numbered some of them.
 * @throws MissingEventError when there is a gap.
 */
export const requireEveryNumber = (
  events: readonly ChainEvent[],
  numbers: ReadonlyMap<Address, number>,
): ReadonlySet<Address> => {
  const next = new Map<Address, number>();
  for (const event of events) {
    if (event.name !== 'Numbered') continue;
    const { account, number } = event;
    const expected = next.get(account) ?? numbers.get(account) ?? 0;
    if (number > expected) throw new MissingEventError(account, expected);
    if (number < expected) throw new Error(`${account} told its event ${number} twice`);
    next.set(account, expected + 1);
  }
  return new Set(next.keys());
};
