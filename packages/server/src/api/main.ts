import type { KeyObject } from 'node:crypto';
import { staleAfterMs as usualStaleAfterMs } from '@mintage/protocol';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import type { ChainClient, CreateChainClient } from '../chain/chainClient.ts';
import type { ChainContext } from '../chain/chainContext.ts';
import { createPulse } from '../chain/pulse.ts';
import { isSocket } from '../chain/rpc.ts';
import type { ServedChain } from '../chain/servedChain.ts';
import { type Config, urlOn, withPort } from '../config.ts';
import { createLog } from '../createLog.ts';
import { chainChannel, chainOfNews } from '../db/chainChannel.ts';
import type { Database } from '../db/chainTables.ts';
import { ifWritable } from '../db/ifWritable.ts';
import { proveIntents } from '../db/intentProof.ts';
import { createNews } from '../db/news.ts';
import { poolOf, unavailableCounts } from '../db/openDatabase.ts';
import type { Readers } from '../db/readers.ts';
import type { ServiceDatabase } from '../db/serviceTables.ts';
import { signedChannel } from '../db/signerTables.ts';
import { freePort } from '../freePort.ts';
import { intentKeysOf } from '../keys/intentKeys.ts';
import { type KeyEncryption } from '../keys/keyEncryption.ts';
import { keysOf } from '../keys/keysOf.ts';
import type { Line } from '../line.ts';
import { createAuth } from './accounts/auth.ts';
import { createPushKeys } from './accounts/pushKey.ts';
import { createRowSeals } from './accounts/rowSeals.ts';
import { sealSecrets } from './accounts/sealedSecrets.ts';
import { createPost, type PostOptions } from './accounts/webhooks/post.ts';
import { createWebhookKeys } from './accounts/webhooks/webhookKeys.ts';
import { allowedHosts } from './accounts/webhooks/webhookUrl.ts';
import { perform } from './call.ts';
import type { Patience } from './execution/executing.ts';
import { createLimiter } from './limits/limiter.ts';
import { createOffLoop } from './limits/offLoop.ts';
import { allowancesOf } from './limits/sharedByWorkers.ts';
import { keepSweeping } from './media/looseFiles.ts';
import { createMedia, type MediaOptions } from './media/media.ts';
import { keepTelling, prepareTelling } from './notifications/tell.ts';
import { readBlockedText } from './people/blockedText.ts';
import { followLaunches } from './people/launchPosts.ts';
import { createMetrics } from './surfaces/metrics/metrics.ts';
import { shownByWorker } from './surfaces/metrics/ofWorkers.ts';
import { watchChains } from './surfaces/metrics/watchChains.ts';
import { createOauth, type OauthOptions } from './surfaces/oauth/oauth.ts';
import { createDocuments } from './surfaces/openapi/documents.ts';
import { buildApp } from './surfaces/rest/app.ts';
import { countRunning } from './surfaces/rest/countRunning.ts';
import type { ServiceContext } from './surfaces/serviceContext.ts';
import { createStreams } from './surfaces/sockets/streams.ts';
import { type DeliveryOptions, deliverWebhooks } from './surfaces/webhooks/deliver.ts';
import { endDrafts } from './tokens/draft.ts';
import { createWalls } from './tokens/walls.ts';
import { createMarkets } from './trade/markets.ts';
import { createVouchers, readVoucherKey } from './trade/vouchers.ts';

