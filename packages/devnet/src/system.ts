import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChainType, chainBySlug, chainTypeOf, type Slug } from '@mintage/protocol';
import {
  type Closers,
  type Config,
  configFromEnv,
  createClosers,
  createLog,
  lockFolder,
  openStorage,
  type Roles,
  refuseUnservableChains,
  type ServedChain,
  type Storage,
  signerKeysOf,
  startRoles,
  startServer,
} from '@mintage/server';
import type { Media, RunningApi } from '@mintage/server/api';
import type { ServiceDatabase, SignerDatabase } from '@mintage/server/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { devKey } from './accounts.ts';
import { keptStates } from './anvil.ts';
import { type DevChain, startChains } from './chains.ts';
import { evmTap, openFaucet, solanaTap, startFaucet } from './faucet.ts';
import { forgetLostChain, type KnownChain } from './forgetLostChain.ts';
import { freePort } from './freePort.ts';
import { type Relayer, startRelayer } from './layerZero/relayer.ts';
import { layerZeroOf, localConfirmations } from './layerZero/world.ts';
import { type LocalIssuer, startLocalIssuer } from './localIssuer.ts';
import { seedChain, seedPlaceOn } from './seed.ts';
import { createSeedMetadata, recordSeeds, type SeedMetadata } from './seedRecords.ts';
import type { SeedOptions } from './seedTokens.ts';
import type { LocalSolana } from './solana/localSolana.ts';

export interface SystemOptions {
  /**
   * The configuration's variables (docs/configuration.md). What is absent has its usual default, but: no `PORT`, no
   * `CHAIN_PORT` and no `ISSUER_PORT`, or 0, take free ones, no `MINTAGE_HOME` a temporary folder that is removed at the end.
   */
  env?: Readonly<Record<string, string | undefined>>;
  /** Fill new local chains with tokens; default true. */
  seed?: boolean;
  /**
   * Local chains also mine an empty block every second; default true. Without it no new block is expected, so a chain
   * without blocks does not count as stopped.
   */
  heartbeat?: boolean;
  /**
   * Quoting and preparing on a chain stop once it has had no new block for this long, milliseconds; absent: the chain's
   * default.
   */
  staleAfterMs?: number;
  /** Pause between two looks of the signer at what is open, milliseconds; absent: as usual. */
  signerPollMs?: number;
  log?: Logger;
}

/** The parts that `ROLES` names, in this process; on a laptop also the chains and the database beside it. */
export interface System {
  /** Where the API is, without the base path; null when `ROLES` has no `api`. */
  url: string | null;
  config: Config;
  /** Where people without a wallet sign in (`localIssuer.ts`); null without local chains or without the role `api`. */
  issuerUrl: string | null;
  /** The local chains with an EVM; empty, as the next, when real ones are served. */
  chains: DevChain[];
  /** The local chains in the place of Solana clusters. */
  solana: LocalSolana[];
  db: Kysely<ServiceDatabase>;
  api: RunningApi | null;
  /** Brings messages between the local chains; null where there are fewer than two. */
  relayer: Relayer | null;
  /** Resolves once the index holds what the chains held at the call; at once without the role `indexer`. */
  caughtUp(): Promise<void>;
  /** Stops everything that this call started, and nothing else. */
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
  // The port is chosen here, because addresses of pictures are stored before the API runs.
  if (env.PORT === undefined || env.PORT === '' || env.PORT === '0') env.PORT = String(await freePort());
  env.CHAIN_PORT ||= '0';
  env.ISSUER_PORT ||= '0';
  const configured = configFromEnv(env);
  refuseUnservableChains(configured);
  const log = options.log ?? createLog(configured.logLevel);
  if (!configured.devnet) return overProviders(configured, log, options, closers);
  const issuer = await startIssuer(configured, closers);
  const config = withIssuer(configured, issuer);
  const home = resolve(config.home);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  closers.add(lockFolder(home));
  const signerKeys = await signerKeysOf(config);

  const storage = openStorage(config, log, closers);
  const media = onceOpened(storage, config, closers);
  const metadata = createSeedMetadata(media);
  const [opened, started, startedSolana] = await Promise.allSettled([
    storage,
    startLocalChains(config, home, metadata, options, log, closers),
    startLocalClusters(config, home, metadata, options, log, closers),
  ]);
  if (opened.status === 'rejected') throw opened.reason;
  if (started.status === 'rejected') throw started.reason;
  if (startedSolana.status === 'rejected') throw startedSolana.reason;
  const { url, db: chainDb } = opened.value;
  const db = chainDb.withTables<ServiceDatabase>();
  const local = started.value;
  const solana = startedSolana.value;

