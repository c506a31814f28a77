import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { allSlugs, configFromEnv, environmentNames, refuseUnservableChains, withPort } from './config.ts';

describe('configFromEnv', () => {
  it('default', () => {
    expect(configFromEnv({})).toEqual({
      production: false,
      port: 8080,
      host: '127.0.0.1',
      home: '.mintage',
      network: 'Testnet',
      platformName: 'Mintage',
      brandColor: null,
      brandLogo: null,
      platformSlug: 'mintage',
      publicUrl: 'http://127.0.0.1:8080',
      appUrl: 'http://localhost:8080',
      databaseUrl: null,
      databaseReplicaUrls: [],
      redisUrl: null,
      chains: ['base-sepolia', 'unichain-testnet', 'solana-devnet'],
      rpcUrls: new Map([
        ['base-sepolia', []],
        ['unichain-testnet', []],
        ['solana-devnet', []],
      ]),
      publicRpcSlugs: new Set(),
      devnet: true,
      chainPort: 8545,
      issuerPort: 8089,
      roles: new Set(['api', 'indexer', 'signer']),
      workers: 1,
      jwtIssuers: [],
      rateLimits: {
        anonymous: 300,
        authenticated: 1_200,
        premium: 12_000,
        signIn: 20,
        writeDivisor: 10,
        streams: 100,
        posts: 30,
        votes: 60,
        profile: 10,
        toolAnonymous: 10,
        toolAuthenticated: 100,
        toolPremium: 1_000,
      },
      mediaQuotas: {
        userDay: 50_000_000,
        userTotal: 500_000_000,
        addressDay: 250_000_000,
        addressTotal: 2_500_000_000,
        filmsAfterHours: 0,
      },
      trustedProxies: [],
      recipientDelayHours: 24,
      maxBuilderFeeBps: 100,
      newAccessDelayHours: 0,
      newKeyUsdPerDay: 100,
      maxApprovalUsd: 10_000,
      maxUsdPerDay: null,
      maxCoinsPerDay: new Map(),
      keeperPerDay: 100,
      historyMonths: null,
      kekFiles: [],
      kmsKeyIds: [],
      intentKeyFiles: [],
      intentPublicKeyFiles: [],
      signingLog: '.mintage/signing-log',
      voucherKeyFile: null,
      ipfsApiUrl: null,
      verifiedAt: 'confirmation',
      webhooksToLoopback: true,
      toolChains: null,
      votingTokens: [],
      operators: new Set(),
      blockedWordsFile: null,
      blockedLinksFile: null,
      toolOrigins: [],
      logLevel: null,
      traces: null,
      checkOutputs: true,
      clientPace: {
        headersMs: 10_000,
        bodyMs: 90_000,
        bytesPerSecond: 8_192,
        windowMs: 10_000,
        lingerMs: 1_000,
        idleMs: 72_000,
        checkEveryMs: 1_000,
      },
      handlerTimeoutMs: 25_000,
    });
  });

  it('behavior: a production deployment', () => {
    const config = configFromEnv({
      NODE_ENV: 'production',
      PLATFORM_NAME: 'Acme Pad',
      PUBLIC_URL: 'https://api.acmepad.example/',
      CHAINS: 'base, opbnb,base',
      RPC_URL_BASE: 'https://one.example/key, https://two.example',
      RPC_URL_OP_BNB: 'https://three.example',
      REDIS_URL: '',
      ROLES: 'api',
    });
    expect(config).toMatchObject({
      platformSlug: 'acme-pad',
      publicUrl: 'https://api.acmepad.example',
      appUrl: 'https://api.acmepad.example',
      chains: ['base', 'op-bnb'],
      devnet: false,
      redisUrl: null,
      checkOutputs: false,
    });
    expect(config.rpcUrls.get('base')).toEqual(['https://one.example/key', 'https://two.example']);
    expect(config.roles).toEqual(new Set(['api']));
  });

  it('behavior: all is every chain', () => {
    expect(configFromEnv({ CHAINS: 'all' }).chains).toEqual(allSlugs);
    expect(allSlugs.length).toBe(17);
  });

  it('behavior: several key-encryption keys', () => {
    const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
    const config = configFromEnv({ KEK_FILE: '/run/new, /run/old', KMS_KEY_ID: `${arn},mrk-0abc` });
    expect([config.kekFiles, config.kmsKeyIds]).toEqual([
      ['/run/new', '/run/old'],
      [arn, 'mrk-0abc'],
    ]);
    expect(() => configFromEnv({ KMS_KEY_ID: 'alias/mintage' })).toThrow('KMS_KEY_ID is "alias/mintage"');
  });

  it('error: names every variable that is wrong', () => {
    const env = { PORT: 'x', CHAINS: 'base,nowhere', PUBLIC_URL: 'ftp://x', JWT_ISSUERS: '{', PLATFORM_NAME: '<b>' };
    for (const name of Object.keys(env)) expect(() => configFromEnv(env)).toThrow(name);
  });

  it('default: an identity provider says how people sign in there, or is for tokens alone', () => {
    const issuer = { issuer: 'https://id.example', jwksUrl: 'https://id.example/keys', audience: 'pad' };
    const login = {
      name: 'Example',
      clientId: 'pad',
      authorizeUrl: 'https://id.example/authorize',
      tokenUrl: 'https://id.example/token',
    };
    const read = (value: object) => configFromEnv({ JWT_ISSUERS: JSON.stringify([value]) }).jwtIssuers;
    expect(read(issuer)).toEqual([{ ...issuer, algorithm: 'ES256' }]);
    expect(read({ ...issuer, login })).toEqual([{ ...issuer, algorithm: 'ES256', login }]);
    for (const bad of [{ tokenUrl: 'javascript:1' }, { clientId: '' }, { name: ' ' }, { clientSecret: 'x' }])
      expect(() => read({ ...issuer, login: { ...login, ...bad } })).toThrow('JWT_ISSUERS');
  });

  const wrong = {
    PORT: 'abc',
    HOST: 'no host',
    CHAIN_PORT: '0x10',
    ISSUER_PORT: '65536',
    MINTAGE_HOME: 'a\0b',
    NETWORK: 'mainnet',
    PLATFORM_NAME: '<b>',
    BRAND_COLOR: 'red',
    BRAND_LOGO: '/logo.gif',
    PUBLIC_URL: 'ftp://x',
    APP_URL: 'app.example',
    DATABASE_URL: 'notaurl',
    DATABASE_REPLICA_URLS: 'notaurl',
    REDIS_URL: 'http://redis:6379',
    CHAINS: 'foo',
    PUBLIC_RPC: 'base,bar',
    DEVNET: 'yes',
    ROLES: 'api,worker',
    WORKERS: '0',
    JWT_ISSUERS: '[{}]',
    RATE_LIMITS: '{"anonymus":1}',
    MEDIA_QUOTAS: '{"userDay":-1}',
    TRUSTED_PROXIES: '10.0.0.0/99',
    KEK_FILE: '/a,\0',
    KMS_KEY_ID: 'alias/mintage',
    INTENT_KEY_FILE: '/a,\0',
    INTENT_PUBLIC_KEY_FILE: '/a,\0',
    SIGNING_LOG: '\0',
    VOUCHER_KEY_FILE: '\0',
    RECIPIENT_DELAY_HOURS: '-1',
    NEW_ACCESS_DELAY_HOURS: '-1',
    NEW_KEY_USD_PER_DAY: '1.5',
    MAX_BUILDER_FEE_BPS: '1.5',
    MAX_APPROVAL_USD: '1e3',
    MAX_USD_PER_DAY: '-1',
    MAX_COINS_PER_DAY: 'base=1,bases=2',
    KEEPER: 'maybe',
    KEEPER_PER_DAY: '-1',
    HISTORY_MONTHS: '1',
    IPFS_API_URL: 'kubo',
    VERIFIED_AT: 'never',
    WEBHOOKS_TO_LOOPBACK: 'no',
    TOOL_CHAINS: 'solana-testnet',
    VOTING_TOKENS: 'boat',
    OPERATORS: 'alice',
    BLOCKED_WORDS_FILE: '\0',
    BLOCKED_LINKS_FILE: '\0',
    TOOL_ORIGINS: 'https://x',
    LOG_LEVEL: 'loud',
    NODE_ENV: 'Production',
    OTEL_SDK_DISABLED: 'yes',
    OTEL_TRACES_EXPORTER: 'zipkin',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://collector',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '5%',
    OTEL_BSP_SCHEDULE_DELAY: '1s',
    RPC_URL_BASE: 'base.example',
  };
  const messageOf = (env: Record<string, string>): string => {
    try {
      refuseUnservableChains(configFromEnv(env));
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('L14 error: all that is wrong is told at once, each variable with its value and what it may be', () => {
    expect(Object.keys(wrong)).toEqual(expect.arrayContaining([...environmentNames]));
    const lines = messageOf(wrong).split('\n').slice(1);
    expect(lines.map((line) => line.trim().split(' ')[0]).toSorted()).toEqual(Object.keys(wrong).toSorted());
    for (const line of lines) expect(line).toMatch(/^ {2}[A-Z_]+ is ".*": it must be \S.*\.( \(.*\))?$/);
    expect(lines).toContain('  PORT is "abc": it must be a port from 0 (any free one) to 65535.');
    expect(lines.find((line) => line.includes('CHAINS is "foo"'))).toContain('base-sepolia');
    expect(lines.find((line) => line.includes('RATE_LIMITS'))).toContain('anonymus');
  });

  it.each([
    ['CHAIN', 'did you mean CHAINS?'],
    ['RPC_URL_BASES', 'RPC_URL_BASE'],
    ['RPC_URL', 'RPC_URL_BASE'],
    ['MINTAGE_HOM', 'did you mean MINTAGE_HOME?'],
    ['MINTAGE_PORT', 'MINTAGE_HOME'],
    ['DATABASE_URI', 'did you mean DATABASE_URL?'],
    ['KEK_FIEL', 'did you mean KEK_FILE?'],
  ])('L14 error: %s is told to be misspelt', (name, said) => {
    const message = messageOf({ [name]: 'secret' });
    expect(message).toContain(`${name} is not a variable of ours`);
    expect(message).toContain(said);
    expect(message).not.toContain('secret');
  });

  it('L14 behavior: variables of others are let alone', () => {
    const others = {
      HOME: '/root',
      HOSTNAME: 'x',
      API_URL: 'x',
      PATH: 'x',
      PGHOST: 'x',
      REDIS_PORT: 'x',
      npm_config_x: 'x',
      MINTAGE_URL: 'x',
      MINTAGE_API_KEY: 'x',
    };
    expect(messageOf(others)).toBe('');
    expect(messageOf({ RPC_URL_BASE: '' })).toBe('');
  });

  it.each([
    ['DATABASE_URL', 'postgress://mintage:hunter2@db.example/mintage'],
    ['DATABASE_URL', 'mintage:hunter2@db.example/mintage'],
    ['DATABASE_REPLICA_URLS', 'postgres://u:hunter2@db.example/x,postgress://mintage:hunter2@db.example/mintage'],
    ['DATABASE_URL', 'mysql://db.example/mintage?password=hunter2'],
    ['DATABASE_URL', 'postgress://u:hunt@er2:hunter2@db.example/x'],
    ['REDIS_URL', 'http://:hunter2@redis.example'],
    ['RPC_URL_BASE', 'https//base.example/v2/hunter2'],
  ])('L14 error: %s=%s is told without its secret', (name, value) => {
    const message = messageOf({ [name]: value });
    expect(message).toContain(`${name} is "`);
    expect(message).not.toMatch(/hunter2|hunt@/);
  });

  const rpc = 'https://base.example';
  const leftOut = 'RPC_URL_BASE is "***", but CHAINS is "base-sepolia,unichain-testnet,solana-devnet"';
  it.each([
    ['production without providers', { NODE_ENV: 'production' }, ['NODE_ENV', 'RPC_URL_BASE_SEPOLIA']],
    ['mainnet without providers', { NETWORK: 'Mainnet', CHAINS: 'base' }, ['NETWORK', 'RPC_URL_BASE']],
    ['production with DEVNET=1', { NODE_ENV: 'production', DEVNET: '1' }, ['NODE_ENV']],
    ['both at once', { NODE_ENV: 'production', NETWORK: 'Mainnet' }, ['NODE_ENV', 'NETWORK']],
    ['DEVNET=1 beside a provider', { DEVNET: '1', CHAINS: 'base', RPC_URL_BASE: rpc }, ['DEVNET', 'RPC_URL_BASE']],
    ['one chain of two without', { CHAINS: 'base,polygon', RPC_URL_BASE: rpc }, ['RPC_URL_POLYGON is not set']],
    ['a provider and the usual CHAINS', { RPC_URL_BASE: rpc }, [leftOut, 'add base to CHAINS, or unset RPC_URL_BASE.']],
    ['the same with DEVNET=1', { DEVNET: '1', RPC_URL_BASE: rpc }, [leftOut]],
    [
      'a chain of two left out',
      { CHAINS: 'base', RPC_URL_BASE: rpc, RPC_URL_POLYGON: rpc },
      ['RPC_URL_POLYGON is "***", but CHAINS is "base": add polygon to CHAINS'],
    ],
    [
      'a provider that only announces blocks',
      { NODE_ENV: 'production', CHAINS: 'base', RPC_URL_BASE: 'wss://base.example,ws://base.example' },
      ['RPC_URL_BASE is "***", and wss://', 'add one that begins with https:// or http://.'],
    ],
    [
      'DEVNET=0 without any',
      { DEVNET: '0' },
      ['RPC_URL_BASE_SEPOLIA, RPC_URL_UNICHAIN_TESTNET, RPC_URL_SOLANA_DEVNET is not set'],
    ],
  ])('H15 error: %s', (_, env, said) => {
    const message = messageOf(env as unknown as Record<string, string>);
    for (const part of said) expect(message).toContain(part);
  });

  it('H15 behavior: a laptop has local chains, and a deployment mainnets beside testnets', () => {
    expect(messageOf({})).toBe('');
    const both = { CHAINS: 'base,base-sepolia', RPC_URL_BASE: rpc, RPC_URL_BASE_SEPOLIA: rpc };
    expect(messageOf({ ...both, NODE_ENV: 'production', NETWORK: 'Mainnet' })).toBe('');
    expect(messageOf({ ...both, RPC_URL_BASE: `${rpc},wss://base.example` })).toBe('');
  });

  it('H15 behavior: an indexer of some chains may see the providers of the others', () => {
    const env = { CHAINS: 'base', RPC_URL_BASE: rpc, RPC_URL_POLYGON: rpc };
    expect(messageOf({ ...env, ROLES: 'indexer' })).toBe('');
    expect(messageOf({ ...env, ROLES: 'indexer,signer' })).toContain('RPC_URL_POLYGON');
  });

  it('behavior: several workers need a database and chains that are no process of ours', () => {
    const real = { DEVNET: '0', CHAINS: 'base', RPC_URL_BASE: 'https://base.example', DATABASE_URL: 'postgres://db/m' };
    expect(configFromEnv({ ...real, WORKERS: '3' }).workers).toBe(3);
    expect(configFromEnv({ ...real, WORKERS: 'auto' }).workers).toBeGreaterThanOrEqual(1);
    for (const less of [{ DATABASE_URL: '' }, { DEVNET: '1' }])
      expect(() => configFromEnv({ ...real, ...less, WORKERS: '3' })).toThrow('WORKERS is more than 1');
  });

  it('behavior: further servers of a database need the first', () => {
    const replicas = 'postgres://two/m,postgres://three/m';
    expect(configFromEnv({ DATABASE_URL: 'postgres://one/m', DATABASE_REPLICA_URLS: replicas })).toMatchObject({
      databaseReplicaUrls: ['postgres://two/m', 'postgres://three/m'],
    });
    expect(() => configFromEnv({ DATABASE_REPLICA_URLS: replicas })).toThrow('DATABASE_URL, which is not set');
  });

  it('behavior: nothing is traced unless a standard variable says where to or that it shall be', () => {
    const tracesOf = (env: Record<string, string>) => configFromEnv(env).traces;
    const where = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    const on = { sampler: 'parentbased_always_on', ratio: 1, delayMs: 5_000 };
    expect(tracesOf({})).toBeNull();
    expect(tracesOf({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull();
    expect(tracesOf(where)).toEqual(on);
    expect(tracesOf({ OTEL_TRACES_EXPORTER: 'otlp' })).toEqual(on);
    expect(tracesOf({ ...where, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
    expect(tracesOf({ ...where, OTEL_SDK_DISABLED: 'True' })).toBeNull();
    const some = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' };
    expect(tracesOf({ ...where, ...some })).toEqual({ ...on, sampler: 'traceidratio', ratio: 0.05 });
  });

  it('behavior: docs/configuration.md names every variable', async () => {
    const text = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    for (const name of [...environmentNames, 'RPC_URL_<SLUG>']) expect(text).toContain(`\`${name}\``);
  });
});

describe('withPort', () => {
  it('default: moves addresses that were guessed from the port only', () => {
    const config = configFromEnv({ PORT: '0', APP_URL: 'https://app.example' });
    expect(withPort(config, 4711)).toMatchObject({
      port: 4711,
      publicUrl: 'http://127.0.0.1:4711',
      appUrl: 'https://app.example',
    });
  });
});