export type { ServedChain } from '../chain/servedChain.ts';
export { allSlugs, type Config, configFromEnv, refuseUnservableChains } from '../config.ts';
export { createLog } from '../createLog.ts';
export type { ServiceDatabase } from '../db/serviceTables.ts';
export { addApiKey } from './accounts/apiKeys.ts';
export { recoverDigestSigner } from './accounts/evm/recoverSigner.ts';
export { createRowSeals } from './accounts/rowSeals.ts';
export { sealedSecrets, sealSecrets } from './accounts/sealedSecrets.ts';
export { sealRows } from './accounts/sealRows.ts';
export { endOtherKeys, makeKey as makeSigningKey } from './accounts/signingKeys.ts';
export { userOfWallet } from './accounts/users.ts';
export { handlers } from './handlers/generated/handlers.ts';
export { createMedia, type Media } from './media/media.ts';
export {
  freezeAccount,
  hidePost,
  resolveReports,
  suspendUser,
  unfreezeAccount,
  unhidePost,
  unsuspendUser,
} from './people/moderation.ts';
export { moderationLog } from './people/moderationLog.ts';
export { openReports } from './people/reports.ts';
export { restoreToken, takeDownToken } from './people/takeDown.ts';
export { buildApp } from './surfaces/rest/app.ts';
export { type Metadata, storeMetadata } from './tokens/metadata.ts';
export { findToken } from './tokens/tokenRef.ts';

export interface ContextOptions {
  config: Config;
  /** With the chain tables in it; the service tables are added. */
  db: Kysely<Database>;
  /** Its standbys. */
  readers?: Readers | undefined;
  chains: readonly ServedChain[];
  /** How the families of these chains are asked. */
  createClient: CreateChainClient;
  log?: Logger;
  /** Of a worker: the line to the process that started it, which counts for all workers. */
  primary?: Line | undefined;
  /** Key-encryption keys; absent: those that the configuration names. */
  keys?: KeyEncryption;
  /** By which intents are vouched for and rows sealed; absent: those that the configuration names. */
  intentKeys?: readonly [KeyObject, ...KeyObject[]];
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Private key of the voucher signer; absent: the one in the configured file, if any. */
  voucherKey?: `0x${string}`;
  media?: MediaOptions;
  /** How documents of clients are fetched. */
  oauth?: OauthOptions;
  webhooks?: PostOptions & DeliveryOptions;
  patience?: Partial<Patience>;
}

export interface RunningApi {
  /** Address of the API, without the base path, e.g. `http://127.0.0.1:8080`. */
  url: string;
  app: FastifyInstance;
  context: ServiceContext;
  stop(): Promise<void>;
}

/** Builds what handlers use from the configuration. Tests build their app on it without a port. */
export const createContext = async (options: ContextOptions): Promise<ServiceContext> => {
  const { config, primary, now = Date.now, log = createLog(config.logLevel) } = options;
  const db = options.db.withTables<ServiceDatabase>();
  const voucherFile = config.voucherKeyFile;
  const voucherKey = options.voucherKey ?? (voucherFile === null ? null : readVoucherKey(voucherFile));
  const clientOptions = { log, voucherKey, now };
  const chains = new Map(
    options.chains.map((one) => [
      one.chain.slug,
      chainContext(config, now, one, options.createClient(one, clientOptions)),
    ]),
  );
  const onError = (err: unknown) => log.error({ err }, 'The markets could not follow the index.');
  const keys = options.keys ?? keysOf(config);
  await sealSecrets(db, keys);
  await ifWritable(() => prepareTelling(db));
  const intentKeys = options.intentKeys ?? intentKeysOf(config);
  const seals = createRowSeals(intentKeys);
  const auth = createAuth(config, { db, seals }, keys, now, log);
  const isDeaf = (whom: string) => (err: Error) =>
    log.warn({ err }, `The ${whom} cannot be heard now; the tables are asked.`);
  const chainNews = createNews(db, { channel: chainChannel, idOf: chainOfNews, onError: isDeaf('indexers') });
  const databases = [options.db, ...(options.readers?.all ?? [])];
  const pools = databases.map(poolOf);
  const counted = (count: (pool: (typeof pools)[number]) => number): number =>
    pools.reduce((sum, pool) => sum + count(pool), 0);
  const metrics = createMetrics(() => ({
    unavailable: unavailableCounts(options.db),
    servers: options.readers?.counts() ?? null,
    connections: {
      busy: counted((pool) => pool.totalCount - pool.idleCount),
      idle: counted((pool) => pool.idleCount),
      waiting: counted((pool) => pool.waitingCount),
    },
  }));
  const context: ServiceContext = {
    config,
    db,
    chains,
    markets: createMarkets({ db, chains: chains.values(), onError }),
    walls: createWalls(db, now),
    media: createMedia(config, db, { now, ...options.media }),
    auth,
    oauth: createOauth({ config, db, seals, auth, log, now }, options.oauth),
    vouchers: createVouchers({ db, canSign: voucherKey !== null, now }),
    blockedText: readBlockedText(config),
    readers: options.readers ?? null,
    limiter: createLimiter(config, log, primary && allowancesOf(primary)),
    documents: createDocuments({ config, chains }),
    metrics: primary ? { ...metrics, shown: shownByWorker(metrics.registry, primary) } : metrics,
    offLoop: createOffLoop(),
    streams: createStreams({ auth, chains, chainNews, config, db, log, metrics }),
    webhooks: createPost({ isAllowed: allowedHosts(config.webhooksToLoopback), ...options.webhooks }),
    webhookKeys: createWebhookKeys(db, keys),
    pushKeys: createPushKeys(db, keys),
    keys,
    intentKeys,
    chainNews,
    seals,
    intentSigning: await proveIntents(intentKeys[0], now),
    signerNews: createNews(db, { channel: signedChannel, idOf: (id) => id, onError: isDeaf('signers') }),
    patience: { ...usualPatience, ...options.patience },
    perform: (shown, input, call) => perform(context, shown, input, call),
    log,
    now,
  };
  return context;
};

