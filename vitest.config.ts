import { relative } from 'node:path';
import { defaultExclude, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { sizes } from './scripts/testing/sizes.ts';
import { reachOf, type TestKind, testKinds } from './scripts/testKinds.ts';

const kinds: readonly TestKind[] = ['system', 'database', 'alone'];

/** What starts whole systems comes first, however short its file is: the quick ones fill the cores at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const kindOf = testKinds();
    const rank = ({ moduleId }: TestSpecification): number =>
      kinds.indexOf(kindOf.get(relative(import.meta.dirname, moduleId)) ?? 'alone');
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's method, not a list's
    const largestFirst = await super.sort(files);
    return largestFirst.toSorted((one, other) => rank(one) - rank(other));
  }
}

// A campaign whose size is set by hand has no time limit; workers, `until` and the reporter read it too.
if (sizes.some((name) => process.env[name])) process.env.TEST_AT_SIZE ??= '1';
const isAtSize = process.env.TEST_AT_SIZE === '1';
const longestMs = 2 ** 31 - 1;

/** Tests of components: Node reads no JSX. */
const ofComponents = [...testKinds().keys()].filter((path) => [...reachOf(path)].some((file) => file.endsWith('.tsx')));
const include = ['packages/*/{src,test,script}/**/*.test.ts', 'scripts/**/*.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['scripts/testing/leftovers.ts', 'scripts/testing/heartbeat.ts', 'scripts/statements/note.ts'],
    // These only end what hangs, and a poll says what it waited for before its test is ended.
    testTimeout: isAtSize ? longestMs : 120_000,
    hookTimeout: isAtSize ? longestMs : 120_000,
    // Waiting costs CPU: at Vitest's own interval of 50 ms, three deep files take a fifth more than at 250.
    expect: { poll: { interval: 150, timeout: isAtSize ? 900_000 : 90_000 } },
    slowTestThreshold: 10_000,
    // More than two cores, so that both stay busy while files wait for a block or for another process, also beside other work: beside
    // two busy loops the quick set takes 462 s with four workers, 376 s with six; the deep set takes the same with six or eight.
    maxWorkers: 6,
    // The files of a worker share its modules and its embedded PostgreSQL; none of them replaces a module.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Whole systems that tests start, in this process or as `npm start`, run beside each other: each takes free ports.
    env: { PORT: '0', CHAIN_PORT: '0', ISSUER_PORT: '0' },
    // Node itself loads all others, as it loads what ships: Vite's module runner takes half as much CPU again.
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include,
          exclude: [...defaultExclude, ...ofComponents],
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      { extends: true, test: { name: 'components', include: ofComponents } },
    ],
  },
});
