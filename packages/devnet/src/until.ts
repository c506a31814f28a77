import { setTimeout as sleep } from 'node:timers/promises';

/** Less than the runner gives a test, so that one that hangs says what it waited for; as `expect.poll` in vitest.config.ts. */
const longestMs = process.env.TEST_AT_SIZE === '1' ? 900_000 : 90_000;
/** Between looks: an eighth of the wait so far, within these. Each look costs CPU that the others' work would use. */
const [shortestRestMs, longestRestMs] = [20, 250];

/**
 * Looks again and again until there is something, and returns it. For what a test waits for: no other time limit stands in the way
 * of a slow machine.
 *
 * @throws Error with the source of `look` when there is still nothing long after any machine would have it; what `look` throws.
 */
export const until = async <Found>(look: () => Promise<Found> | Found): Promise<Exclude<NonNullable<Found>, false>> => {
  const begunMs = performance.now();
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<NonNullable<Found>, false>;
    const waitedMs = performance.now() - begunMs;
    if (waitedMs > longestMs) throw new Error(`Waited ${longestMs / 1_000} s in vain until ${look}`);
    await sleep(Math.min(Math.max(waitedMs / 8, shortestRestMs), longestRestMs));
  }
};
