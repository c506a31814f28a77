import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type ChainSlug, chains as knownChains } from '@mintage/protocol';
import { z } from 'zod';
import { type ClientPace, usualPace } from './clientPace.ts';
import { envName, misspeltNames, withoutSecrets } from './environment.ts';
import { jsonText } from './jsonText.ts';
import { defaultMediaQuotas, type MediaQuotas } from './mediaQuotas.ts';
import { defaultRateLimits, type RateLimits } from './rateLimits.ts';

/** A foreign identity provider whose tokens we take. */
export interface JwtIssuer {
  /** Equal to the token's `iss`. */
  issuer: string;
  jwksUrl: string;
  /** Equal to (one of) the token's `aud`. */
  audience: string;
  /** The one algorithm that this issuer signs with. */
  algorithm: 'RS256' | 'PS256' | 'ES256' | 'EdDSA';
  /** How people sign in there from the web app; absent: the web app does not offer it. */
  login?: IssuerLogin | undefined;
}

/** What a page needs for the authorization code flow with PKCE, as a public client. */
export interface IssuerLogin {
  /** As people know it: "Continue with …". */
  name: string;
  /** Of the web app there. Equal to `audience`: the identity token is what we take; else the access token. */
  clientId: string;
  authorizeUrl: string;
  /** Asked by the page itself, so it has to allow the origin of `APP_URL`. */
  tokenUrl: string;
}

export type Role = 'api' | 'indexer' | 'signer';

/** Names of samplers by OpenTelemetry's specification. */
const samplers = ['always_on', 'always_off', 'traceidratio'] as const;
const traceSamplers = [...samplers, ...samplers.map((name) => `parentbased_${name}` as const)];

/** Which traces are recorded, and how long spans wait to be sent together. */
export interface Tracing {
  sampler: (typeof traceSamplers)[number];
  /** Of `…traceidratio`: the share of them. */
  ratio: number;
  delayMs: number;
}

