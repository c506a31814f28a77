/**
 * The API as a process of its own over chains of this machine. A process over providers refuses them: a local cluster has a genesis of
 * its own.
 */
import {
  configFromEnv,
  createClosers,
  createLog,
  openStorage,
  type ServedChain,
  startRoles,
} from '../packages/server/src/server.ts';

const chains = JSON.parse(process.env.SERVED as string) as ServedChain[];
const config = configFromEnv(process.env);
const log = createLog(config.logLevel);
const closers = createClosers();
const { url, db } = await openStorage(config, log, closers);
await startRoles({ config, databaseUrl: url, db, chains, log, closers, signerKeys: null });
process.once('SIGTERM', () => void closers.closeAll());
