/**
 * `mintage doctor`: asks everything that a deployment is configured with, and says what is not as it should be. Reads only; exits 1
 * when something is wrong; with `--json` one document says all of it. Configuration by environment, as of the service:
 * docs/configuration.md.
 *
 * On a laptop it asks the service that `npm start` runs, which alone knows its local chains and holds their database.
 */
import { resolve } from 'node:path';
import { addressesOf } from '@mintage/contracts/deploy';
import { type Address, chainBySlug, chainTypeOf, requireEvmDeployment, type Slug } from '@mintage/protocol';
import { type Config, configFromEnv, sealedSecrets } from '@mintage/server/api';
import { isOwner, missingGrants, openDatabase, unappliedMigrations, watchServers } from '@mintage/server/db';
import { isOpenToOthers, kekCounts, keysOf } from '@mintage/server/keys';
import { walletKeys } from '@mintage/server/sign';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { createPublicClient, http, keccak256 } from 'viem';
import { Failure } from '../packages/cli/src/failure.ts';
import { deploymentOf } from '../packages/server/src/chain/deployments.ts';
import { type Check, type Finding, found, Wrong } from './finding.ts';
import { operator } from './operator.ts';

/** Longer than this nobody waits for an answer, milliseconds. */
const patienceMs = 10_000;
/** What this machine's clock and another may differ by, milliseconds: deadlines are two minutes. */
const skewMs = 5_000;

const skewIn = (thereMs: number): string => {
  const skew = Date.now() - thereMs;
  if (Math.abs(skew) <= skewMs) return `its clock and ours differ by ${Math.abs(skew)} ms`;
  throw new Wrong(`Its clock and ours differ by ${Math.round(skew / 1000)} s.`, 'Set both by NTP.');
};

const ofDeployment = 'Compare deployments/<chainId>.json with what was deployed there: docs/mainnets.md';

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
    if (is !== chainId) throw new Wrong(`It is of the chain ${is}, and ${slug} is ${chainId}.`, 'Correct RPC_URL_….');
    const { number, timestamp } = await client.getBlock();
    const ageMs = Date.now() - Number(timestamp) * 1000;
    const mostMs = Math.max(30_000, (blockTimeMs ?? 0) * 10);
    if (ageMs > mostMs)
      throw new Wrong(
        `Its newest block ${number} is ${Math.round(ageMs / 1000)} s old.`,
        'It hangs, or our clock is wrong: ask another provider.',
      );
    const contracts = codeOf();
    for (const [name, address, hash] of contracts) {
      const code = await client.getCode({ address: address as `0x${string}` });
      if (code === undefined) throw new Wrong(`At ${address} there is no code, where ${name} should be.`, ofDeployment);
      if (keccak256(code) !== hash)
        throw new Wrong(`At ${address} there is other code than the ${name} that was deployed.`, ofDeployment);
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
            throw new Wrong(`There are ${urls.length}: with three, two agree when one fails.`, 'Add to RPC_URL_….');
          return `${urls.length}`;
        },
      };
      return [few, ...urls.map((url) => providerCheck(slug, url, deployedOn(config, slug)))];
    });