/** The whole configuration; one line per variable in `docs/configuration.md`. Addresses end without a slash. */
export interface Config {
  /** `NODE_ENV` says so. */
  production: boolean;
  /** `PORT`; 0: any free one. */
  port: number;
  /** Address or host name to listen on. */
  host: string;
  /** Folder for everything that is stored locally (`MINTAGE_HOME`). */
  home: string;
  network: 'Mainnet' | 'Testnet';
  platformName: string;
  /** `#rrggbb` of the pages of this service; null: bronze. */
  brandColor: string | null;
  /** File with the logo of the pages, SVG or PNG; null: ours. */
  brandLogo: string | null;
  /** `Acme Pad` → `acme-pad`. */
  platformSlug: string;
  /** Where callers reach this service, without the base path. */
  publicUrl: string;
  /** Address of the web app. */
  appUrl: string;
  /** Null: the embedded PostgreSQL below `home`. */
  databaseUrl: string | null;
  /** Further servers of the same database: standbys, any of which may be promoted. */
  databaseReplicaUrls: readonly string[];
  /** Where processes share the allowances of their callers; null: each counts for itself. */
  redisUrl: string | null;
  chains: readonly ChainSlug[];
  /** Providers by slug, in order of preference; empty for a local chain. Includes chains that are not in `chains`. */
  rpcUrls: ReadonlyMap<string, readonly string[]>;
  /** Slugs whose `rpcUrls` GET /chains may show. */
  publicRpcSlugs: ReadonlySet<string>;
  /** Start local chains. */
  devnet: boolean;
  /** Port of the first local chain, the next ones follow; 0: any. */
  chainPort: number;
  /** Port of the local issuer; 0: any. */
  issuerPort: number;
  roles: ReadonlySet<Role>;
  /** Processes of the role `api` on one port; 1: this process serves. */
  workers: number;
  jwtIssuers: readonly JwtIssuer[];
  rateLimits: RateLimits;
  mediaQuotas: MediaQuotas;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Files with key-encryption keys, and ids of such keys in AWS KMS: the first of all seals, each of them opens. */
  kekFiles: readonly string[];
  kmsKeyIds: readonly string[];
  /** Files with private keys of the APIs: the first vouches for intents and seals rows, the others are those that it replaces. */
  intentKeyFiles: readonly string[];
  /** Files with public keys of APIs, whose intents the signer signs. */
  intentPublicKeyFiles: readonly string[];
  /** Folder of the signing log, which all signers share. */
  signingLog: string;
  /** File with the key of the voucher signer; null: referrals are not told to the chains. */
  voucherKeyFile: string | null;
  /** How long after a budget was made the signer pays its recipients. */
  recipientDelayHours: number;
  /** Hours until a new passkey or wallet of an account withdraws and signs, and a new key spends its whole budget. */
  newAccessDelayHours: number;
  /** Dollars a day that a new key or grant spends before. */
  newKeyUsdPerDay: number;
  /** Highest builder fee that is signed without an acknowledgement, basis points. */
  maxBuilderFeeBps: number;
  /** Most whole dollars that are approved beyond what the same request spends. */
  maxApprovalUsd: number;
  /** Most whole dollars that leave an embedded wallet in a day; 0: no cap; null: what is usual on each chain. */
  maxUsdPerDay: number | null;
  /** The same of native coins, by slug, as decimal text. */
  maxCoinsPerDay: ReadonlyMap<string, string>;
  /** Most tokens a day and chain that the keeper graduates when their curve is sold out; null: no keeper. */
  keeperPerDay: number | null;
  /** Whole months of history that the index keeps; null: all. */
  historyMonths: number | null;
  /** RPC address of an IPFS node that pins every stored file; null: none. */
  ipfsApiUrl: string | null;
  /** When a token is shown with its platform id: once its creation is on chain, or once it graduates. */
  verifiedAt: 'confirmation' | 'graduation';
  /** Webhooks may be received on this machine, also over plain http. */
  webhooksToLoopback: boolean;
  /** Chains on which tools of assistants act; null: those of the specification and local ones. */
  toolChains: readonly ChainSlug[] | null;
  /** Ids of tokens whose holdings may weigh a vote on anything. */
  votingTokens: readonly string[];
  /** Ids of the users who moderate. */
  operators: ReadonlySet<string>;
  /** File with words, and file with hosts of links, that people's texts may not hold; null: none. */
  blockedWordsFile: string | null;
  blockedLinksFile: string | null;
  /** Hosts of web pages that may call the tool server, beside our own. */
  toolOrigins: readonly string[];
  /** Null: `warn` on a terminal, else `info`. */
  logLevel: string | null;
  /** Null: nothing is traced. Where traces go is read by the exporter, from the same environment. */
  traces: Tracing | null;
  /** Check every answer against its schema: on, except in production. */
  checkOutputs: boolean;
  /** How slow a client may be before its connection is closed. */
  clientPace: ClientPace;
  /** An answer that takes longer becomes 503. */
  handlerTimeoutMs: number;
}

const urlOf = (protocol: RegExp) => z.url({ protocol });
const databaseUrl = urlOf(/^postgres(ql)?$/);
const trimmedUrl = urlOf(/^https?$/).transform((url) => url.replace(/\/+$/, ''));

/** Decimal digits only; `1e3` or `0x10`, which JavaScript also reads as numbers, are refused. */
const wholeNumber = (max: number) => z.string().regex(/^\d+$/).transform(Number).pipe(z.int().max(max));
const port = wholeNumber(65_535);
const path = z.string().regex(/^[^\0]+$/);

/** A comma-separated list; empty parts are dropped. */
const parts = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** What `CHAINS=all` means. */
export const allSlugs: readonly ChainSlug[] = knownChains.map(({ slug }) => slug);

const slugs = parts
  .transform((names) => names.map((name) => (name === 'opbnb' ? 'op-bnb' : name)))
  .pipe(z.array(z.enum(allSlugs)).min(1));

const webUrl = z.url({ protocol: /^https?$/ });
const issuers = jsonText.pipe(
  z.array(
    z.object({
      issuer: z.string().min(1),
      jwksUrl: webUrl,
      audience: z.string().min(1),
      algorithm: z.enum(['RS256', 'PS256', 'ES256', 'EdDSA']).default('ES256'),
      login: z
        .strictObject({
          name: z.string().trim().min(1).max(40),
          clientId: z.string().min(1),
          authorizeUrl: webUrl,
          tokenUrl: webUrl,
        })
        .optional(),
    }),
  ),
);

