import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type Config,
  configFromEnv,
  createLog,
  createMedia,
  type Media,
  type RunningApi,
  refuseUnservableChains,
  type ServedChainConfig,
  type ServiceDatabase,
  serviceMigrations,
  startApi,
} from '@mintage/api';
import { deploymentOf } from '@mintage/contracts/deploy';
import { type Indexer, startIndexer } from '@mintage/indexer';
import { chainMigrations, type Database, migrate, openDatabase, startDatabase, watchClock } from '@mintage/indexer/db';
import { chainBySlug } from '@mintage/protocol';
import { startSigner } from '@mintage/signer';
import { type SignerDatabase, signerMigrations } from '@mintage/signer/db';
import { type KeyEncryption, keysOf } from '@mintage/signer/keys';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { devKey } from './accounts.ts';
import { keptStates } from './anvil.ts';
import { type DevChain, startChains } from './chains.ts';
import { type Closers, createClosers } from './closers.ts';
import { openFaucet, startFaucet } from './faucet.ts';
import { forgetLostChain } from './forgetLostChain.ts';
import { freePort } from './freePort.ts';
import { type LocalIssuer, startLocalIssuer } from './localIssuer.ts';
import { lockFolder } from './lock.ts';
import { seedChain } from './seed.ts';
import { createSeedMetadata, recordSeeds, type SeedMetadata } from './seedRecords.ts';

export interface SystemOptions {
  /**
   * The configuration's variables (docs/configuration.md). What is absent has its usual default, but: no `PORT`, no
   * `CHAIN_PORT` and no `ISSUER_PORT`, or 0, take free ones, no `MINTAGE_HOME` a temporary folder that is removed at the end.
   */
  env?: Readonly<Record<string, string | undefined>>;
  /** Fill new local chains with tokens; default true. */
  seed?: boolean;
  /** Local chains also mine an empty block every second; default true. Of chains without it no new block is expected. */
  heartbeat?: boolean;
  /** Without a new block for so long nothing is quoted or prepared on a chain; absent: as usual on that chain. */
  staleAfterMs?: number;
  log?: Logger;
}

/** The parts that `ROLES` names, in this process; on a laptop also the chains and the database beside it. */
export interface System {
  /** Where the API is, without the base path; null when `ROLES` has no `api`. */
  url: string | null;
  config: Config;
  /** Where people without a wallet sign in (`localIssuer.ts`); null without local chains or without the role `api`. */
  issuerUrl: string | null;
  /** The local chains; empty when real ones are served. */
  chains: DevChain[];
  db: Kysely<ServiceDatabase>;
  api: RunningApi | null;
  /** Resolves once the index holds what the chains held at the call; at once without the role `indexer`. */
  caughtUp(): Promise<void>;
  /** Ends everything that this call started, and nothing else. */
  stop(): Promise<void>;
}

/**
 * Starts the parts that `ROLES` names, before them the local chains and the embedded database where they are wanted, and
 * returns when the first request can be served. On a laptop the index is then at the head; over real chains it may read for
 * hours, and `/ready` tells when it is there.
 *
 * @throws When a part does not start; those that did are ended first.
 */