  for (const chain of local) {
    void chain.ended.then(
      () => closers.isClosing || log.error({ chain: chain.chain.slug }, 'The local chain ended by itself.'),
    );
  }
  const seeds = [...local.map(seedPlaceOn), ...solana.map((chain) => chain.seeds)];
  if (options.seed ?? true) for (const place of seeds) await recordSeeds(place, db, metadata);
  for (const chain of [...local.map(knownChain), ...solana]) {
    if (await forgetLostChain(chainDb, chain))
      log.warn({ chain: chain.chain.slug }, 'The index of this chain begins anew: the chain is another than before.');
  }
  await startFilling(opened.value, local, solana, log, closers);
  const relayer = local.length > 1 ? relayBetween(local, log) : null;
  if (relayer !== null) closers.add(relayer.stop);
  const roles = await startRoles({
    config,
    databaseUrl: url,
    db: chainDb,
    chains: [...local.map(served(options)), ...solana.map(servedCluster(options))],
    log,
    closers,
    signerKeys,
    // Local chains accept the devnet's well-known voucher signer.
    voucherKey: devKey('voucherSigner'),
    signerPollMs: options.signerPollMs,
  });
  if (roles.indexer !== null) await caughtUp(roles.indexer, chainDb);
  return {
    config,
    issuerUrl: issuer?.url ?? null,
    chains: local,
    solana,
    db,
    relayer,
    ...parts(roles),
    stop: closers.closeAll,
  };
};

/** The index moves many times within it, however far behind it is. */
const standstillMs = 100_000;

/** @throws With what the index says of each chain, when it stands still before it has reached their heads. */
const caughtUp = async (indexer: NonNullable<Roles['indexer']>, db: Storage['db']): Promise<void> => {
  const isDone = indexer.caughtUp().then(() => true);
  let before = '';
  while (!(await Promise.race([isDone, sleep(standstillMs, false, { ref: false })]))) {
    const rows = await db.selectFrom('chain').select(['slug', 'status', 'indexed', 'problem']).orderBy('eid').execute();
    const now = rows
      .map(
        ({ slug, status, indexed, problem }) => `${slug} ${status} at block ${indexed}${problem ? `: ${problem}` : ''}`,
      )
      .join('; ');
    if (now === before) throw new Error(`The index stands still before it has reached the local chains: ${now}`);
    before = now;
  }
};

/** As `main.ts` of the server does, in this process. */
const overProviders = async (
  config: Config,
  log: Logger,
  options: SystemOptions,
  closers: Closers,
): Promise<System> => {
  const server = await startServer(config, {
    log,
    staleAfterMs: staleAfterMs(options),
    signerPollMs: options.signerPollMs,
  });
  closers.add(server.stop);
  const db = server.db.withTables<ServiceDatabase>();
  return {
    config,
    issuerUrl: null,
    chains: [],
    solana: [],
    db,
    relayer: null,
    ...parts(server),
    stop: closers.closeAll,
  };
};

const parts = ({ indexer, api }: Roles) => ({
  url: api?.url ?? null,
  api,
  caughtUp: async () => indexer?.caughtUp(),
});

const staleAfterMs = ({ heartbeat = true, staleAfterMs: asked }: SystemOptions): number | undefined =>
  asked ?? (heartbeat ? undefined : Number.POSITIVE_INFINITY);

/** Blocks become final within seconds on a local chain; only tests reorganise it. */
const localFinalityBlocks = 5;

const served =
  (options: SystemOptions) =>
  ({ chain, deployment, rpcUrl }: DevChain): ServedChain => ({
    chain,
    deployment,
    rpcUrls: [rpcUrl],
    local: true,
    // A local chain keeps no older states, so it cannot be reorganised further back.
    finalityBlocks: { index: keptStates, sign: localFinalityBlocks },
    staleAfterMs: staleAfterMs(options),
  });

/** A cluster says itself what is final. */
const servedCluster =
  (options: SystemOptions) =>
  ({ chain, deployment, rpcUrl }: LocalSolana): ServedChain => ({
    chain,
    deployment,
    rpcUrls: [rpcUrl],
    local: true,
    staleAfterMs: staleAfterMs(options),
  });

