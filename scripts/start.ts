/** `npm start`: over local chains unless a provider is configured. Configuration by environment: docs/configuration.md. */
import { configFromEnv } from '../packages/server/src/config.ts';
import { fail } from '../packages/server/src/runUntilStopped.ts';

const usage = `Usage: npm start [-- --json]

Takes no words: variables configure it (docs/configuration.md). With --json it says that it is ready, and where, in one document.`;

const words = process.argv.slice(2).filter((word) => word !== '--json');
if (words.length > 0) {
  const isHelp = words[0] === '--help';
  if (isHelp) console.log(usage);
  else
    console.error(
      process.argv.includes('--json') ? JSON.stringify({ success: false, code: null, error: usage }) : usage,
    );
  process.exit(isHelp ? 0 : 2);
}

const isDevnet = (): boolean => {
  try {
    return configFromEnv(process.env).devnet;
  } catch (error) {
    return fail(error);
  }
};
await (isDevnet() ? import('../packages/devnet/src/main.ts') : import('../packages/server/src/main.ts'));
