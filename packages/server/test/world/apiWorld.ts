import { randomBytes } from 'node:crypto';
import { testAccounts } from '@mintage/devnet/testAccounts';
import { testDatabase } from '@mintage/devnet/testDatabase';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { buildApp, type ContextOptions, createContext } from '../../src/api/main.ts';
import type { ServiceContext } from '../../src/api/surfaces/serviceContext.ts';
import { createEvmClient } from '../../src/chain/evm/evmClient.ts';
import type { Config } from '../../src/config.ts';
import type { Db } from '../../src/db/serviceTables.ts';
import { memoryKek } from '../../src/keys/fileKek.ts';
import { newIntentKeys } from './intentKeys.ts';

/** One process of the API; it listens when its test says so. */
export interface ApiProcess {
  context: ServiceContext;
  app: FastifyInstance;
  stop(): Promise<void>;
}

/** A deployment of the API over no chains of its own, of which the other worlds without chains are made. */
export interface ApiWorld {
  /** Of the owner. */
  db: Db;
  /** Of the account that the processes have. */
  processDb: Db;
  /** Of every process; tests move it. */
  clock: { ms: number };
  /** Lines that the processes logged. */
  logged: Record<string, unknown>[];
  /** A further process on the same database, with the same keys. */
  start(config: Config): Promise<ApiProcess>;
  /** Ends every process, and drops the database. */
  stop(): Promise<void>;
}

/** What a process has beside its configuration; all of it has a default. */
export type ApiOptions = Partial<Omit<ContextOptions, 'config' | 'db'>>;

/** A busy machine may take its time for an answer: what this limit does has tests of its own. */
const patientMs = 90_000;

/** Rate limits for tests that are about something else. */
export const unlimited = JSON.stringify({
  anonymous: 1e9,
  authenticated: 1e9,
  signIn: 1e9,
  posts: 1e9,
  votes: 1e9,
  profile: 1e9,
});

export const startApiWorld = async (options: ApiOptions = {}): Promise<ApiWorld> => {
  const database = await testDatabase();
  const accounts = await testAccounts(database);
  const clock = { ms: Date.parse('2030-01-01T00:00:00Z') };
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const keys = memoryKek(randomBytes(32));
  const intentKeys = newIntentKeys();
  const processes = new Set<ApiProcess>();
  return {
    db: database.db.withTables(),
    processDb: accounts.api.db.withTables(),
    clock,
    logged,
    async start(given) {
      const config = { ...given, handlerTimeoutMs: patientMs };
      const own = { chains: [], createClient: createEvmClient, keys, intentKeys, log, now: () => clock.ms, ...options };
      const context = await createContext({ ...own, config, db: accounts.api.db });
      const app = buildApp(context);
      const started: ApiProcess = {
        // The process has the account of its role; what a test writes itself is written by the owner.
        context: new Proxy(context, {
          get: (of, name) => (name === 'db' ? database.db : Reflect.get(of, name)),
        }),
        app,
        async stop() {
          processes.delete(started);
          await app.close();
          await context.media.close();
        },
      };
      processes.add(started);
      return started;
    },
    async stop() {
      for (const started of processes) await started.stop();
      await accounts.stop();
      await database.stop();
    },
  };
};
