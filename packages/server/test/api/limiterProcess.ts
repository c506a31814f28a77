/** A server's limiter in a process of its own: `{ calls, userId }` asks it so often at once; it answers how many were let in. */
import { pino } from 'pino';
import type { Caller } from '../../src/api/accounts/caller.ts';
import { createLimiter } from '../../src/api/limits/limiter.ts';
import { configFromEnv } from '../../src/config.ts';

export interface LimiterOrder {
  calls: number;
  userId: string;
}

const limiter = createLimiter(configFromEnv(process.env), pino({ level: 'silent' }), undefined, 120_000);

process.on('message', async ({ calls, userId }: LimiterOrder) => {
  const caller: Caller = {
    userId,
    wallets: [],
    embedded: {},
    credential: null,
    session: null,
    waitsUntilMs: null,
    newUntilMs: null,
    method: 'jwt',
    premium: false,
    scopes: ['read'],
  };
  const taken = await Promise.all(
    Array.from({ length: calls }, async () => limiter.take(undefined, caller, '127.0.0.1')),
  );
  process.send?.({ admitted: taken.filter(({ admitted }) => admitted).length, remaining: taken[0]?.remaining });
});
