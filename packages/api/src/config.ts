import { type ChainSlug, chainSlugs } from '@mintage/protocol';
import { z } from 'zod';
import { envName } from './chains/rpc.ts';
import { type ClientPace, usualPace } from './http/slowClients.ts';
import { defaultRateLimits, type RateLimits } from './limits/rateLimits.ts';

/** A foreign identity provider whose tokens we take. */
export interface JwtIssuer {
  /** Equal to the token's `iss`. */
  issuer: string;
  jwksUrl: string;
  /** Equal to (one of) the token's `aud`. */
  audience: string;
  /** The one algorithm that this issuer signs with. */
  algorithm: 'RS256' | 'PS256' | 'ES256' | 'EdDSA';
}

export type Role = 'api' | 'indexer' | 'signer';

/** The whole configuration; one line per variable in `docs/configuration.md`. Addresses end without a slash. */
export interface Config {
  port: number;
  host: string;
  /** Folder for everything that a laptop keeps. */
  home: string;
  network: 'Mainnet' | 'Testnet';
  platformName: string;
  /** `Acme Pad` → `acme-pad`. */
  platformSlug: string;
  publicUrl: string;
  appUrl: string;
  /** Null: the embedded PostgreSQL below `home`. */
  databaseUrl: string | null;
  redisUrl: string | null;
  chains: readonly ChainSlug[];
  /** Providers by slug, in order of preference; empty for a local chain. */
  rpcUrls: ReadonlyMap<string, readonly string[]>;
  /** Slugs whose `rpcUrls` GET /chains may show. */
  publicRpcSlugs: ReadonlySet<string>;
  /** Start local chains. */
  devnet: boolean;
  roles: ReadonlySet<Role>;
  jwtIssuers: readonly JwtIssuer[];
  rateLimits: RateLimits;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Files with key-encryption keys, and ids of such keys in AWS KMS: the first of all seals, every one opens. */
  kekFiles: readonly string[];
  kmsKeyIds: readonly string[];
  /** File with the key of the voucher signer; null: referrals are not told to the chains. */
  voucherKeyFile: string | null;
  /** How long after a budget was made the signer pays its recipients. */
  recipientDelayHours: number;
  /** Highest builder fee that is signed unasked, basis points. */
  maxBuilderFeeBps: number;
  /** Most whole dollars that are approved beyond what the same request spends. */
  maxApprovalUsd: number;
  ipfsApiUrl: string | null;
  /** When a token is shown with its platform id: once its creation is on chain, or not before it graduates. */
  verifiedAt: 'confirmation' | 'graduation';
  /** Webhooks may be received on this machine, also over plain http. */
  webhooksToLoopback: boolean;
  /** Chains on which tools of assistants act; null: those of the specification and local ones. */
  toolChains: readonly ChainSlug[] | null;
  /** Hosts of web pages that may call the tool server, beside our own. */
  toolOrigins: readonly string[];
  logLevel: string;
  /** Check every answer against its schema: on, except in production. */
  checkOutputs: boolean;
  /** Clients that are slower are cut. */
  clientPace: ClientPace;
  /** An answer that takes longer becomes 503. */
  handlerTimeoutMs: number;
}

const trimmedUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

/** A comma list; empty parts fall away. */
const parts = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const slugs = parts
  .transform((names) => names.map((name) => (name === 'opbnb' ? 'op-bnb' : name)))
  .pipe(z.array(z.enum(chainSlugs)).min(1));

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.issues.push({ code: 'custom', message: 'is not JSON', input: text });
    return z.NEVER;
  }
});

const issuers = json.pipe(
  z.array(
    z.object({
      issuer: z.string().min(1),
      jwksUrl: z.url({ protocol: /^https?$/ }),
      audience: z.string().min(1),
      algorithm: z.enum(['RS256', 'PS256', 'ES256', 'EdDSA']).default('ES256'),
    }),
  ),
);

const count = z.int().min(1).max(1_000_000_000);
const rateLimits = json.pipe(
  z
    .strictObject({
      anonymous: count,
      authenticated: count,
      premium: count,
      signIn: count,
      writeDivisor: z.int().min(1).max(1_000),
      streams: count,
      toolAnonymous: count,
      toolAuthenticated: count,
      toolPremium: count,
    })
    .partial(),
);

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'must be addresses or networks' });

/** An alias can be moved to another key, which opens nothing that the first one sealed. */
const kmsKeyId = z
  .string()
  .regex(/^(arn:aws[a-z-]*:kms:[a-z0-9-]+:\d+:key\/)?[A-Za-z0-9-]+$/, 'must be ids or ARNs of keys, not aliases');

const hostname = z.string().regex(/^[a-z0-9.-]+$/, 'must be host names in lower case, without scheme and port');

const flag = z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true');

