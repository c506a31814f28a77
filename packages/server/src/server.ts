/** The service without its entry: devnet starts it over local chains, `main.ts` over real ones. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chainBySlug, type Slug } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { deploymentOf } from './chain/deployments.ts';
import type { ServedChain } from './chain/servedChain.ts';
import { type Closers, createClosers } from './closers.ts';
import { type Config, refuseUnservableChains } from './config.ts';
import { createLog } from './createLog.ts';
import type { Database } from './db/chainTables.ts';
import type { Line } from './line.ts';
import { lockFolder } from './lock.ts';
import { openStorage } from './openStorage.ts';
import { type Roles, signerKeysOf, startRoles } from './roles.ts';

export { buildPages } from './buildPages.ts';
export type { ServedChain } from './chain/servedChain.ts';
export { type Closers, createClosers } from './closers.ts';
export { type Config, configFromEnv, refuseUnservableChains } from './config.ts';
export { createLog } from './createLog.ts';
export { followersOf, signingOf } from './families.ts';
export { lockFolder } from './lock.ts';
export { openStorage, type Storage } from './openStorage.ts';
export { readyFacts, readyLines } from './readyLines.ts';
export { type Roles, signerKeysOf, startRoles } from './roles.ts';
export { runUntilStopped } from './runUntilStopped.ts';

export interface ServerOptions {
  /** Of a worker: the line to the process that started it. */
  primary?: Line | undefined;
  log?: Logger;
  /** Without a new block for so long nothing is quoted or prepared, milliseconds; absent: what is usual on each chain. */
  staleAfterMs?: number | undefined;
  /** Pause between two looks of the signer at what is open, milliseconds; absent: its default. */
  signerPollMs?: number | undefined;
}

export interface Server extends Roles {
  config: Config;
  db: Kysely<Database>;
  /** Ends everything that the start began, and nothing else. */
  stop(): Promise<void>;
}

/**
 * Starts the parts that `ROLES` names over the configured chains, and returns when the first request can be served. The index
 * may then read for hours; `/ready` tells when it is at the head.
 *
 * @throws When a part does not start; those that did are ended first.
 */
export const startServer = async (config: Config, options: ServerOptions = {}): Promise<Server> => {
  const closers = createClosers();
  try {
    return await start(config, options, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
};

const start = async (config: Config, options: ServerOptions, closers: Closers): Promise<Server> => {
  refuseUnservableChains(config);
  const log = options.log ?? createLog(config.logLevel);
  const home = resolve(config.home);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  // Processes with one database server between them may share a folder: they only read it.
  if (config.databaseUrl === null) closers.add(lockFolder(home));
  const signerKeys = await signerKeysOf(config);
  const { staleAfterMs, signerPollMs, primary } = options;
  const chains = config.chains.map((slug) => ({ ...servedByProvider(config, slug), staleAfterMs }));
  const { url, servers, db } = await openStorage(config, log, closers);
  const roles = await startRoles({
    config,
    databaseUrl: url,
    servers,
    db,
    chains,
    log,
    closers,
    signerKeys,
    signerPollMs,
    primary,
  });
  return { ...roles, config, db, stop: closers.closeAll };
};

const servedByProvider = (config: Config, slug: Slug): ServedChain => {
  const chain = chainBySlug(slug);
  const rpcUrls = config.rpcUrls.get(slug) ?? [];
  return { chain, deployment: deploymentOf(chain, resolve(config.home, 'deployments')), rpcUrls };
};
