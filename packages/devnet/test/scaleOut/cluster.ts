import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClosers } from '@mintage/server';
import { type Database, migrate, openDatabase, watchServers } from '@mintage/server/db';
import { makeIntentKeyFiles, makeKekFile } from '@mintage/server/keys';
import type { Kysely } from 'kysely';
import { type DevChain, seedChain, startChains } from '../../src/devnet.ts';
import { freePort } from '../../src/freePort.ts';
import { keepDeployments } from '../keepDeployments.ts';
import { type PostgresServers, startPostgresServers } from './postgresServers.ts';
import { startRedis } from './redis.ts';
import { type RoleProcess, roleProcess } from './roleProcess.ts';

/**
 * A deployment as docs/running.md has it: APIs, an indexer for each of two chains, two signers, a PostgreSQL with two standbys, one
 * Redis; and the chains, which are local ones that the processes know by their RPC address alone.
 */
export interface Cluster {
  /** `MINTAGE_HOME` of all processes. */
  home: string;
  chains: DevChain[];
  /** On whichever server takes writes. */
  db: Kysely<Database>;
  servers: PostgresServers;
  processes: RoleProcess[];
  /** Addresses of the APIs, base path included. */
  apis: readonly string[];
  /** A further process of the deployment, not started. */
  process(name: string, env: Record<string, string>): RoleProcess;
  stop(): Promise<void>;
}

/** Requests a minute and address without a credential. */
export const anonymousLimit = 60;

export interface ClusterOptions {
  /** At least two; that many when absent. */
  apiCount?: number;
  /** Of all processes, beside the usual. */
  env?: Readonly<Record<string, string>>;
  /** Root of the checkout that they run, which makes the tables; absent: this one. */
  checkout?: string;
}

export const startCluster = async ({ apiCount = 2, env: usual, checkout }: ClusterOptions = {}): Promise<Cluster> => {
  const closers = createClosers();
  try {
    const home = mkdtempSync(join(tmpdir(), 'mintage-scale-out-'));
    closers.add(() => rmSync(home, { recursive: true, force: true }));
    const { chains, stop } = await startChains(['base-sepolia', 'unichain-testnet'], { seed: seedChain });
    closers.add(stop);
    const servers = await startPostgresServers();
    closers.add(servers.stop);
    const [databaseUrl, ...replicaUrls] = servers.all.map(({ url }) => url) as [string, ...string[]];
    const watched = watchServers([databaseUrl, ...replicaUrls], { info() {}, warn() {}, error() {} });
    closers.add(watched.stop);
    const db = openDatabase(databaseUrl, { servers: watched, onConnectionLost() {} });
    closers.add(() => db.destroy());
    if (checkout === undefined) await migrate(db);
    const redis = await startRedis();
    closers.add(redis.stop);

    keepDeployments(
      home,
      chains.map(({ deployment }) => deployment),
    );
    const keks = { api: join(home, 'api.kek'), signer: join(home, 'signer.kek') };
    for (const file of Object.values(keks)) makeKekFile(file);
    const intentKeys = makeIntentKeyFiles(home);
    const slugs = chains.map(({ chain }) => chain.slug);
    const common = {
      DEVNET: '0',
      NEW_ACCESS_DELAY_HOURS: '0',
      DATABASE_URL: databaseUrl,
      DATABASE_REPLICA_URLS: replicaUrls.join(','),
      REDIS_URL: redis.url,
      MINTAGE_HOME: home,
      CHAINS: slugs.join(','),
      LOG_LEVEL: 'warn',
      PUBLIC_URL: 'http://127.0.0.1:1', // one name for both, as behind a balancer
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMITS: JSON.stringify({ anonymous: anonymousLimit, authenticated: 1e6, signIn: 1e6, writeDivisor: 1 }),
      ...Object.fromEntries(chains.map(({ chain, rpcUrl }) => [rpcVariable(chain.slug), rpcUrl])),
      ...usual,
      ...intentKeys,
    };
    const process = (name: string, env: Record<string, string>): RoleProcess => {
      const made = roleProcess(name, { ...common, ...env }, checkout);
      closers.add(async () => {
        await made.end('SIGKILL');
      });
      return made;
    };
    const ports = await Promise.all(Array.from({ length: apiCount }, () => freePort()));
    const api = (i: number) => process(`api ${i}`, { ROLES: 'api', PORT: String(ports[i]), KEK_FILE: keks.api });
    const indexer = (slug: string) => process(`indexer of ${slug}`, { ROLES: 'indexer', CHAINS: slug });
    const signer = (i: number) => process(`signer ${i}`, { ROLES: 'signer', KEK_FILE: keks.signer });
    // In an order in which no two of a kind follow each other.
    const [one = '', two = ''] = slugs;
    const more = ports.slice(2).map((_, i) => api(i + 2));
    const processes = [api(0), indexer(one), signer(0), api(1), indexer(two), signer(1), ...more];
    await Promise.all(processes.map((each) => each.start()));
    const apis = ports.map((port) => `http://127.0.0.1:${port}/functions/v1`);
    return { home, chains, db, servers, processes, apis, process, stop: closers.closeAll };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
};

const rpcVariable = (slug: string): string => `RPC_URL_${slug.toUpperCase().replaceAll('-', '_')}`;
