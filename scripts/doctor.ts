/**
 * `mintage doctor`: asks everything that a deployment is configured with, and says what is not as it should be. Reads only; exits 1
 * when something is wrong. Configuration by environment, as of the service: docs/configuration.md.
 *
 * On a laptop it asks the service that `npm start` runs, which alone knows its local chains and holds their database.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { addressesOf } from '@mintage/contracts/deploy';
import { type Address, chainBySlug, chainTypeOf, requireEvmDeployment, type Slug } from '@mintage/protocol';
import { type Config, configFromEnv, sealedSecrets } from '@mintage/server/api';
import { openDatabase, unappliedMigrations } from '@mintage/server/db';
import { kekCounts, keysOf } from '@mintage/server/keys';
import { walletKeys } from '@mintage/server/sign';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { createPublicClient, http, keccak256 } from 'viem';
import { deploymentOf } from '../packages/server/src/chain/deployments.ts';

interface Check {
  name: string;
  /** @returns What is well, in a few words. @throws Error with what is not, and what to do. */
  run(): Promise<string>;
}

/** Longer than this nobody waits for an answer, milliseconds. */
const patienceMs = 10_000;
/** What this machine's clock and another may differ by, milliseconds: deadlines are two minutes. */
const skewMs = 5_000;

const skewIn = (thereMs: number): string => {
  const skew = Date.now() - thereMs;
  if (Math.abs(skew) <= skewMs) return `its clock and ours differ by ${Math.abs(skew)} ms`;
  throw new Error(`Its clock and ours differ by ${Math.round(skew / 1000)} s: set both by NTP.`);
};

/** Provider, chain id, code: what the contracts' addresses stand on. */
const providerCheck = (
  slug: Slug,
  url: string,
  codeOf: () => [name: string, address: Address, hash: string][],
): Check => ({
  name: `${slug} by ${new URL(url).host}`,
  async run() {
    const { chainId, blockTimeMs } = chainBySlug(slug);
    const client = createPublicClient({ transport: http(url, { timeout: patienceMs, retryCount: 1 }) });
    const is = await client.getChainId();
    if (is !== chainId) throw new Error(`It is of the chain ${is}, and ${slug} is ${chainId}: correct RPC_URL_….`);
    const { number, timestamp } = await client.getBlock();
    const ageMs = Date.now() - Number(timestamp) * 1000;
    const mostMs = Math.max(30_000, (blockTimeMs ?? 0) * 10);
    if (ageMs > mostMs)
      throw new Error(
        `Its newest block ${number} is ${Math.round(ageMs / 1000)} s old: it hangs, or our clock is wrong.`,
      );
    const contracts = codeOf();
    for (const [name, address, hash] of contracts) {
      const code = await client.getCode({ address: address as `0x${string}` });
      if (code === undefined) throw new Error(`At ${address} there is no code, where ${name} should be.`);
      if (keccak256(code) !== hash)
        throw new Error(`At ${address} there is other code than the ${name} that was deployed.`);
    }
    const deployed = contracts.length === 0 ? '' : `, ${contracts.length} contracts as deployed`;
    return `block ${number}, ${Math.max(0, Math.round(ageMs / 1000))} s old${deployed}`;
  },
});

/** What was deployed on a chain, by the file of its deployment. */
const deployedOn = (config: Config, slug: Slug) => (): [string, Address, string][] => {
  const deployment = requireEvmDeployment(deploymentOf(chainBySlug(slug), resolve(config.home, 'deployments')));
  const addresses = addressesOf(deployment.create3Factory);
  return Object.entries(deployment.codeHashes).map(([name, hash]) => [
    name,
    addresses[name as keyof typeof addresses],
    hash,
  ]);
};

const realChains = (config: Config): Check[] =>
  config.chains
    .filter((slug) => chainTypeOf(chainBySlug(slug)) === 'evm')
    .flatMap((slug) => {
      const urls = config.rpcUrls.get(slug) ?? [];
      const few: Check = {
        name: `${slug} providers`,
        async run() {
          if (urls.length < 3)
            throw new Error(`There are ${urls.length}: with three, two agree when one fails. Add to RPC_URL_….`);
          return `${urls.length}`;
        },
      };
      return [few, ...urls.map((url) => providerCheck(slug, url, deployedOn(config, slug)))];
    });

