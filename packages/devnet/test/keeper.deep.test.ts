import { encodeApprove, encodeCreate, encodeMint, encodeOrder, tokenAddressOf } from '@mintage/protocol';
import { createClosers, signingOf } from '@mintage/server';
import { askForKeeperWallet, keeperWallet, type RunningDatabase, type SignerDatabase } from '@mintage/server/db';
import { intentPublicKeysOf, keysOf } from '@mintage/server/keys';
import { openSigningLog, type Signer, startSigner, verifyIntents } from '@mintage/server/sign';
import type { Kysely } from 'kysely';
import { type Address, encodeDeployData, encodeFunctionData, type Hex, numberToHex, parseAbi, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compiledContract } from '../src/compiledContract.ts';
import { type DevChain, type System, startSystem } from '../src/devnet.ts';
import { testDatabase } from '../src/testDatabase.ts';
import { until } from '../src/until.ts';

const routerAbi = parseAbi([
  'constructor(address manager)',
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function callUnlocked(PoolKey pool, address target, bytes data) returns (bytes)',
]);

describe('the keeper', () => {
  const closers = createClosers();
  let system: System;
  let database: RunningDatabase;
  let chain: DevChain;
  let db: Kysely<SignerDatabase>;

  beforeAll(async () => {
    database = await testDatabase();
    closers.add(database.stop);
    const env = { CHAINS: 'base-sepolia', DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
    system = await startSystem({ env, seed: false });
    closers.add(system.stop);
    [chain] = system.chains as [DevChain];
    db = database.db.withTables<SignerDatabase>();
    await askForKeeperWallet(db, 'evm'); // so that the faucet has filled it by then
    // A second one beside the system's own.
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const finalityBlocks = { index: 5, sign: 5 };
    const served = { chain: chain.chain, deployment: chain.deployment, rpcUrls: [chain.rpcUrl], finalityBlocks };
    const second: Signer = await startSigner({
      db: database.db,
      chains: [served],
      families: await signingOf([served]),
      keys: keysOf(system.config),
      intents: await verifyIntents(intentPublicKeysOf(system.config), Date.now),
      signingLog: await openSigningLog(system.config.signingLog, Date.now),
      log,
      keeper: {},
    });
    closers.add(second.stop);
  });
  afterAll(() => closers.closeAll());

  const deployRouter = async (): Promise<Address> => {
    const bytecode = compiledContract('ForeignRouter').bytecode.object;
    const from = chain.accounts.bob.address;
    await chain.rpc('anvil_impersonateAccount', [from]);
    const args = [chain.deployment.poolManager as Address] as const;
    const data = encodeDeployData({ abi: routerAbi, bytecode, args });
    const hash = await chain.rpc('eth_sendTransaction', [{ from, data, gas: numberToHex(5_000_000) }]);
    const receipt = await until(() => chain.rpc('eth_getTransactionReceipt', [hash]));
    return (receipt as { contractAddress: Address }).contractAddress;
  };

  /** Sold out within an unlock of the PoolManager that is somebody else's, so that it cannot graduate by itself. */
  const stuckToken = async (router: Address, salt: Hex): Promise<Address> => {
    const { accounts, deployment, wallet } = chain;
    const { usd, launchpad, poolHook } = deployment;
    const params = { name: 'Stuck', symbol: 'STUCK', uri: 'ipfs://x', salt, poolType: 9, deadline: 2n ** 40n };
    await wallet.send(accounts.alice, { to: launchpad, data: encodeCreate(params) });
    const token = tokenAddressOf(deployment, accounts.alice.address, salt);
    await chain.advance(10);
    await wallet.send(accounts.alice, { to: usd, data: encodeMint(router, 1_000_000_000n) });
    const [currency0, currency1] = usd < token ? [usd, token] : [token, usd];
    const pool = { currency0, currency1, fee: 0, tickSpacing: 200, hooks: poolHook };
    const unlocked = (target: Address, data: Hex) => {
      const call = encodeFunctionData({ abi: routerAbi, functionName: 'callUnlocked', args: [pool, target, data] });
      return wallet.send(accounts.alice, { to: router, data: call, gas: 10_000_000n });
    };
    await unlocked(usd, encodeApprove(launchpad, 1_000_000_000n));
    const all = encodeOrder('buyExactIn', {
      token,
      amount: 1_000_000_000n,
      limit: 0n,
      recipient: accounts.alice.address,
      builder: zeroAddress,
      builderBps: 0n,
      referral: zeroAddress,
      deadline: 2n ** 40n,
    });
    await unlocked(launchpad, all);
    return token;
  };
  const tokenRow = (address: Address) =>
    database.db
      .selectFrom('token')
      .select(['completed', 'graduated_at'])
      .where('address', '=', address)
      .executeTakeFirst();

  it('H20 graduates once what its last buyer kept from graduating, with two signers at it', async () => {
    const router = await deployRouter();
    const tokens = [await stuckToken(router, `0x${'71'.repeat(32)}`), await stuckToken(router, `0x${'72'.repeat(32)}`)];
    await until(async () => (await tokenRow(tokens[1] as Address))?.completed);
    for (const token of tokens) {
      const row = await tokenRow(token);
      expect([row?.completed, row?.graduated_at]).toEqual([true, null]);
    }
    for (const token of tokens) await until(async () => (await tokenRow(token))?.graduated_at);
    const wallet = (await keeperWallet(db, 'evm')) as Address;
    const done = () => db.selectFrom('intent').select('status').where('wallet', '=', wallet).execute();
    await until(async () => (await done()).every(({ status }) => status === 'done'));
    expect(await done()).toHaveLength(2);
    expect(await chain.rpc('eth_getTransactionCount', [wallet, 'latest'])).toBe('0x2');
    const tasks = await db.selectFrom('keeper_task').select(['token', 'tries']).orderBy('token').execute();
    expect(tasks).toEqual(tokens.toSorted().map((token) => ({ token, tries: 1 })));
  });
});