const count = z.int().min(1).max(1_000_000_000);
const rateLimits = jsonText.pipe(
  z
    .strictObject({
      anonymous: count,
      authenticated: count,
      premium: count,
      signIn: count,
      writeDivisor: z.int().min(1).max(1_000),
      streams: count,
      posts: count,
      votes: count,
      profile: count,
      toolAnonymous: count,
      toolAuthenticated: count,
      toolPremium: count,
    })
    .partial(),
);

const room = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER / 10);
const mediaQuotas = jsonText.pipe(
  z
    .strictObject({
      userDay: room,
      userTotal: room,
      addressDay: room,
      addressTotal: room,
      filmsAfterHours: z.int().min(0).max(8_760),
    })
    .partial(),
);

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'must be addresses or networks' });

/** KMS aliases are refused: an alias can be moved to another key, which cannot open what the first one sealed. */
const kmsKeyId = z
  .string()
  .regex(/^(arn:aws[a-z-]*:kms:[a-z0-9-]+:\d+:key\/)?[A-Za-z0-9-]+$/, 'must be ids or ARNs of keys, not aliases');

const coinsOfChain = z
  .string()
  .regex(/^[a-z0-9-]+=\d{1,12}(\.\d{1,18})?$/, 'must be chains with amounts')
  .transform((text): [string, string] => text.split('=') as [string, string])
  .refine(([slug]) => (allSlugs as readonly string[]).includes(slug), 'must name chains');

const hostname = z.string().regex(/^[a-z0-9.-]+$/, 'must be host names in lower case, without scheme and port');

const flag = z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true');

/** Receivers of the binary form take the readable one, which is what is sent, at the same address; those of gRPC do not. */
const traceProtocol = z.enum(['http/json', 'http/protobuf']);

const Environment = z.object({
  PORT: port.default(8080),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default('127.0.0.1'),
  CHAIN_PORT: port.default(8545),
  ISSUER_PORT: port.default(8089),
  MINTAGE_HOME: path.default('.mintage'),
  NETWORK: z.enum(['Mainnet', 'Testnet']).default('Testnet'),
  PLATFORM_NAME: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]*( [A-Za-z0-9]+)*$/, 'must be words of letters and digits')
    .max(32)
    .default('Mintage'),
  BRAND_COLOR: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour as #rrggbb')
    .optional(),
  BRAND_LOGO: z
    .string()
    .regex(/^[^\0]+\.(svg|png)$/, 'must be a file that ends with .svg or .png')
    .optional(),
  PUBLIC_URL: trimmedUrl.optional(),
  APP_URL: trimmedUrl.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URLS: parts.pipe(z.array(databaseUrl)).default([]),
  REDIS_URL: urlOf(/^rediss?$/).optional(),
  CHAINS: z.union([z.literal('all'), slugs]).default(['base-sepolia', 'unichain-testnet', 'solana-devnet']),
  PUBLIC_RPC: slugs.default([]),
  DEVNET: flag.optional(),
  ROLES: parts.pipe(z.array(z.enum(['api', 'indexer', 'signer'])).min(1)).default(['api', 'indexer', 'signer']),
  WORKERS: z
    .union([z.literal('auto').transform(() => availableParallelism()), wholeNumber(256).refine((count) => count > 0)])
    .default(1),
  JWT_ISSUERS: issuers.default([]),
  RATE_LIMITS: rateLimits.default({}),
  MEDIA_QUOTAS: mediaQuotas.default({}),
  TRUSTED_PROXIES: parts.pipe(z.array(network)).default([]),
  KEK_FILE: parts.pipe(z.array(path)).default([]),
  KMS_KEY_ID: parts.pipe(z.array(kmsKeyId)).default([]),
  INTENT_KEY_FILE: parts.pipe(z.array(path)).default([]),
  INTENT_PUBLIC_KEY_FILE: parts.pipe(z.array(path)).default([]),
  SIGNING_LOG: path.optional(),
  VOUCHER_KEY_FILE: path.optional(),
  RECIPIENT_DELAY_HOURS: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().max(8_760))
    .default(24),
  NEW_ACCESS_DELAY_HOURS: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().max(8_760))
    .optional(),
  NEW_KEY_USD_PER_DAY: wholeNumber(1_000_000_000).default(100),
  MAX_BUILDER_FEE_BPS: wholeNumber(10_000).default(100),
  MAX_APPROVAL_USD: wholeNumber(1_000_000_000).default(10_000),
  MAX_USD_PER_DAY: wholeNumber(1_000_000_000).optional(),
  MAX_COINS_PER_DAY: parts.pipe(z.array(coinsOfChain)).default([]),
  KEEPER: flag.optional(),
  KEEPER_PER_DAY: wholeNumber(100_000).default(100),
  HISTORY_MONTHS: wholeNumber(1_200)
    .refine((months) => months !== 1)
    .default(0),
  IPFS_API_URL: trimmedUrl.optional(),
  VERIFIED_AT: z.enum(['confirmation', 'graduation']).default('confirmation'),
  WEBHOOKS_TO_LOOPBACK: flag.optional(),
  TOOL_CHAINS: slugs.optional(),
  VOTING_TOKENS: parts.pipe(z.array(z.uuid().toLowerCase())).default([]),
  OPERATORS: parts.pipe(z.array(z.uuid().toLowerCase())).default([]),
  BLOCKED_WORDS_FILE: path.optional(),
  BLOCKED_LINKS_FILE: path.optional(),
  TOOL_ORIGINS: parts.pipe(z.array(hostname)).default([]),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional(),
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  OTEL_SDK_DISABLED: z
    .string()
    .regex(/^(true|false)$/i)
    .optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: traceProtocol.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: traceProtocol.optional(),
  OTEL_TRACES_SAMPLER: z.enum(traceSamplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0|1|0?\.\d+|1\.0+)$/)
    .transform(Number)
    .default(1),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(60_000).default(5_000),
});