const databaseCheck = (url: string): Check => ({
  name: `database at ${new URL(url).host}`,
  async run() {
    const db = openDatabase(url, { statementTimeoutMs: patienceMs });
    try {
      const { rows } = await sql<{ version: string; ms: number }>`
        select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(
        db,
      );
      const [{ version, ms } = { version: '0', ms: 0 }] = rows;
      if (Number.parseInt(version, 10) < 15) throw new Error(`PostgreSQL 15 or newer is needed, this is ${version}.`);
      const open = await unappliedMigrations(db);
      const clock = skewIn(ms);
      return `PostgreSQL ${version}, ${open.length === 0 ? 'all tables up to date' : `${open.length} migrations run at the next start`}, ${clock}`;
    } finally {
      await db.destroy();
    }
  },
});

const redisCheck = (url: string): Check => ({
  name: `Redis at ${new URL(url).host}`,
  async run() {
    const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: patienceMs });
    redis.on('error', () => undefined); // `connect` rejects with it
    try {
      await redis.connect();
      const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
      return skewIn(seconds * 1000 + micros / 1000);
    } finally {
      redis.disconnect();
    }
  },
});

const keyChecks = (config: Config): Check[] => [
  ...config.kekFiles.map((path) => ({
    name: `key file ${path}`,
    async run() {
      const { mode } = statSync(path);
      if ((mode & 0o077) !== 0) throw new Error('Others may read it: chmod 600.');
      return 'for its owner alone';
    },
  })),
  ...(config.databaseUrl === null || config.kekFiles.length + config.kmsKeyIds.length === 0
    ? []
    : [{ name: 'sealed secrets', run: () => sealedBy(config, config.databaseUrl ?? '') }]),
];

/** Whether the key-encryption keys at hand open what is in the database. */
const sealedBy = async (config: Config, url: string): Promise<string> => {
  const keys = keysOf(config);
  const db = openDatabase(url, { statementTimeoutMs: patienceMs });
  try {
    let opened = 0;
    const foreign: string[] = [];
    // A signer's keys are for wallets, an API's for what it signs with: each is asked of its own.
    const columns = [
      ...(config.roles.has('signer') ? [walletKeys] : []),
      ...(config.roles.has('api') ? sealedSecrets : []),
    ];
    for (const column of columns) {
      for (const [kek, count] of await kekCounts(db, column)) {
        if (keys.ids.includes(kek)) opened += count;
        else foreign.push(`${count} in ${column.table} by ${kek}`);
      }
    }
    if (foreign.length > 0)
      throw new Error(`Sealed by keys that are not at hand: ${foreign.join(', ')}. Add the file to KEK_FILE.`);
    return `${opened}, all sealed by keys at hand`;
  } finally {
    await db.destroy();
  }
};

/** Of the service on this machine, with what it says of its chains. */
const laptop = async ({ port }: Config): Promise<Check[]> => {
  const base = `http://127.0.0.1:${port}/functions/v1`;
  const ask = async (path: string): Promise<Response> => {
    try {
      return await fetch(`${base}${path}`, { signal: AbortSignal.timeout(patienceMs) });
    } catch (cause) {
      throw new Error(`Nothing answers at ${base}: start it by \`npm start\`, or set its PORT.`, { cause });
    }
  };
  const ready: Check = {
    name: 'service',
    async run() {
      const response = await ask('/ready');
      const answer = (await response.json()) as { error?: string };
      if (!response.ok) throw new Error(answer.error ?? `It answers ${response.status}.`);
      return `${base} is ready, ${skewIn(Date.parse(response.headers.get('date') ?? ''))}`;
    },
  };
  const served = await ask('/chains').then(
    async (response) => ((await response.json()) as { chains: { slug: Slug; rpcUrl?: string }[] }).chains,
    () => [], // the check before says so
  );
  return [
    ready,
    ...served.flatMap(({ slug, rpcUrl }) => (rpcUrl === undefined ? [] : [providerCheck(slug, rpcUrl, () => [])])),
  ];
};

const checksOf = async (config: Config): Promise<Check[]> =>
  config.devnet
    ? laptop(config)
    : [
        ...realChains(config),
        ...(config.databaseUrl === null ? [] : [databaseCheck(config.databaseUrl)]),
        ...(config.redisUrl === null ? [] : [redisCheck(config.redisUrl)]),
        ...keyChecks(config),
      ];

let failed = 0;
const take = async ({ name, run }: Check): Promise<void> => {
  try {
    console.log(`✓ ${name}: ${await run()}`);
  } catch (error) {
    failed += 1;
    const { shortMessage, message } = error as Error & { shortMessage?: string };
    console.log(`✗ ${name}: ${shortMessage ?? message}`);
  }
};

try {
  const config = configFromEnv(process.env);
  console.log('✓ configuration: every variable is as it may be');
  for (const check of await checksOf(config)) await take(check);
} catch (error) {
  failed += 1;
  console.log(`✗ ${(error as Error).message}`);
}
console.log(failed === 0 ? 'All is well.' : `${failed} not as it should be.`);
process.exitCode = failed === 0 ? 0 : 1;
