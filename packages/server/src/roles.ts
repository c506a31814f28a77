import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { RunningApi } from './api/main.ts';
import type { ServedChain } from './chain/servedChain.ts';
import type { Closers } from './closers.ts';
import type { Config } from './config.ts';
import type { Database } from './db/chainTables.ts';
import { openDatabase } from './db/openDatabase.ts';
import { openReaders } from './db/readers.ts';
import type { Servers } from './db/servers.ts';
import { type ChainFamilies, clientsOf, followersOf, signingOf } from './families.ts';
import type { Indexer } from './index/indexer.ts';
import type { KeyEncryption } from './keys/keyEncryption.ts';
import type { Line } from './line.ts';

export interface RolesConfig {
  config: Config;
  /** For connections of the API's own. */
  databaseUrl: string;
  /** Of a database with several servers. */
  servers?: Servers | undefined;
  /** With all tables. */
  db: Kysely<Database>;
  chains: readonly ServedChain[];
  /** What serves them; absent: the families of this service. */
  families?: ChainFamilies;
  log: Logger;
  /** Takes what ends each part. */
  closers: Closers;
  /** From `signerKeysOf`. */
  signerKeys: KeyEncryption | null;
  /** Private key of the voucher signer; absent: the one in the configured file, if any. */
  voucherKey?: `0x${string}`;
  /** Pause between two looks of the signer at what is open, milliseconds; absent: its default. */
  signerPollMs?: number | undefined;
  /** Of a worker: the line to the process that started it. */
  primary?: Line | undefined;
}

/**
 * What seals and opens wallets; null where `ROLES` has no signer. Asked for before the database is touched, so that a missing
 * key is told before a migration that cannot be taken back.
 *
 * @throws Error, one sentence, when no key-encryption key is configured or one is unusable.
 */
export const signerKeysOf = async (config: Config): Promise<KeyEncryption | null> => {
  if (!config.roles.has('signer')) return null;
  const { keysOf } = await import('./keys/keysOf.ts');
  return keysOf(config);
};

/** What runs in this process: null for what `ROLES` leaves out. */
export interface Roles {
  indexer: Indexer | null;
  api: RunningApi | null;
}

/**
 * Starts what `ROLES` names, and loads nothing else: a signer's process never holds code of the API, and the API's never what
 * opens a wallet. docs/decisions/0027-roles.md
 */
export const startRoles = async (options: RolesConfig): Promise<Roles> => {
  const { config, chains, log, closers, signerKeys } = options;
  if (config.traces !== null) {
    const { exportTraces } = await import('./exportTraces.ts');
    closers.add(exportTraces(config.traces, nameOf(config), log));
  }
  const indexer = config.roles.has('indexer') ? await startIndexing(options) : null;
  if (signerKeys !== null) await startSigning(options, signerKeys);
  const api = config.roles.has('api') ? await startServing(options) : null;
  log.info({ roles: [...config.roles], chains: chains.map(({ chain }) => chain.slug) }, 'Ready.');
  return { indexer, api };
};

/** `mintage-signer`; without the role where one process has several. */
const nameOf = ({ platformSlug, roles }: Config): string =>
  roles.size === 1 ? [platformSlug, ...roles].join('-') : platformSlug;

const startIndexing = async ({ config, db, chains, families, log, closers }: RolesConfig): Promise<Indexer> => {
  const { startIndexer } = await import('./index/indexer.ts');
  const { historyMonths } = config;
  const indexer = await startIndexer({
    db,
    chains,
    createFollower: await followersOf(chains, families),
    log,
    historyMonths,
  });
  closers.add(indexer.stop);
  return indexer;
};

const startSigning = async (
  { config, db, chains, families, log, closers, signerPollMs }: RolesConfig,
  keys: KeyEncryption,
): Promise<void> => {
  const { openSigningLog, startSigner, verifyIntents } = await import('./sign/signer.ts');
  const { intentPublicKeysOf } = await import('./keys/intentKeys.ts');
  const { recipientDelayHours, maxBuilderFeeBps, maxApprovalUsd, maxUsdPerDay, maxCoinsPerDay, keeperPerDay } = config;
  const keeper = keeperPerDay === null ? undefined : { perDay: keeperPerDay };
  const policy = { recipientDelayHours, maxBuilderFeeBps, maxApprovalUsd, maxUsdPerDay, maxCoinsPerDay };
  const signer = await startSigner({
    db,
    chains,
    families: await signingOf(chains, families),
    keys,
    intents: await verifyIntents(intentPublicKeysOf(config), Date.now),
    signingLog: await openSigningLog(config.signingLog, Date.now),
    log,
    policy,
    keeper,
    pollMs: signerPollMs,
  });
  closers.add(signer.stop);
};

/**
 * Statement timeout of the API, milliseconds: longer than a request may take, after which nobody waits for the
 * statement.
 */
const apiStatementTimeoutMs = 20_000;

/** How long reads of the API wait for a database that says nothing at all; their callers then get a 503 within three seconds. */
const apiSilentAfterMs = 2_500;

/** Starts the API with database connections of its own, so that requests take none from indexing and signing. */
const startServing = async ({
  config,
  databaseUrl,
  servers,
  chains,
  families,
  log,
  closers,
  voucherKey,
  primary,
}: RolesConfig): Promise<RunningApi> => {
  const { startApi } = await import('./api/main.ts');
  const options = { statementTimeoutMs: apiStatementTimeoutMs, silentAfterMs: apiSilentAfterMs };
  const db: Kysely<Database> = openDatabase(databaseUrl, { ...options, servers });
  closers.add(() => db.destroy());
  const readers = servers && openReaders(servers, options);
  if (readers !== undefined) closers.add(readers.stop);
  const createClient = await clientsOf(chains, families);
  const api = await startApi({
    config,
    db,
    readers,
    chains,
    createClient,
    log,
    primary,
    ...(voucherKey && { voucherKey }),
  });
  closers.add(api.stop);
  return api;
};