/** What each variable may be, quoted in the error when it is set to something else. */
const choices: Record<keyof typeof Environment.shape, string> = {
  PORT: 'a port from 0 (any free one) to 65535',
  HOST: 'an address or host name to listen on, such as 127.0.0.1 or ::',
  CHAIN_PORT: 'a port from 0 (any free ones) to 65535',
  ISSUER_PORT: 'a port from 0 (any free one) to 65535',
  MINTAGE_HOME: 'a folder',
  NETWORK: 'Mainnet or Testnet',
  PLATFORM_NAME: 'words of letters and digits, at most 32 characters',
  BRAND_COLOR: 'a colour as #rrggbb',
  BRAND_LOGO: 'path of an .svg or .png file',
  PUBLIC_URL: 'an address that begins with http:// or https://',
  APP_URL: 'an address that begins with http:// or https://',
  DATABASE_URL: 'an address such as postgres://user:password@host:5432/database',
  DATABASE_REPLICA_URLS:
    'a comma list of addresses such as postgres://user:password@host:5432/database, beside DATABASE_URL',
  REDIS_URL: 'an address such as redis://host:6379, or rediss:// with TLS',
  CHAINS: `all, or a comma list of ${allSlugs.join(', ')}`,
  PUBLIC_RPC: `a comma list of ${allSlugs.join(', ')}`,
  DEVNET: '1 or 0',
  ROLES: 'a comma list of api, indexer, signer',
  WORKERS: 'auto (one for each core), or a whole number from 1 to 256',
  JWT_ISSUERS: 'a JSON list of {"issuer", "jwksUrl", "audience", "algorithm", "login"}',
  RATE_LIMITS: 'a JSON object of whole numbers, with the names that docs/configuration.md lists',
  MEDIA_QUOTAS: 'a JSON object of whole numbers, with the names that docs/configuration.md lists',
  TRUSTED_PROXIES: 'a comma list of addresses and networks, such as 10.0.0.0/8',
  KEK_FILE: 'a comma list of files',
  KMS_KEY_ID: 'a comma list of ids or ARNs of keys, not aliases',
  INTENT_KEY_FILE: 'a comma list of files',
  INTENT_PUBLIC_KEY_FILE: 'a comma list of files',
  SIGNING_LOG: 'a folder',
  VOUCHER_KEY_FILE: 'a file',
  RECIPIENT_DELAY_HOURS: 'a number from 0 to 8760',
  NEW_ACCESS_DELAY_HOURS: 'a number from 0 to 8760',
  NEW_KEY_USD_PER_DAY: 'a whole number from 0 to 1000000000',
  MAX_BUILDER_FEE_BPS: 'a whole number from 0 to 10000',
  MAX_APPROVAL_USD: 'a whole number from 0 to 1000000000',
  MAX_USD_PER_DAY: 'a whole number from 0 (no limit) to 1000000000',
  MAX_COINS_PER_DAY: 'a comma list of chains with amounts, such as base=0.5,solana=20; 0 is no limit',
  KEEPER: '1 or 0',
  KEEPER_PER_DAY: 'a whole number from 0 to 100000',
  HISTORY_MONTHS: '0 (all), or a whole number from 2 to 1200',
  IPFS_API_URL: 'an address that begins with http:// or https://',
  VERIFIED_AT: 'confirmation or graduation',
  WEBHOOKS_TO_LOOPBACK: '1 or 0',
  TOOL_CHAINS: `a comma list of ${allSlugs.join(', ')}`,
  VOTING_TOKENS: 'a comma list of ids of tokens',
  OPERATORS: 'a comma list of ids of users, which GET /me shows',
  BLOCKED_WORDS_FILE: 'a file',
  BLOCKED_LINKS_FILE: 'a file',
  TOOL_ORIGINS: 'a comma list of host names in lower case, without scheme and port',
  LOG_LEVEL: 'trace, debug, info, warn, error, fatal or silent',
  NODE_ENV: 'development, production or test',
  OTEL_SDK_DISABLED: 'true or false',
  OTEL_TRACES_EXPORTER: 'otlp or none',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'an address that begins with http:// or https://',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'an address that begins with http:// or https://',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json or http/protobuf',
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json or http/protobuf',
  OTEL_TRACES_SAMPLER: traceSamplers.join(', '),
  OTEL_TRACES_SAMPLER_ARG: 'a number from 0 to 1',
  OTEL_BSP_SCHEDULE_DELAY: 'a whole number of milliseconds up to 60000',
};

