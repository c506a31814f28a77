import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Providers } from '../../../chain/chainClient.ts';
import type { OpenIntents } from '../../execution/openIntents.ts';
import type { Signers } from '../../execution/signers.ts';

export interface ChainFigures {
  /** A provider answers. */
  up: boolean;
  /** The index is, by a reorganisation below finality. */
  paused: boolean;
  providers: Providers;
  /** Newest block that the indexer has seen; 0 before the first. */
  headBlock: number;
  /** Newest block in the tables; 0 before the first. */
  indexedBlock: number;
  /** Read at each scrape, so that it keeps growing while nothing new arrives. */
  lagMs: () => number;
}

export interface Metrics {
  registry: Registry;
  /** What `/metrics` answers: the registry, or that of all workers. */
  shown: Pick<Registry, 'metrics' | 'contentType'>;
  /** Counts one answered request. */
  observe(operation: string, status: number, seconds: number): void;
  /** Counts one read that a standby of the database could answer, by who did. */
  countRead(by: 'standby' | 'primary' | 'failed'): void;
  /** Counts one attempt to deliver an event to a webhook, and its delay since the event was published. */
  countDelivery(outcome: 'delivered' | 'failed', delaySeconds: number): void;
  /** Replaces the gauge of webhooks by status. */
  setWebhooks(counts: Readonly<Record<'active' | 'failing' | 'disabled', number>>): void;
  /** Replaces the gauge of receivers of webhooks by state. */
  setReceivers(counts: Readonly<Record<'answering' | 'failing', number>>): void;
  /** Replaces the gauges of one chain. */
  setChain(slug: string, state: ChainFigures): void;
  /** Replaces the gauges of one chain's open intents. */
  setIntents(open: OpenIntents): void;
  /** Replaces the gauge of the room that files take. */
  setMediaBytes(bytes: number): void;
  /** Replaces the gauges of the signers. */
  setSigners(signers: Signers): void;
}

/** What the API's connections to the database are doing; read at each scrape. */
export interface DatabaseFigures {
  /** How often the database could not do something, by reason; the counts only grow. */
  unavailable: Readonly<Record<string, number>>;
  /** Connections in use and at rest, and requests that wait for one. */
  connections: Readonly<Record<'busy' | 'idle' | 'waiting', number>>;
  /** Its servers, where it has standbys. */
  servers: Readonly<Record<'writable' | 'standby' | 'apart' | 'away', number>> | null;
}