const usualPatience: Patience = { walletMs: 5_000, signatureMs: 10_000 };

const closeWithinMs = 3_000;

/** Serves the API until `stop`. Port 0 takes a free one. */
export const startApi = async (options: ContextOptions): Promise<RunningApi> => {
  const { port, host } = options.config;
  const config = port === 0 ? withPort(options.config, await freePort(host)) : options.config;
  const context = await createContext({ ...options, config });
  const app = buildApp(context);
  const running = countRunning(app);
  const closeChains = () => Promise.all([...context.chains.values()].map(({ client }) => client.stop()));
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    await Promise.all([app.close(), closeChains()]);
    throw error;
  }
  app.server.on('error', (err) => context.log.error({ err }, 'A connection could not be taken.'));
  collectDefaultMetrics({ register: context.metrics.registry });
  const stopWatching = watchChains(context);
  const stopDelivering = deliverWebhooks(context, options.webhooks);
  const stopSweeping = keepSweeping(context, endDrafts);
  const stopLaunching = followLaunches(context);
  const stopTelling = keepTelling(context);
  context.log.info({ url: config.publicUrl, chains: [...context.chains.keys()] }, 'The API is served.');
  return {
    url: urlOn(config),
    app,
    context,
    async stop() {
      // Requests in progress are answered however long they take; after that, connections that clients keep open are
      // closed.
      const patience = setTimeout(
        () => void running.none().then(() => app.server.closeAllConnections()),
        closeWithinMs,
      );
      await app.close();
      clearTimeout(patience);
      await Promise.all([stopWatching(), stopDelivering(), stopSweeping(), stopLaunching(), stopTelling()]);
      await Promise.all([context.webhooks.close(), context.media.close()]);
      await closeChains();
    },
  };
};

const chainContext = (
  config: Config,
  now: () => number,
  { chain, deployment, rpcUrls, local = false, staleAfterMs = usualStaleAfterMs(chain) }: ServedChain,
  client: ChainClient,
): ChainContext => {
  const isPublic = local || config.publicRpcSlugs.has(chain.slug);
  const urls = rpcUrls.filter((url) => !isSocket(url));
  const pulse = { slug: chain.slug, staleAfterMs, now };
  return {
    chain,
    deployment,
    client,
    indexPulse: createPulse(pulse),
    headPulse: createPulse(pulse),
    publicRpcUrl: isPublic ? (urls[0] ?? null) : null,
    local,
  };
};
