import { expect, test } from 'vitest';
import { type KillableChain, killSigners } from './killSigners.ts';

/** The big run of the same code is `npm run kill-signer -- --kills 100 --intents 1000 --chain CHAIN`. */

const happensOnce = async (chain: KillableChain, fewest: number): Promise<void> => {
  const seed = Number(process.env.SEED ?? 1);
  const kills = Number(process.env.KILLS ?? fewest);
  const intents = Number(process.env.INTENTS ?? 20);
  const outcome = await killSigners({ chain, seed, kills, intents, signers: 2, wallets: 5 });
  expect(outcome, `seed ${seed}`).toMatchObject({ lost: 0, doubled: 0 });
  expect(Object.values(outcome.kills).reduce((a, b) => a + b, 0)).toBe(kills);
  expect(outcome.intents).toBeGreaterThanOrEqual(intents);
};

test('W1 kill -9 of signers at every point and at random: every step happens exactly once', () =>
  happensOnce('base-sepolia', 5));

test('W1 S112 kill -9 of signers on Solana, forks and lifetimes that pass: every step happens exactly once', () =>
  happensOnce('solana-devnet', 8));
