import { defineConfig } from 'vitest/config';

/** For `heartbeat.test.ts`: tests of which one hangs, with the limits of a run in small. */
export default defineConfig({
  test: {
    include: ['scripts/testing/hung/waits.ts'],
    setupFiles: ['scripts/testing/heartbeat.ts'],
    testTimeout: 1_000,
    hookTimeout: 1_000,
    expect: { poll: { timeout: 500 } },
    isolate: false,
  },
});