/** What the command line and other clients read: set in the same shell, they say nothing to a service. */
const clientNames = ['URL', 'API_KEY', 'PRIVATE_KEY', 'CHAIN', 'PROFILE', 'PASSWORD'].map((name) => `MINTAGE_${name}`);

const rpcPrefix = 'RPC_URL';
const rpcNames = allSlugs.map((slug) => `${rpcPrefix}_${envName(slug)}`);
const rpcAddresses = parts.pipe(z.array(urlOf(/^(https?|wss?)$/)));

/**
 * Reads the configuration from the environment. An empty variable counts as not set.
 *
 * @throws Error naming every variable that is wrong or misspelt, its value without secrets, and what it may be.
 */
export const configFromEnv = (env: Readonly<Record<string, string | undefined>>): Config => {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== '' && !clientNames.includes(name)) set[name] = value;
  }
  const parsed = Environment.safeParse(set);
  const errors = [
    ...wrongValues(set, parsed.error?.issues ?? []),
    ...wrongRpcAddresses(set),
    ...misspeltNames(set, [...environmentNames, ...rpcNames], { prefixes: ['MINTAGE_', rpcPrefix] }),
  ];
  if (errors.length > 0 || !parsed.success)
    throw new Error(
      `The configuration is not valid (docs/configuration.md):\n${errors.map((line) => `  ${line}`).join('\n')}`,
    );
  const values = parsed.data;
  const chains = values.CHAINS === 'all' ? allSlugs : [...new Set(values.CHAINS)];
  const named = allSlugs.filter((slug) => rpcUrlsOf(set, slug).length > 0);
  const rpcUrls = new Map([...chains, ...named].map((slug) => [slug, rpcUrlsOf(set, slug)] as const));
  const devnet = values.DEVNET ?? chains.every((slug) => !named.includes(slug));
  if (values.WORKERS > 1 && (devnet || values.DATABASE_URL === undefined))
    throw new Error(
      'WORKERS is more than 1: that needs DATABASE_URL and chains with a provider, because the embedded database and ' +
        'local chains belong to one process (docs/configuration.md).',
    );
  if (values.DATABASE_REPLICA_URLS.length > 0 && values.DATABASE_URL === undefined)
    throw new Error(
      'DATABASE_REPLICA_URLS are further servers of the database of DATABASE_URL, which is not set (docs/configuration.md).',
    );
  const publicUrl = values.PUBLIC_URL ?? `http://127.0.0.1:${values.PORT}`;
  return {
    production: values.NODE_ENV === 'production',
    port: values.PORT,
    host: values.HOST,
    home: values.MINTAGE_HOME,
    network: values.NETWORK,
    platformName: values.PLATFORM_NAME,
    brandColor: values.BRAND_COLOR ?? null,
    brandLogo: values.BRAND_LOGO ?? null,
    platformSlug: values.PLATFORM_NAME.toLowerCase().replaceAll(' ', '-'),
    publicUrl,
    appUrl: values.APP_URL ?? byName(publicUrl),
    databaseUrl: values.DATABASE_URL ?? null,
    databaseReplicaUrls: values.DATABASE_REPLICA_URLS,
    redisUrl: values.REDIS_URL ?? null,
    chains,
    rpcUrls,
    publicRpcSlugs: new Set(values.PUBLIC_RPC),
    devnet,
    chainPort: values.CHAIN_PORT,
    issuerPort: values.ISSUER_PORT,
    roles: new Set(values.ROLES),
    workers: values.WORKERS,
    jwtIssuers: values.JWT_ISSUERS,
    rateLimits: { ...defaultRateLimits, ...values.RATE_LIMITS },
    mediaQuotas: { ...defaultMediaQuotas, ...(devnet && { filmsAfterHours: 0 }), ...values.MEDIA_QUOTAS },
    trustedProxies: values.TRUSTED_PROXIES,
    kekFiles: values.KEK_FILE,
    kmsKeyIds: values.KMS_KEY_ID,
    recipientDelayHours: values.RECIPIENT_DELAY_HOURS,
    newAccessDelayHours: values.NEW_ACCESS_DELAY_HOURS ?? (devnet ? 0 : 24),
    newKeyUsdPerDay: values.NEW_KEY_USD_PER_DAY,
    maxBuilderFeeBps: values.MAX_BUILDER_FEE_BPS,
    maxApprovalUsd: values.MAX_APPROVAL_USD,
    maxUsdPerDay: values.MAX_USD_PER_DAY ?? null,
    maxCoinsPerDay: new Map(values.MAX_COINS_PER_DAY),
    intentKeyFiles: values.INTENT_KEY_FILE,
    intentPublicKeyFiles: values.INTENT_PUBLIC_KEY_FILE,
    signingLog: values.SIGNING_LOG ?? join(values.MINTAGE_HOME, 'signing-log'),
    voucherKeyFile: values.VOUCHER_KEY_FILE ?? null,
    keeperPerDay: (values.KEEPER ?? devnet) ? values.KEEPER_PER_DAY : null,
    historyMonths: values.HISTORY_MONTHS === 0 ? null : values.HISTORY_MONTHS,
    ipfsApiUrl: values.IPFS_API_URL ?? null,
    verifiedAt: values.VERIFIED_AT,
    webhooksToLoopback: values.WEBHOOKS_TO_LOOPBACK ?? devnet,
    toolChains: values.TOOL_CHAINS ?? null,
    votingTokens: values.VOTING_TOKENS,
    operators: new Set(values.OPERATORS),
    blockedWordsFile: values.BLOCKED_WORDS_FILE ?? null,
    blockedLinksFile: values.BLOCKED_LINKS_FILE ?? null,
    toolOrigins: values.TOOL_ORIGINS,
    logLevel: values.LOG_LEVEL ?? null,
    traces: tracesOf(values),
    checkOutputs: values.NODE_ENV !== 'production',
    clientPace: usualPace,
    handlerTimeoutMs: 25_000,
  };
};