const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  MINTAGE_HOME: z.string().default('.mintage'),
  NETWORK: z.enum(['Mainnet', 'Testnet']).default('Testnet'),
  PLATFORM_NAME: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]*( [A-Za-z0-9]+)*$/, 'must be words of letters and digits')
    .max(32)
    .default('Mintage'),
  PUBLIC_URL: trimmedUrl.optional(),
  APP_URL: trimmedUrl.optional(),
  DATABASE_URL: z.string().optional(),
  REDIS_URL: z.string().optional(),
  CHAINS: z.union([z.literal('all'), slugs]).default(['base-sepolia', 'unichain-testnet']),
  PUBLIC_RPC: slugs.default([]),
  DEVNET: flag.optional(),
  ROLES: parts.pipe(z.array(z.enum(['api', 'indexer', 'signer'])).min(1)).default(['api', 'indexer', 'signer']),
  JWT_ISSUERS: issuers.default([]),
  RATE_LIMITS: rateLimits.default({}),
  TRUSTED_PROXIES: parts.pipe(z.array(network)).default([]),
  KEK_FILE: parts.default([]),
  KMS_KEY_ID: parts.pipe(z.array(kmsKeyId)).default([]),
  VOUCHER_KEY_FILE: z.string().optional(),
  RECIPIENT_DELAY_HOURS: z.coerce.number().min(0).max(8_760).default(24),
  MAX_BUILDER_FEE_BPS: z.coerce.number().int().min(0).max(10_000).default(100),
  MAX_APPROVAL_USD: z.coerce.number().int().min(0).max(1_000_000_000).default(10_000),
  IPFS_API_URL: trimmedUrl.optional(),
  VERIFIED_AT: z.enum(['confirmation', 'graduation']).default('confirmation'),
  WEBHOOKS_TO_LOOPBACK: flag.optional(),
  TOOL_CHAINS: slugs.optional(),
  TOOL_ORIGINS: parts.pipe(z.array(hostname)).default([]),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  NODE_ENV: z.string().default('development'),
});

/** Every EVM chain: what `CHAINS=all` means. */
export const evmSlugs: readonly ChainSlug[] = chainSlugs.filter((item) => !item.startsWith('solana'));

/**
 * The configuration that an environment says. An empty variable counts as not set.
 *
 * @throws Error naming each variable that is wrong.
 */
export const configFromEnv = (env: Readonly<Record<string, string | undefined>>): Config => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Environment.safeParse(set);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The configuration is not valid (docs/configuration.md):\n${lines.join('\n')}`);
  }
  const values = parsed.data;
  const chains = values.CHAINS === 'all' ? evmSlugs : [...new Set(values.CHAINS)];
  const rpcUrls = new Map(chains.map((name) => [name, rpcUrlsOf(set, name)] as const));
  const devnet = values.DEVNET ?? [...rpcUrls.values()].every((urls) => urls.length === 0);
  const publicUrl = values.PUBLIC_URL ?? `http://127.0.0.1:${values.PORT}`;
  return {
    port: values.PORT,
    host: values.HOST,
    home: values.MINTAGE_HOME,
    network: values.NETWORK,
    platformName: values.PLATFORM_NAME,
    platformSlug: values.PLATFORM_NAME.toLowerCase().replaceAll(' ', '-'),
    publicUrl,
    appUrl: values.APP_URL ?? publicUrl,
    databaseUrl: values.DATABASE_URL ?? null,
    redisUrl: values.REDIS_URL ?? null,
    chains,
    rpcUrls,
    publicRpcSlugs: new Set(values.PUBLIC_RPC),
    devnet,
    roles: new Set(values.ROLES),
    jwtIssuers: values.JWT_ISSUERS,
    rateLimits: { ...defaultRateLimits, ...values.RATE_LIMITS },
    trustedProxies: values.TRUSTED_PROXIES,
    kekFiles: values.KEK_FILE,
    kmsKeyIds: values.KMS_KEY_ID,
    recipientDelayHours: values.RECIPIENT_DELAY_HOURS,
    maxBuilderFeeBps: values.MAX_BUILDER_FEE_BPS,
    maxApprovalUsd: values.MAX_APPROVAL_USD,
    voucherKeyFile: values.VOUCHER_KEY_FILE ?? null,
    ipfsApiUrl: values.IPFS_API_URL ?? null,
    verifiedAt: values.VERIFIED_AT,
    webhooksToLoopback: values.WEBHOOKS_TO_LOOPBACK ?? devnet,
    toolChains: values.TOOL_CHAINS ?? null,
    toolOrigins: values.TOOL_ORIGINS,
    logLevel: values.LOG_LEVEL,
    checkOutputs: values.NODE_ENV !== 'production',
    clientPace: usualPace,
    handlerTimeoutMs: 25_000,
  };
};

const rpcUrlsOf = (env: Record<string, string | undefined>, name: ChainSlug): string[] => {
  const urls = (env[`RPC_URL_${envName(name)}`] ?? '').split(',').map((url) => url.trim());
  return urls.filter((url) => url !== '');
};

/** The same configuration on another port, where addresses were only guessed from the port. */
export const withPort = (config: Config, port: number): Config => {
  const guess = `http://127.0.0.1:${config.port}`;
  const moved = (url: string): string => (url === guess ? `http://127.0.0.1:${port}` : url);
  return { ...config, port, publicUrl: moved(config.publicUrl), appUrl: moved(config.appUrl) };
};

/** Every variable but the `RPC_URL_…` ones. */
export const environmentNames: readonly string[] = Object.keys(Environment.shape);
