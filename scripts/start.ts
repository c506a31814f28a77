/** `npm start`: over local chains unless a provider is configured. Configuration by environment: docs/configuration.md. */
import { configFromEnv } from '../packages/server/src/config.ts';
import { fail } from '../packages/server/src/runUntilStopped.ts';

const isDevnet = (): boolean => {
  try {
    return configFromEnv(process.env).devnet;
  } catch (error) {
    return fail(error);
  }
};
await (isDevnet() ? import('../packages/devnet/src/main.ts') : import('../packages/server/src/main.ts'));