const rpcUrlsOf = (env: Record<string, string | undefined>, name: ChainSlug): string[] =>
  parts.parse(env[`${rpcPrefix}_${envName(name)}`] ?? '');

/** By the standard variables, but that nothing is sent to an address that nobody named. */
const tracesOf = (values: z.output<typeof Environment>): Tracing | null => {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_TRACES_SAMPLER: sampler } = values;
  const isNamed = [exporter, values.OTEL_EXPORTER_OTLP_ENDPOINT, values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT].some(
    (value) => value !== undefined,
  );
  const isOff = exporter === 'none' || values.OTEL_SDK_DISABLED?.toLowerCase() === 'true';
  if (!isNamed || isOff) return null;
  return { sampler, ratio: values.OTEL_TRACES_SAMPLER_ARG, delayMs: values.OTEL_BSP_SCHEDULE_DELAY };
};

/** Passkeys belong to a name and not to a number: this machine's is `localhost`. */
const byName = (url: string): string => url.replace(/^http:\/\/127\.0\.0\.1(?=[:/]|$)/, 'http://localhost');

/** One line per wrong variable; for lists and JSON with the place of the error. */
const wrongValues = (set: Record<string, string>, issues: readonly z.core.$ZodIssue[]): string[] => {
  const byName = new Map<string, string[]>();
  for (const { path, message } of issues) {
    const [name, ...place] = path as [string, ...(string | number)[]];
    const said = place.length === 0 ? [] : [`${place.join('.')}: ${message}`];
    byName.set(name, [...(byName.get(name) ?? []), ...said]);
  }
  return [...byName].map(([name, places]) => {
    const where = places.length === 0 ? '' : ` (${places.join('; ')})`;
    return wrongValue(name, set[name] ?? '', choices[name as keyof typeof choices]) + where;
  });
};

