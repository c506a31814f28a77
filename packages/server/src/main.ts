/**
 * The service over real chains: `node packages/server/src/main.ts`, or `npm start` with a provider set. Configuration by
 * environment: docs/configuration.md.
 */
import cluster from 'node:cluster';
import { buildPages } from './buildPages.ts';
import { type Config, configFromEnv } from './config.ts';
import { createLine, type End, isReady } from './line.ts';
import { readyFacts, readyLines } from './readyLines.ts';
import { fail, runUntilStopped } from './runUntilStopped.ts';
import { startServer } from './server.ts';

const startedAt = performance.now();

const main = async (): Promise<void> => {
  const config = configFromEnv(process.env);
  if (config.devnet) throw new Error('Local chains are started by `npm start`: set RPC_URL_<SLUG> to serve real ones.');
  if (cluster.isWorker) {
    const primary = createLine(process as unknown as End);
    return runUntilStopped(startServer(config, { primary }), async () => {
      await primary.ask(isReady);
      return null;
    });
  }
  const welcome = (served: Config | null): string => {
    const facts = [config, served, performance.now() - startedAt] as const;
    return process.argv.includes('--json') ? JSON.stringify(readyFacts(...facts)) : readyLines(...facts).join('\n');
  };
  if (config.workers > 1 && config.roles.has('api')) {
    const { startWorkers } = await import('./workers.ts');
    return runUntilStopped(startWorkers(config), (workers) => {
      void buildPages(workers.url);
      return welcome(workers.config);
    });
  }
  return runUntilStopped(startServer(config), ({ api }) => {
    void buildPages(api?.url ?? null);
    return welcome(api?.context.config ?? null);
  });
};

try {
  await main();
} catch (error) {
  fail(error);
}
