import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test,script}/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // More than two cores, so that both stay busy while one file waits for a block or for another process.
    maxWorkers: 3,
    // The files of a worker share its modules and its embedded PostgreSQL; none of them replaces a module.
    isolate: false,
    // Whole systems that tests start, in this process or as `npm start`, run beside each other: each takes free ports.
    env: { PORT: '0', CHAIN_PORT: '0', ISSUER_PORT: '0' },
  },
});