const wrongRpcAddresses = (set: Record<string, string>): string[] =>
  rpcNames
    .filter((name) => set[name] !== undefined && !rpcAddresses.safeParse(set[name]).success)
    .map((name) =>
      wrongValue(name, '***', 'a comma list of addresses that begin with https://, http://, wss:// or ws://'),
    );

const wrongValue = (name: string, value: string, choice: string): string =>
  `${name} is "${withoutSecrets(value)}": it must be ${choice}.`;

const rpcVariables = (slugs: readonly string[]): string =>
  slugs.map((slug) => `${rpcPrefix}_${envName(slug)}`).join(', ');

/**
 * Refuses to start local chains where they would be taken for real ones, to serve a chain without a provider, and to leave out
 * one that has a provider. A deployment has local chains or real ones, never both.
 *
 * @throws Error with all that is wrong.
 */
export const refuseUnservableChains = (config: Config): void => {
  const { devnet, production, network, chains, rpcUrls } = config;
  const named = chains.filter((slug) => (rpcUrls.get(slug) ?? []).length > 0);
  const unnamed = chains.filter((slug) => !named.includes(slug));
  const errors = leftOutChains(config);
  if (devnet) {
    const instead = `set ${rpcVariables(unnamed)} to serve real chains`;
    if (production) errors.push(`NODE_ENV is "production", and local chains are for trying out: ${instead}.`);
    if (network === 'Mainnet') errors.push(`NETWORK is "Mainnet", and local chains are for trying out: ${instead}.`);
    if (named.length > 0)
      errors.push(
        `DEVNET is "1" and ${rpcVariables(named)} set: local and real chains are never mixed; unset one of them.`,
      );
  } else {
    if (unnamed.length > 0)
      errors.push(
        `${rpcVariables(unnamed)} is not set: each chain of CHAINS needs a provider, or none has one and DEVNET=1.`,
      );
    for (const slug of named.filter((one) => rpcUrls.get(one)?.every((url) => /^wss?:/.test(url))))
      errors.push(
        `${rpcVariables([slug])} is "***", and wss:// and ws:// addresses only announce blocks: add one that begins with https:// or http://.`,
      );
  }
  if (errors.length > 0)
    throw new Error(
      `These chains cannot be served (docs/configuration.md):\n${errors.map((e) => `  ${e}`).join('\n')}`,
    );
};

/**
 * Chains that have a provider and are not served. An indexer of some chains may share its environment with processes
 * that serve them all.
 */
const leftOutChains = ({ devnet, roles, chains, rpcUrls }: Config): string[] => {
  if (!devnet && roles.size === 1 && roles.has('indexer')) return [];
  return [...rpcUrls.keys()]
    .filter((slug) => !(chains as readonly string[]).includes(slug))
    .map(
      (slug) =>
        `${rpcVariables([slug])} is "***", but CHAINS is "${chains.join()}": add ${slug} to CHAINS, or unset ${rpcVariables([slug])}.`,
    );
};

/** Address of the API where it listens, without the base path. */
export const urlOn = ({ host, port }: Pick<Config, 'host' | 'port'>): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The configuration with the actual port, and with it in the addresses that default to the port. */
export const withPort = (config: Config, port: number): Config => {
  const guess = `http://127.0.0.1:${config.port}`;
  const actual = `http://127.0.0.1:${port}`;
  const moved = (url: string): string => (url === guess ? actual : url === byName(guess) ? byName(actual) : url);
  return { ...config, port, publicUrl: moved(config.publicUrl), appUrl: moved(config.appUrl) };
};

/** Every variable but the `RPC_URL_…` ones. */
export const environmentNames: readonly string[] = Object.keys(Environment.shape);