const databaseCheck = (url: string, { roles }: Pick<Config, 'roles'>): Check => ({
  name: `database at ${new URL(url).host}`,
  async run() {
    const db = openDatabase(url, { statementTimeoutMs: patienceMs });
    try {
      const { rows } = await sql<{ version: string; ms: number }>`
        select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(
        db,
      );
      const [{ version, ms } = { version: '0', ms: 0 }] = rows;
      if (Number.parseInt(version, 10) < 15)
        throw new Wrong(`PostgreSQL 15 or newer is needed, this is ${version}.`, 'Upgrade it.');
      const open = await unappliedMigrations(db);
      const clock = skewIn(ms);
      const owns = await isOwner(db);
      if (owns && roles.size === 1)
        throw new Wrong(
          'This account owns the tables of all roles.',
          'Make one for each role: docs/running.md, "One database account per role".',
        );
      const missing = owns || open.length > 0 ? [] : await missingGrants(db, roles);
      if (missing.length > 0)
        throw new Wrong(`Its role needs more: ${missing.join(', ')}.`, 'Run `npm run admin -- accounts`.');
      return `PostgreSQL ${version}, ${open.length === 0 ? 'all tables up to date' : `${open.length} migrations run at the next start`}, ${clock}`;
    } finally {
      await db.destroy();
    }
  },
});

/** Of a database with standbys: one takes writes, the others follow it, and what is answered is on two of them. */
const serversCheck = (urls: readonly [string, ...string[]]): Check => ({
  name: 'database servers',
  async run() {
    const servers = watchServers(urls, { info() {}, warn() {}, error() {} });
    try {
      await servers.look();
      const system = servers.writable().state?.system;
      const wrong = servers.all.find(({ state }) => state !== null && state.system !== system);
      if (wrong !== undefined)
        throw new Wrong(`At ${new URL(wrong.url).host} is another database.`, 'Correct DATABASE_REPLICA_URLS.');
      const primaries = servers.all.filter(({ state }) => state?.isStandby === false);
      if (primaries.length !== 1)
        throw new Wrong(
          `${primaries.length} of ${urls.length} take writes, and one should.`,
          'Promote a standby, or end the server that was left behind: docs/running.md, "More than one database server".',
        );
      const db = openDatabase(servers.writable().url, { statementTimeoutMs: patienceMs });
      const { rows } = await sql<{ names: string }>`
        select current_setting('synchronous_standby_names') as names`
        .execute(db)
        .finally(() => db.destroy());
      if (rows[0]?.names === '')
        throw new Wrong(
          'A commit waits for no standby: what was answered is lost with the server.',
          `Set synchronous_standby_names = 'ANY 1 (…)' on all of them.`,
        );
      return `${new URL(servers.writable().url).host} takes writes, ${urls.length - 1} others follow, a commit waits for ${rows[0]?.names}`;
    } finally {
      await servers.stop();
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
      if (isOpenToOthers(path)) throw new Wrong('Others may read it.', `chmod 600 ${path}`);
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
      throw new Wrong(`Sealed by keys that are not at hand: ${foreign.join(', ')}.`, 'Add the file to KEK_FILE.');
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
      throw new Wrong(`Nothing answers at ${base}.`, 'Start it by `npm start`, or set its PORT.', { cause });
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

const databaseChecks = (config: Config): Check[] => {
  const { databaseUrl, databaseReplicaUrls: replicas } = config;
  return databaseUrl === null
    ? []
    : [
        ...[databaseUrl, ...replicas].map((url) => databaseCheck(url, config)),
        ...(replicas.length === 0 ? [] : [serversCheck([databaseUrl, ...replicas])]),
      ];
};

const checksOf = async (config: Config): Promise<Check[]> =>
  config.devnet
    ? laptop(config)
    : [
        ...realChains(config),
        ...databaseChecks(config),
        ...(config.redisUrl === null ? [] : [redisCheck(config.redisUrl)]),
        ...keyChecks(config),
      ];

/** In the order of the checks, each told as soon as it is there. */
const examine = async (tell: (finding: Finding) => void): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const take = async (check: Check): Promise<boolean> => {
    const finding = await found(check);
    findings.push(finding);
    tell(finding);
    return finding.state === 'well';
  };
  let checks: Check[] = [];
  const configuration: Check = {
    name: 'configuration',
    async run() {
      checks = await checksOf(configFromEnv(process.env));
      return 'every variable is as it may be';
    },
  };
  if (await take(configuration)) for (const check of checks) await take(check);
  return findings;
};

const sentence = ({ name, state, found: what, next }: Finding): string =>
  `${state === 'well' ? '✓' : '✗'} ${name}: ${what}${next === null ? '' : ` ${next}`}`;

await operator({
  usage: `Usage: mintage doctor [--json]

Asks the providers, contracts, database, Redis, clock and keys that the environment names, changes nothing, and exits 1 when something
is not as it should be. With --json: { well, checks: [{ name, state: well or wrong, found, next }] }.`,
  async run(words, output) {
    if (words.length > 0) throw new Failure('usage', `doctor takes no ${words[0]}.`, 'mintage doctor --help');
    const findings = await examine((finding) => (output.isJson ? undefined : output.print(sentence(finding))));
    const wrong = findings.filter(({ state }) => state === 'wrong').length;
    if (output.isJson) output.json({ well: wrong === 0, checks: findings });
    else output.print(wrong === 0 ? 'All is well.' : `${wrong} not as it should be.`);
    process.exitCode = wrong === 0 ? 0 : 1;
  },
});
