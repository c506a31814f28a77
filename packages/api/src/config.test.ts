import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { configFromEnv, environmentNames, evmSlugs, withPort } from './config.ts';

describe('configFromEnv', () => {
  it('default', () => {
    expect(configFromEnv({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      home: '.mintage',
      network: 'Testnet',
      platformName: 'Mintage',
      platformSlug: 'mintage',
      publicUrl: 'http://127.0.0.1:8080',
      appUrl: 'http://127.0.0.1:8080',
      databaseUrl: null,
      redisUrl: null,
      chains: ['base-sepolia', 'unichain-testnet'],
      rpcUrls: new Map([
        ['base-sepolia', []],
        ['unichain-testnet', []],
      ]),
      publicRpcSlugs: new Set(),
      devnet: true,
      roles: new Set(['api', 'indexer', 'signer']),
      jwtIssuers: [],
      rateLimits: {
        anonymous: 300,
        authenticated: 1_200,
        premium: 12_000,
        signIn: 20,
        writeDivisor: 10,
        streams: 100,
        toolAnonymous: 10,
        toolAuthenticated: 100,
        toolPremium: 1_000,
      },
      trustedProxies: [],
      recipientDelayHours: 24,
      maxBuilderFeeBps: 100,
      maxApprovalUsd: 10_000,
      kekFiles: [],
      kmsKeyIds: [],
      voucherKeyFile: null,
      ipfsApiUrl: null,
      verifiedAt: 'confirmation',
      webhooksToLoopback: true,
      toolChains: null,
      toolOrigins: [],
      logLevel: 'info',
      checkOutputs: true,
      clientPace: {
        headersMs: 10_000,
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

  it('behavior: all is every EVM chain', () => {
    expect(configFromEnv({ CHAINS: 'all' }).chains).toEqual(evmSlugs);
    expect(evmSlugs.length).toBe(15);
  });

  it('behavior: several key-encryption keys', () => {
    const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
    const config = configFromEnv({ KEK_FILE: '/run/new, /run/old', KMS_KEY_ID: `${arn},mrk-0abc` });
    expect([config.kekFiles, config.kmsKeyIds]).toEqual([
      ['/run/new', '/run/old'],
      [arn, 'mrk-0abc'],
    ]);
    expect(() => configFromEnv({ KMS_KEY_ID: 'alias/mintage' })).toThrow('KMS_KEY_ID.0: must be ids or ARNs of keys');
  });

  it('error: names every variable that is wrong', () => {
    const env = { PORT: 'x', CHAINS: 'base,nowhere', PUBLIC_URL: 'ftp://x', JWT_ISSUERS: '{', PLATFORM_NAME: '<b>' };
    for (const name of Object.keys(env)) expect(() => configFromEnv(env)).toThrow(name);
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