const startIssuer = async (config: Config, closers: Closers): Promise<LocalIssuer | null> => {
  if (!config.devnet || !config.roles.has('api')) return null;
  const issuer = await startLocalIssuer(config.platformSlug, config.issuerPort);
  closers.add(issuer.stop);
  return issuer;
};

const withIssuer = (config: Config, issuer: LocalIssuer | null): Config =>
  issuer === null ? config : { ...config, jwtIssuers: [...config.jwtIssuers, issuer.trusted] };

/** Tokens cross between the local chains as they do elsewhere, by verifiers and an executor of this process. */
const relayBetween = (chains: readonly DevChain[], log: Logger): Relayer => {
  const [{ accounts }] = chains as [DevChain];
  return startRelayer({
    chains: chains.map(({ chain, rpcUrl }) => ({ eid: chain.eid, chainId: chain.chainId, rpcUrl })),
    layerZero: layerZeroOf(accounts),
    accounts,
    confirmations: localConfirmations,
    log: (line) => log.warn(line),
  });
};

/** The embedded database may run as another user, who has to reach it. */
const temporaryHome = (closers: Closers): string => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-'));
  chmodSync(home, 0o755);
  closers.add(() => rmSync(home, { recursive: true, force: true }));
  return home;
};

/** Pictures are worked on only where there are some: who keeps no seeds loads no image library. */
const onceOpened = (storage: Promise<Storage>, config: Config, closers: Closers): (() => Promise<Media>) => {
  let opened: Promise<Media> | null = null;
  const open = async (): Promise<Media> => {
    const [{ createMedia }, { db }] = await Promise.all([import('@mintage/server/api'), storage]);
    const media = createMedia(config, db.withTables<ServiceDatabase>());
    closers.add(media.close);
    return media;
  };
  return () => {
    opened ??= open();
    return opened;
  };
};

const startLocalChains = async (
  config: Config,
  home: string,
  metadata: SeedMetadata,
  { seed = true, heartbeat = true }: SystemOptions,
  log: Logger,
  closers: Closers,
): Promise<DevChain[]> => {
  const { chains, stop } = await startChains(slugsOf(config, 'evm'), {
    dataDir: join(home, 'chains'),
    heartbeat,
    log: (line) => log.warn(line),
    ...(config.chainPort === 0 ? {} : { firstPort: { number: config.chainPort, variable: 'CHAIN_PORT' } }),
    ...(seed ? { seed: (chain) => seedChain(chain, uriOf(metadata)) } : {}),
  });
  closers.add(stop);
  return chains;
};

const uriOf = (metadata: SeedMetadata): SeedOptions => ({ uriOf: async (token) => (await metadata(token)).tokenUri });

/** They follow the chains with an EVM where ports are given. */
const startLocalClusters = async (
  config: Config,
  home: string,
  metadata: SeedMetadata,
  { seed = true }: SystemOptions,
  log: Logger,
  closers: Closers,
): Promise<LocalSolana[]> => {
  const slugs = slugsOf(config, 'solana');
  if (slugs.length === 0) return [];
  // Whoever serves none loads nothing of it.
  const { startLocalSolana } = await import('./solana/localSolana.ts');
  const before = slugsOf(config, 'evm').length;
  return Promise.all(
    slugs.map(async (slug, index) => {
      const port = { number: config.chainPort + before + index, variable: 'CHAIN_PORT' };
      const chain = await startLocalSolana(slug, {
        folder: join(home, 'chains', slug),
        log,
        ...(seed ? { seed: uriOf(metadata) } : {}),
        ...(config.chainPort === 0 ? {} : { port }),
      });
      closers.add(chain.stop);
      return chain;
    }),
  );
};

const slugsOf = ({ chains }: Config, type: ChainType): Slug[] =>
  chains.filter((slug) => chainTypeOf(chainBySlug(slug)) === type);

const knownChain = (chain: DevChain): KnownChain & Pick<DevChain, 'chain'> => ({
  ...chain,
  async hashOf(block) {
    const found = await chain.rpc('eth_getBlockByNumber', [`0x${block.toString(16)}`, false]);
    return (found as { hash: string } | null)?.hash ?? null;
  },
});

const startFilling = async (
  { db }: Storage,
  chains: readonly DevChain[],
  clusters: readonly LocalSolana[],
  log: Logger,
  closers: Closers,
): Promise<void> => {
  await Promise.all(chains.map(openFaucet));
  const faucet = startFaucet(db.withTables<SignerDatabase>(), [...chains.map(evmTap), ...clusters.map(solanaTap)], log);
  closers.add(faucet.stop);
};
