/**
 * `npm run kill-signer -- --kills 100 --intents 1000 [--chain solana-devnet] [--signers 2] [--seed S]`: the kill test of
 * packages/server/test/sign as a big run. Signers are killed with SIGKILL at every point and at random, on a real local chain
 * with reorgs and a real database; the chain is then asked how often each step happened. Exits 1 unless it is once. A release
 * has 1,000 kills and 10,000 intents on `base-sepolia`.
 */
import { parseArgs } from 'node:util';
import { grounds, type KillableChain, killSigners } from '../packages/server/test/sign/kill/killSigners.ts';

const { values } = parseArgs({
  options: {
    chain: { type: 'string', default: 'base-sepolia' },
    kills: { type: 'string', default: '100' },
    intents: { type: 'string', default: '1000' },
    signers: { type: 'string', default: '2' },
    wallets: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
const [kills, intents, signers] = [Number(values.kills), Number(values.intents), Number(values.signers)];
const [wallets, seed] = [Number(values.wallets), Number(values.seed)];
if (!(values.chain in grounds)) throw new Error(`--chain is one of ${Object.keys(grounds).join(', ')}.`);
const chain = values.chain as KillableChain;
const plan = { chain, seed, kills, intents, signers, wallets };
const outcome = await killSigners({ ...plan, tell: (line) => console.log(line) });
for (const [point, count] of Object.entries(outcome.kills)) console.log(`${String(count).padStart(5)} ${point}`);
console.log(
  `${kills} kills, ${outcome.intents} intents of ${outcome.steps} steps, ${outcome.reorgs} reorgs, ` +
    `${outcome.signedAgain} signed again: ${outcome.lost} lost, ${outcome.doubled} doubled (seed ${seed})`,
);
process.exitCode = outcome.lost + outcome.doubled > 0 ? 1 : 0;
