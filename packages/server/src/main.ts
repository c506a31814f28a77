/**
 * The service over real chains: `node packages/server/src/main.ts`, or `npm start` with a provider set. Configuration by
 * environment: docs/configuration.md.
 */
import { buildPages } from './buildPages.ts';
import { configFromEnv } from './config.ts';
import { readyFacts, readyLines } from './readyLines.ts';
import { fail, runUntilStopped } from './runUntilStopped.ts';
import { startServer } from './server.ts';

const startedAt = performance.now();

const main = (): Promise<void> => {
  const config = configFromEnv(process.env);
  if (config.devnet) throw new Error('Local chains are started by `npm start`: set RPC_URL_<SLUG> to serve real ones.');
  return runUntilStopped(startServer(config), ({ api }) => {
    void buildPages(api?.url ?? null);
    const facts = [config, api?.context.config ?? null, performance.now() - startedAt] as const;
    return process.argv.includes('--json') ? JSON.stringify(readyFacts(...facts)) : readyLines(...facts).join('\n');
  });
};

try {
  await main();
} catch (error) {
  fail(error);
}
