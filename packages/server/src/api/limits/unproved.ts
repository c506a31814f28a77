import { MintageError } from '@mintage/protocol';
import { clientAddress } from './clientAddress.ts';
import type { Limited, Limiter, LimitKind } from './limiter.ts';

/**
 * Requests that a wallet signs: whose they are is known only after a costly check. So they are counted afterwards, those of a user as the
 * user's, and all others as the address's. An address that has used up its allowance is refused before the check.
 */
export interface Unproved {
  /** @throws MintageError RATE_LIMIT_EXCEEDED when too many of this address proved to be no user's. */
  requireRoom(address: string): void;
  /** Counts a request that proved to be no user's. */
  count(kind: LimitKind, address: string): Promise<Limited>;
}

const mostRemembered = 10_000;

/** @param now - A clock in milliseconds that never jumps. */
export const createUnproved = (limiter: Limiter, now: () => number = () => performance.now()): Unproved => {
  /** When the next request of an address is admitted, of those whose allowance is used up. */
  const usedUp = new Map<string, number>();
  return {
    requireRoom(address) {
      const leftMs = (usedUp.get(clientAddress(address)) ?? 0) - now();
      if (leftMs <= 0) return;
      throw new MintageError(
        'RATE_LIMIT_EXCEEDED',
        'Too many requests of your address were signed by no registered wallet',
        {
          details: { retryAfterSeconds: Math.ceil(leftMs / 1_000) },
        },
      );
    },
    async count(kind, address) {
      const taken = await limiter.take(kind, null, address);
      if (taken.remaining === 0) {
        if (usedUp.size >= mostRemembered)
          for (const [key, untilMs] of usedUp) if (untilMs <= now()) usedUp.delete(key);
        usedUp.set(clientAddress(address), now() + taken.nextInMs);
      }
      return taken;
    },
  };
};