export const startSystem = async (options: SystemOptions = {}): Promise<System> => {
  const closers = createClosers();
  try {
    return await start(options, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
};

const start = async (options: SystemOptions, closers: Closers): Promise<System> => {
  const env = { ...options.env };
  env.MINTAGE_HOME ||= temporaryHome(closers);
  // Chosen here, because addresses of pictures are stored before the API is up.
  if (env.PORT === undefined || env.PORT === '' || env.PORT === '0') env.PORT = String(await freePort());
  env.CHAIN_PORT ||= '0';
  env.ISSUER_PORT ||= '0';
  const configured = configFromEnv(env);
  refuseUnservableChains(configured);
  const issuer = await startIssuer(configured, closers);
  const config = withIssuer(configured, issuer);
  const log = options.log ?? createLog(config.logLevel);
  const home = resolve(config.home);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  // Processes with one server between them may share a folder: they only read it.
  if (config.devnet || config.databaseUrl === null) closers.add(lockFolder(home));
  const keys = config.roles.has('signer') ? keysOf(config) : null;

  const storage = openStorage(config, closers);
  const metadata = createSeedMetadata(async () => (await storage).media);
  const [opened, started] = await Promise.allSettled([
    storage,
    config.devnet ? startLocalChains(config, home, metadata, options, log, closers) : [],
  ]);
  if (opened.status === 'rejected') throw opened.reason;
  if (started.status === 'rejected') throw started.reason;
  const { url, db, chainDb } = opened.value;
  const local = started.value;
  const tell = (line: string) => log.warn(line);
  closers.add(watchClock(chainDb, { tell, refuse: endProcess }));

  for (const chain of local) {
    chain.ended.then(
      () => closers.isClosing || log.error({ chain: chain.chain.slug }, 'The local chain ended by itself.'),
    );
    if (options.seed ?? true) await recordSeeds(chain, db, metadata);
    if (await forgetLostChain(chainDb, chain))
      log.warn({ chain: chain.chain.slug }, 'The index of this chain begins anew: the chain is another than before.');
  }
  if (local.length > 0) await startFilling(chainDb, local, log, closers);
  const served = config.devnet ? local.map(servedLocally) : config.chains.map((slug) => servedByProvider(config, slug));
  const indexer = config.roles.has('indexer') ? await startIndexing(chainDb, served, log, closers) : null;
  if (keys !== null) await startSigning(keys, chainDb, config, served, log, closers);
  const api = config.roles.has('api')
    ? await startServing(config, url, served.map(stale(options)), log, closers)
    : null;
  if (config.devnet) await indexer?.caughtUp();
  log.info({ roles: [...config.roles], chains: served.map(({ chain }) => chain.slug) }, 'Ready.');
  return {
    url: api?.url ?? null,
    config,
    issuerUrl: issuer?.url ?? null,
    chains: local,
    db,
    api,
    caughtUp: async () => indexer?.caughtUp(),
    stop: closers.closeAll,
  };
};

const stale =
  ({ heartbeat = true, staleAfterMs = heartbeat ? undefined : Number.POSITIVE_INFINITY }: SystemOptions) =>
  (served: ServedChainConfig): ServedChainConfig => ({
    ...served,
    ...(staleAfterMs === undefined ? {} : { staleAfterMs }),
  });

const startIssuer = async (config: Config, closers: Closers): Promise<LocalIssuer | null> => {
  if (!config.devnet || !config.roles.has('api')) return null;
  const issuer = await startLocalIssuer(config.platformSlug, config.issuerPort);
  closers.add(issuer.stop);
  return issuer;
};

const withIssuer = (config: Config, issuer: LocalIssuer | null): Config =>
  issuer === null ? config : { ...config, jwtIssuers: [...config.jwtIssuers, issuer.trusted] };

/** The embedded database may run as another user, who has to reach it. */
const temporaryHome = (closers: Closers): string => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-'));
  chmodSync(home, 0o755);
  closers.add(() => rmSync(home, { recursive: true, force: true }));
  return home;
};

interface Storage {
  url: string;
  db: Kysely<ServiceDatabase>;
  /** The same connection, for those who know the chain tables only. */
  chainDb: Kysely<Database>;
  media: Media;
}

const openStorage = async (config: Config, closers: Closers): Promise<Storage> => {
  const url = config.databaseUrl ?? undefined;
  const database = await startDatabase({ home: resolve(config.home), ...(url === undefined ? {} : { url }) });
  closers.add(database.stop);
  await migrate(database.db, chainMigrations);
  await migrate(database.db, serviceMigrations);
  await migrate(database.db, signerMigrations);
  const db = database.db.withTables<ServiceDatabase>();
  const media = createMedia(config, db);
  closers.add(media.close);
  return { url: database.url, db, chainDb: database.db, media };
};

const startLocalChains = async (
  config: Config,
  home: string,
  metadata: SeedMetadata,
  { seed = true, heartbeat = true }: SystemOptions,
  log: Logger,
  closers: Closers,
): Promise<DevChain[]> => {
  const { chains, stop } = await startChains(config.chains, {
    dataDir: join(home, 'chains'),
    heartbeat,
    log: (line) => log.warn(line),
    ...(config.chainPort === 0 ? {} : { firstPort: { number: config.chainPort, variable: 'CHAIN_PORT' } }),
    ...(seed
      ? {
          seed: (chain) => seedChain(chain, { uriOf: async (token) => (await metadata(token)).tokenUri }),
        }
      : {}),
  });
  closers.add(stop);
  return chains;
};

const servedLocally = ({ chain, deployment, rpcUrl }: DevChain): ServedChainConfig => ({
  chain,
  deployment,
  rpcUrls: [rpcUrl],
  local: true,
});

const servedByProvider = (config: Config, slug: Config['chains'][number]): ServedChainConfig => {
  const chain = chainBySlug(slug);
  if (!chain?.chainId) throw new Error(`${slug} is not an EVM chain and cannot be served yet.`);
  const rpcUrls = config.rpcUrls.get(slug) ?? [];
  return { chain, deployment: deploymentOf(chain.chainId, resolve(config.home, 'deployments')), rpcUrls };
};

const startIndexing = async (
  db: Kysely<Database>,
  served: readonly ServedChainConfig[],
  log: Logger,
  closers: Closers,
): Promise<Indexer> => {
  const chains = served.map(({ local, ...chain }) => ({
    ...chain,
    // A local chain keeps no older states, so it cannot be reorganised further back.
    ...(local ? { finalityBlocks: keptStates } : {}),
  }));
  const indexer = await startIndexer({ db, chains, log });
  closers.add(indexer.stop);
  return indexer;
};

/** On a local chain things are to become final while one looks on; it is reorganised by tests only. */
const localFinalityBlocks = 5;

const startSigning = async (
  keys: KeyEncryption,
  db: Kysely<Database>,
  { recipientDelayHours, maxBuilderFeeBps, maxApprovalUsd, keeperPerDay }: Config,
  served: readonly ServedChainConfig[],
  log: Logger,
  closers: Closers,
): Promise<void> => {
  const chains = served.map(({ local, ...chain }) => ({
    ...chain,
    ...(local ? { finalityBlocks: localFinalityBlocks } : {}),
  }));
  const keeper = keeperPerDay === null ? undefined : { perDay: keeperPerDay };
  const policy = { recipientDelayHours, maxBuilderFeeBps, maxApprovalUsd };
  const signer = await startSigner({ db, chains, keys, log, policy, keeper });
  closers.add(signer.stop);
};

const startFilling = async (
  db: Kysely<Database>,
  chains: readonly DevChain[],
  log: Logger,
  closers: Closers,
): Promise<void> => {
  await Promise.all(chains.map(openFaucet));
  const faucet = startFaucet(db.withTables<SignerDatabase>(), chains, log);
  closers.add(faucet.stop);
};

/** As an error that nobody caught, which ends the process in order: a supervisor starts it again. */
const endProcess = (error: Error): void => {
  setImmediate(() => {
    throw error;
  });
};

/** Beyond the time in which a request is answered, nobody waits for a statement. */
const apiStatementTimeoutMs = 20_000;

/** The API has connections of its own, so that what people ask takes none from indexing and signing. */
const startServing = async (
  config: Config,
  databaseUrl: string,
  chains: readonly ServedChainConfig[],
  log: Logger,
  closers: Closers,
): Promise<RunningApi> => {
  const db: Kysely<Database> = openDatabase(databaseUrl, { statementTimeoutMs: apiStatementTimeoutMs });
  closers.add(() => db.destroy());
  const api = await startApi({
    config,
    db,
    chains,
    log,
    // Local chains know the signer that everybody knows.
    ...(config.devnet ? { voucherKey: devKey('voucherSigner') } : {}),
  });
  closers.add(api.stop);
  return api;
};
