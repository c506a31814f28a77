/**
 * The service over real chains: `node packages/server/src/main.ts`, or `npm start` with a provider set. Configuration by
 * environment: docs/configuration.md.
 */
import { configFromEnv } from './config.ts';
import { fail, runUntilStopped } from './runUntilStopped.ts';
import { startServer } from './server.ts';

const startedAt = performance.now();

const main = (): Promise<void> => {
  const config = configFromEnv(process.env);
  if (config.devnet) throw new Error('Local chains are started by `npm start`: set RPC_URL_<SLUG> to serve real ones.');
  return runUntilStopped(startServer(config), ({ api }) => {
    const parts = `${[...config.roles].join(', ')} for ${config.chains.join(', ')}`;
    const lines = [`Mintage is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${parts}.`, ''];
    if (api !== null) {
      const { publicUrl } = api.context.config;
      lines.push(`API    ${publicUrl}/functions/v1`, `Docs   ${publicUrl}/functions/v1/docs`);
    }
    return lines.join('\n');
  });
};

try {
  await main();
} catch (error) {
  fail(error);
}
