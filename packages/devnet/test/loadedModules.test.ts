import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chainBySlug } from '@mintage/protocol';
import type { RunningDatabase } from '@mintage/server/db';
import { makeIntentKeyFiles, makeKekFile } from '@mintage/server/keys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../src/testDatabase.ts';
import { keepDeployments } from './keepDeployments.ts';

const entry = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const recorder = new URL('./loaded/recordLoaded.mjs', import.meta.url).href;

/** What each role's process may not hold. A role's own code is proof that the list is read at all. */
const closed = {
  signer: {
    own: 'packages/server/src/sign/wallets/walletKey.ts',
    packages: ['fastify', 'oidc-provider', 'sharp', 'ws', 'ioredis', '@modelcontextprotocol/server'],
    folders: ['packages/server/src/api/', 'packages/server/src/index/', 'packages/devnet/'],
  },
  api: {
    own: 'packages/server/src/api/surfaces/rest/app.ts',
    packages: ['@foundry-rs/anvil'],
    folders: ['packages/server/src/sign/', 'packages/server/src/index/', 'packages/devnet/'],
  },
  indexer: {
    own: 'packages/server/src/index/worker.ts',
    packages: ['fastify', 'oidc-provider', 'sharp', '@aws-sdk/client-kms', 'secp256k1'],
    folders: ['packages/server/src/sign/', 'packages/server/src/api/', 'packages/server/src/keys/', 'packages/devnet/'],
  },
};

/** Nobody asked for traces. */
const unasked = ['@opentelemetry/sdk-trace', '@opentelemetry/exporter-trace-otlp-http'];

describe('a process loads what its role needs, and nothing else', () => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-loaded-test-'));
  const children = new Set<ChildProcess>();
  let database: RunningDatabase;

  beforeAll(async () => {
    database = await testDatabase();
    makeKekFile(join(home, 'kek'));
    const chainId = chainBySlug('base-sepolia')?.chainId;
    keepDeployments(home, [deployment(chainId as number)]);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await database?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Modules of a process that serves a chain whose provider is away. */
  const loadedBy = async (role: string): Promise<string[]> => {
    const list = join(home, `${role}.loaded`);
    const child = spawn(process.execPath, ['--import', recorder, entry], {
      env: {
        ...process.env,
        LOADED: list,
        ROLES: role,
        CHAINS: 'base-sepolia',
        RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
        DATABASE_URL: database.url,
        MINTAGE_HOME: home,
        KEK_FILE: join(home, 'kek'),
        ...makeIntentKeyFiles(home),
        PORT: '0',
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const exited = once(child, 'exit');
    await Promise.race([expect.poll(() => said).toContain('Mintage is ready'), exited]);
    child.kill('SIGTERM');
    expect(await exited, said).toEqual([0, null]);
    return readFileSync(list, 'utf8').split('\n');
  };

  it.each(Object.entries(closed))('W3 ROLES=%s', async (role, { own, packages, folders }) => {
    const loaded = await loadedBy(role);
    expect(loaded.filter((url) => url.endsWith(own))).toHaveLength(1);
    const strange = [...folders, ...[...packages, ...unasked].map((name) => `/node_modules/${name}/`)];
    expect(loaded.filter((url) => strange.some((part) => url.includes(part)))).toEqual([]);
  });
});

/** Nothing answers there. */
const deployment = (chainId: number) => {
  const address = (byte: string) => `0x${byte.repeat(20)}`;
  return {
    chainId,
    startBlock: 0,
    launchpad: address('1a'),
    poolHook: address('1a'),
    tokenFactory: address('2b'),
    lens: address('3c'),
    tokenImplementation: address('4d'),
    tokenBridge: null,
    layerZeroEndpoint: null,
    usd: address('5e'),
    usdDecimals: 6,
    usdSymbol: 'USDC',
    usdMintable: false,
    poolManager: address('6f'),
    venue: 'uniswap_v4',
    exchange: null,
    create3Factory: address('7a'),
    owner: address('8b'),
    codeHashes: {},
  };
};
