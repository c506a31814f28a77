import { expect, test } from 'vitest';
import { killSigners } from './killSigners.ts';

/** The big run of the same code is `npm run kill-signer -- --kills 100 --intents 1000`. */
const limitMs = 600_000; // signers that are stuck say so before

test(
  'W1 kill -9 of signers at every point and at random: every step happens exactly once',
  async () => {
    const seed = Number(process.env.SEED ?? 1);
    const kills = Number(process.env.KILLS ?? 5);
    const intents = Number(process.env.INTENTS ?? 20);
    const outcome = await killSigners({ seed, kills, intents, signers: 2, wallets: 5 });
    expect(outcome, `seed ${seed}`).toMatchObject({ lost: 0, doubled: 0 });
    expect(Object.values(outcome.kills).reduce((a, b) => a + b, 0)).toBe(kills);
    expect(outcome.intents).toBeGreaterThanOrEqual(intents);
  },
  limitMs,
);
