/** One of the long runs of a release. */
export interface Part {
  /** So many of `unit` for a release, and in a slice, which takes some minutes. */
  whole: number;
  slice: number;
  unit: string;
  /** Words for Node. */
  commandOf: (size: number, seed: number) => { words: string[]; env?: Record<string, string> };
  /** What it says at its end; every group is a number. */
  figures: RegExp;
}

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--disable-console-intercept', '--reporter=default'];

export const parts: Readonly<Record<string, Part>> = {
  kills: {
    whole: 1_000,
    slice: 50,
    unit: 'kills of signers',
    commandOf: (size, seed) => ({
      words: ['scripts/kill-signer.ts', '--kills', `${size}`, '--intents', `${size * 10}`, '--seed', `${seed}`],
    }),
    figures:
      /kills, (?<intents>\d+) intents of (?<steps>\d+) steps, (?<reorgs>\d+) reorgs, (?<signedAgain>\d+) signed again: (?<lost>\d+) lost, (?<doubled>\d+) doubled/,
  },
  reorgs: {
    whole: 5_000,
    slice: 250,
    unit: 'reorgs',
    commandOf: (size, seed) => ({
      // Each takes a seed for every 25 reorgs.
      words: [
        'scripts/simulate.ts',
        '--reorgs',
        `${size}`,
        '--kills',
        `${Math.ceil(size / 10)}`,
        '--seed',
        `${seed * 1_000}`,
      ],
    }),
    figures:
      /together: (?<reorgs>\d+) reorgs, (?<undone>\d+) undone.*?(?<kills>\d+) kills.*?(?<comparisons>\d+) comparisons.*?(?<differences>\d+) differences/,
  },
  differential: {
    whole: 10_000_000,
    slice: 500_000,
    unit: 'cases, TypeScript and Solidity',
    commandOf: (size, seed) => ({ words: ['scripts/prove.ts', '--cases', `${size}`, '--seed', `${seed}`] }),
    figures: /^(?<cases>\d+) cases .*: (?<differences>\d+) differences/m,
  },
  decoder: {
    whole: 1_000_000,
    slice: 100_000,
    unit: 'prepared requests',
    commandOf: (size, seed) => ({
      words: [...vitest, 'packages/server/test/api/prepared/decodePrepared.test.ts'],
      env: { CASES: `${size}`, SEED: `${seed}` },
    }),
    figures: /decode\(prepare\(x\)\) = x: SEED=\d+ CASES=(?<cases>\d+)/,
  },
  log: {
    whole: 1_000_000,
    slice: 250_000,
    unit: 'log lines',
    commandOf: (size) => ({
      words: [...vitest, 'packages/devnet/test/canary.deep.test.ts'],
      env: { CANARY_REQUESTS: `${size}` },
    }),
    figures: /(?<lines>\d+) lines searched/,
  },
};
