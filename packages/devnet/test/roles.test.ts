import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configFromEnv, type Server, startServer } from '@mintage/server';
import { type DatabaseAccount, type RunningDatabase, type SignerDatabase, signerChannel } from '@mintage/server/db';
import { makeIntentKeyFiles, makeKekFile } from '@mintage/server/keys';
import { sql } from 'kysely';
import { type Hex, numberToHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevChain, type DevChains, startChains } from '../src/devnet.ts';
import { type TestAccounts, testAccounts } from '../src/testAccounts.ts';
import { testDatabase } from '../src/testDatabase.ts';
import { keepDeployments } from './keepDeployments.ts';

/** As an operator starts them, in this process: a chain and a database that are there already, an account for each role, a folder that all read. */
describe('ROLES', () => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-roles-test-'));
  const running: Server[] = [];
  let database: RunningDatabase;
  let accounts: TestAccounts;
  let local: DevChains;

  const start = async (env: Record<string, string> & { ROLES: DatabaseAccount }): Promise<Server> => {
    const [chain] = local.chains;
    const common = {
      DEVNET: '0',
      CHAINS: 'base-sepolia',
      RPC_URL_BASE_SEPOLIA: chain?.rpcUrl,
      DATABASE_URL: accounts[env.ROLES].url,
      MINTAGE_HOME: home,
      LOG_LEVEL: 'silent',
      PORT: '0',
    };
    const system = await startServer(configFromEnv({ ...common, ...env }));
    running.push(system);
    return system;
  };
  const askForWallet = async (server: Server): Promise<string> => {
    const user_id = randomUUID();
    const db = server.db.withTables<SignerDatabase>();
    await db.insertInto('embedded_wallet').values({ user_id, chain_type: 'evm' }).execute();
    await sql`select pg_notify(${signerChannel}, '')`.execute(db);
    return user_id;
  };
  const walletOf = async (user: string): Promise<string | null | undefined> => {
    const query = sql<{ address: string | null }>`select address from embedded_wallet where user_id = ${user}`;
    return (await query.execute(database.db)).rows[0]?.address;
  };
  const indexed = () => database.db.selectFrom('chain').select('slug').execute();
  const status = async ({ api }: Server, path: string): Promise<number> => (await fetch(`${api?.url}${path}`)).status;

  let user: string;
  let api: Server;

  beforeAll(async () => {
    database = await testDatabase();
    accounts = await testAccounts(database);
    local = await startChains(['base-sepolia']);
    keepDeployments(
      home,
      local.chains.map(({ deployment }) => deployment),
    );
  });
  afterAll(async () => {
    for (const system of running.toReversed()) await system.stop();
    await local?.stop();
    await accounts?.stop();
    await database?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('api: answers, neither indexes nor makes wallets, and is not ready while nobody indexes', async () => {
    api = await start({ ROLES: 'api' });
    expect(await status(api, '/health')).toBe(200);
    expect(await status(api, '/ready')).toBe(503);
    expect(await indexed()).toEqual([]);
    user = await askForWallet(api);
    expect(await walletOf(user)).toBeNull();
  });

  it('signer: over a real chain it needs a key-encryption key of the operator', async () => {
    await expect(start({ ROLES: 'signer' })).rejects.toThrow('set KEK_FILE or KMS_KEY_ID');
    expect(readdirSync(home).toSorted()).toEqual(['deployments', 'intent.key', 'kek']); // the API's
    const KEK_FILE = join(home, 'kek');
    await expect(start({ ROLES: 'signer', KEK_FILE })).rejects.toThrow('set INTENT_PUBLIC_KEY_FILE');
  });

  it('signer: makes the wallet that was asked for, serves nobody and indexes nothing', async () => {
    makeKekFile(join(home, 'signer.kek'));
    const signer = await start({ ROLES: 'signer', KEK_FILE: join(home, 'signer.kek'), ...makeIntentKeyFiles(home) });
    expect(signer.api).toBeNull();
    await expect.poll(() => walletOf(user)).toMatch(/^0x[0-9a-f]{40}$/);
    expect(await indexed()).toEqual([]);
    await signer.stop();
  });

  it('indexer: the chain is indexed, the API becomes ready, and no wallet is made', async () => {
    const later = await askForWallet(api);
    const indexer = await start({ ROLES: 'indexer' });
    expect(indexer.api).toBeNull();
    await indexer.indexer?.caughtUp();
    await expect.poll(() => status(api, '/ready')).toBe(200);
    expect(await indexed()).toEqual([{ slug: 'base-sepolia' }]);
    expect(await walletOf(later)).toBeNull();
  });

  it('K1 all three: what a trader asks the API for is signed, sent and indexed', async () => {
    const [chain] = local.chains as [DevChain];
    const ask = async (path: string, body: object, bearer?: string) => {
      const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) };
      const answer = await fetch(`${api.api?.url}/functions/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return JSON.parse(text);
    };
    const signer = await start({ ROLES: 'signer', KEK_FILE: join(home, 'signer.kek'), ...makeIntentKeyFiles(home) });
    const account = privateKeyToAccount(generatePrivateKey());
    const { message } = await ask('/auth/challenge', { address: account.address });
    const signature = await account.signMessage({ message });
    const { accessToken } = await ask('/auth/login', { message, signature });
    const walletIn = async (): Promise<Hex | undefined> => {
      const { data } = await ask('/me', {}, accessToken);
      return data.wallets.find((one: { embedded: boolean }) => one.embedded)?.address;
    };
    await expect.poll(walletIn).toBeDefined();
    const wallet = (await walletIn()) as Hex;
    await chain.rpc('anvil_setBalance', [wallet, numberToHex(10n ** 20n)]);
    const image =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { success } = await ask(
      '/create-token-transaction',
      {
        name: 'Three',
        symbol: 'THREE',
        description: 'Of three accounts',
        image,
        chainSlug: 'base-sepolia',
        execute: true,
      },
      accessToken,
    );
    expect(success).toBe(true);
    await expect
      .poll(async () => (await database.db.selectFrom('token').select('symbol').execute()).map(({ symbol }) => symbol))
      .toContain('THREE');
    await signer.stop();
  });
});