export const createMetrics = (database: () => DatabaseFigures): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  const duration = new Histogram({
    name: 'mintage_request_seconds',
    help: 'Time to answer a request, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const failures = new Counter({
    name: 'mintage_request_failures_total',
    help: 'Answers with status 500 and above, by operation.',
    labelNames: ['operation'],
    registers,
  });
  /** Workers see a chain alike, so their figures of it are not added up: the largest counts. */
  const aggregator = 'max';
  const gauge = (name: string, help: string): Gauge<'chain'> =>
    new Gauge({ name, help, labelNames: ['chain'], registers, aggregator });
  const up = gauge('mintage_chain_up', '1 while a provider of the chain answers.');
  const paused = gauge('mintage_chain_paused', '1 while the index is paused by a reorganisation below finality.');
  const providers = new Gauge({
    name: 'mintage_chain_providers',
    help: 'Providers of the chain by state: configured, or answering, which those that failed are not for 30 seconds.',
    labelNames: ['chain', 'state'],
    registers,
    aggregator: 'min',
  });
  const head = gauge('mintage_chain_head_block', 'Newest block of the chain that the indexer has seen.');
  const indexed = gauge('mintage_chain_indexed_block', 'Newest block whose events are in the database.');
  const lags = new Map<string, () => number>();
  const lag = new Gauge({
    name: 'mintage_chain_lag_seconds',
    help: 'Age of the newest indexed block while the index is behind the head or no new block comes.',
    labelNames: ['chain'],
    registers,
    aggregator,
    collect: () => {
      for (const [chain, lagMs] of lags) lag.set({ chain }, lagMs() / 1000);
    },
  });
  const oldestIntent = gauge(
    'mintage_intent_oldest_queued_seconds',
    'Age of the oldest intent that no signer signed yet.',
  );
  const oldestUnmined = gauge(
    'mintage_intent_oldest_unmined_seconds',
    'Time since the oldest intent was signed that no block holds yet.',
  );
  const intents = new Gauge({
    name: 'mintage_intents',
    help: 'Intents of embedded wallets that are not final, by status: queued or signed.',
    labelNames: ['chain', 'status'],
    registers,
    aggregator,
  });

  const signers = new Gauge({
    name: 'mintage_signers',
    help: 'Signers that are connected to the database.',
    registers,
    aggregator,
  });
  const signingPaused = new Gauge({
    name: 'mintage_signing_paused',
    help: '1 while signing is paused for everybody.',
    registers,
    aggregator,
  });

  const mediaBytes = new Gauge({
    name: 'mintage_media_bytes',
    help: 'Room that stored files take in the database, also what is free in it again.',
    registers,
    aggregator,
  });

  const connections = new Gauge({
    name: 'mintage_database_connections',
    help: 'Connections of the API to the database by state: busy or idle; waiting: requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(database().connections)) connections.set({ state }, count);
    },
  });
  const servers = new Gauge({
    name: 'mintage_database_servers',
    help: 'Servers of a database with standbys by state: writable, standby, apart (a standby that follows no more) or away.',
    labelNames: ['state'],
    registers,
    aggregator,
    collect() {
      for (const [state, count] of Object.entries(database().servers ?? {})) servers.set({ state }, count);
    },
  });
  const refused = new Counter({
    name: 'mintage_database_unavailable_total',
    help: 'Connections and statements that the database could not do, by reason: away, full (disk, memory, connections) or slow.',
    labelNames: ['reason'],
    registers: [],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(database().unavailable)) this.inc({ reason }, count);
    },
  });
  registry.registerMetric(refused);

  const deliveries = new Counter({
    name: 'mintage_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by outcome: delivered or failed.',
    labelNames: ['outcome'],
    registers,
  });

  for (const outcome of ['delivered', 'failed']) deliveries.inc({ outcome }, 0); // a count that begins at 1 is no growth

  const deliveryDelay = new Histogram({
    name: 'mintage_webhook_delay_seconds',
    help: 'From an event entering the outbox to its delivery to a webhook.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 43_200, 172_800],
    registers,
  });
  const webhooks = new Gauge({
    name: 'mintage_webhooks',
    help: 'Webhooks of all users by status: active, failing or disabled.',
    labelNames: ['status'],
    registers,
    aggregator,
  });

  const receivers = new Gauge({
    name: 'mintage_webhook_receivers',
    help: 'Origins of webhooks by state: answering (one took an event within an hour) or failing (for less than a day).',
    labelNames: ['state'],
    registers,
    aggregator,
  });

  const reads = new Counter({
    name: 'mintage_reads_total',
    help: 'Reads that a standby of the database may answer, by who did: standby, primary (none was there, or near enough), or failed at one and then asked of the primary.',
    labelNames: ['by'],
    registers,
  });

  /** Metric children by label, because looking one up costs more than counting. */
  const durations = new Map<number, Map<string, { observe(seconds: number): void }>>();
  const durationOf = (operation: string, status: number) => {
    const known = durations.get(status)?.get(operation);
    if (known) return known;
    const made = duration.labels(operation, String(status));
    const ofStatus = durations.get(status) ?? new Map();
    durations.set(status, ofStatus.set(operation, made));
    return made;
  };

  return {
    registry,
    shown: registry,
    observe(operation, status, seconds) {
      durationOf(operation, status).observe(seconds);
      if (status >= 500) failures.inc({ operation });
    },
    countRead(by) {
      reads.inc({ by });
    },
    countDelivery(outcome, delaySeconds) {
      deliveries.inc({ outcome });
      if (outcome === 'delivered') deliveryDelay.observe(Math.max(0, delaySeconds));
    },
    setWebhooks(counts) {
      for (const [status, count] of Object.entries(counts)) webhooks.set({ status }, count);
    },
    setReceivers(counts) {
      for (const [state, count] of Object.entries(counts)) receivers.set({ state }, count);
    },
    setChain(slug, state) {
      const chain = { chain: slug };
      up.set(chain, Number(state.up));
      paused.set(chain, Number(state.paused));
      for (const [kind, count] of Object.entries(state.providers)) providers.set({ chain: slug, state: kind }, count);
      head.set(chain, state.headBlock);
      indexed.set(chain, state.indexedBlock);
      lags.set(slug, state.lagMs);
    },
    setIntents({ slug, queued, signed, oldestQueuedSeconds, oldestUnminedSeconds }) {
      intents.set({ chain: slug, status: 'queued' }, queued);
      intents.set({ chain: slug, status: 'signed' }, signed);
      oldestIntent.set({ chain: slug }, oldestQueuedSeconds);
      oldestUnmined.set({ chain: slug }, oldestUnminedSeconds);
    },
    setMediaBytes(bytes) {
      mediaBytes.set(bytes);
    },
    setSigners({ connected, arePaused }) {
      signers.set(connected);
      signingPaused.set(Number(arePaused));
    },
  };
};
