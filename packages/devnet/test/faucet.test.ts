import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testUsdAbi } from '@mintage/protocol';
import { signerChannel } from '@mintage/server/db';
import { sql } from 'kysely';
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DevChain, type System, startSystem } from '../src/devnet.ts';
import { faucetUsd } from '../src/faucet.ts';
import { testDatabase } from '../src/testDatabase.ts';

describe('the faucet of the local chains', () => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-faucet-test-'));
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let running: System | null = null;

  const start = async (): Promise<System> => {
    const env = { MINTAGE_HOME: home, DATABASE_URL: database.url, ROLES: 'signer', LOG_LEVEL: 'silent' };
    running = await startSystem({ env, seed: false, heartbeat: false });
    return running;
  };
  /** As the API asks for a wallet. */
  const newWallet = async ({ db }: System): Promise<Address> => {
    const user_id = randomUUID();
    await db.insertInto('embedded_wallet').values({ user_id, chain_type: 'evm' }).execute();
    await sql`select pg_notify(${signerChannel}, '')`.execute(db);
    const made = db.selectFrom('embedded_wallet').select('address').where('user_id', '=', user_id);
    await expect.poll(async () => (await made.executeTakeFirstOrThrow()).address).not.toBeNull();
    return (await made.executeTakeFirstOrThrow()).address as Address;
  };
  const held = async ({ rpc, deployment }: DevChain, address: Address) => {
    const call = { abi: testUsdAbi, functionName: 'balanceOf', args: [address] } as const;
    const data = (await rpc('eth_call', [{ to: deployment.usd, data: encodeFunctionData(call) }, 'latest'])) as Hex;
    const usd = decodeFunctionResult({ ...call, data });
    return { native: BigInt((await rpc('eth_getBalance', [address, 'latest'])) as Hex), usd };
  };
  const full = (chain: DevChain) => ({
    native: 10n ** 18n,
    usd: BigInt(faucetUsd) * 10n ** BigInt(chain.deployment.usdDecimals),
  });

  beforeAll(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    await running?.stop();
    running = null;
  });
  afterAll(async () => {
    await database.stop();
    rmSync(home, { recursive: true, force: true });
  });

  let first: Address;

  it('fills a new embedded wallet with gas and dollars on every chain', async () => {
    const system = await start();
    first = await newWallet(system);
    expect(system.chains).toHaveLength(2);
    for (const chain of system.chains) await expect.poll(() => held(chain, first)).toEqual(full(chain));
  });

  it('fills nobody twice, and leaves alone who has coin already', async () => {
    const system = await start();
    const rich: Address = `0x${'ab'.repeat(20)}`;
    for (const { rpc } of system.chains) await rpc('anvil_setBalance', [rich, '0x7']);
    const row = { user_id: randomUUID(), chain_type: 'evm' as const, address: rich, sealed_key: '{}' };
    await system.db.insertInto('embedded_wallet').values(row).execute();
    // Looked at in their order: when the last one is full, the others have been looked at.
    const last = await newWallet(system);
    for (const chain of system.chains) {
      await expect.poll(() => held(chain, last)).toEqual(full(chain));
      expect(await held(chain, first)).toEqual(full(chain));
      expect(await held(chain, rich)).toEqual({ native: 7n, usd: 0n });
    }
  });
});
