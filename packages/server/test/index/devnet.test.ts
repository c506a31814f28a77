import { type DevChain, type DevChains, seedAddress, seedChain, seedTokensOn, startChains } from '@mintage/devnet';
import { type TestAccounts, testAccounts } from '@mintage/devnet/testAccounts';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { launchpadAbi, lensAbi, requireHex } from '@mintage/protocol';
import pg from 'pg';
import { createPublicClient, encodeFunctionData, erc20Abi, type Hex, http, type PublicClient, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UniswapGraduationJson } from '../../src/db/chainTables.ts';
import { type RunningDatabase } from '../../src/db/startDatabase.ts';
import { createEvmFollower } from '../../src/index/evm/evmFollower.ts';
import { type Indexer, startIndexer } from '../../src/index/indexer.ts';
import { Random } from './random.ts';
import { contentOf, empty } from './tables.ts';

/** The real contracts on a local chain: the tables against what the contracts themselves say. */
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

let chains: DevChains;
let chain: DevChain;
let client: PublicClient;
let database: RunningDatabase;
let accounts: TestAccounts;
let indexer: Indexer;

const start = (finalityBlocks = 64) =>
  startIndexer({
    db: accounts.indexer.db,
    chains: [
      {
        chain: chain.chain,
        deployment: chain.deployment,
        rpcUrls: [chain.rpcUrl],
        finalityBlocks: { index: finalityBlocks, sign: finalityBlocks },
      },
    ],
    createFollower: createEvmFollower,
    log: quiet,
    pollMs: 20,
  });

beforeAll(async () => {
  const started = await Promise.all([
    startChains(['base-sepolia'], { heartbeat: false, seed: (fresh) => seedChain(fresh) }),
    testDatabase(),
  ]);
  [chains, database] = started;
  accounts = await testAccounts(database);
  chain = chains.chains[0] as DevChain;
  client = createPublicClient({ transport: http(chain.rpcUrl) });
  await chain.rpc('anvil_autoImpersonateAccount', [true]);
  await chain.rpc('evm_setAutomine', [false]); // a reorg while anvil mines by itself loses blocks
  indexer = await start();
  await indexer.caughtUp();
});
afterAll(async () => {
  await indexer?.stop();
  await accounts?.stop();
  await database?.stop();
  await chains?.stop();
});

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** Compares every amount that the contracts can be asked for. */
const expectTruth = async () => {
  const { db } = database;
  const { launchpad, lens, usd } = chain.deployment;
  const tokens = await db.selectFrom('token').selectAll().execute();
  for (const token of tokens) {
    const [, views] = await client.readContract({
      address: lens,
      abi: lensAbi,
      functionName: 'tokens',
      args: [[requireHex(token.address)]],
    });
    const [view] = views as [(typeof views)[number]];
    const { state } = view;
    expect(
      {
        creator: token.creator,
        created: token.created_at.getTime() / 1000,
        poolType: token.pool_type,
        treasuryShare: token.treasury_share,
        floorUsd: token.floor_usd,
        graduated: token.graduated_at !== null,
        completed: token.completed,
        pool: [token.sqrt_price_x96, token.tick, token.liquidity],
      },
      token.name,
    ).toEqual({
      creator: state.creator.toLowerCase(),
      created: Number(state.created),
      poolType: state.poolType,
      treasuryShare: state.treasuryShare,
      floorUsd: state.floorUsd,
      graduated: state.graduated,
      completed: state.tokensLeft === 0n,
      // The trade's event tells no liquidity; the PoolManager does.
      pool: state.graduated ? [view.sqrtPriceX96, view.tick, view.liquidity] : [null, null, null],
    });
    const balances = await db.selectFrom('balance').selectAll().where('token', '=', token.address).execute();
    for (const { wallet, amount } of balances) {
      const args = {
        address: requireHex(token.address),
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [requireHex(wallet)],
      } as const;
      expect(await client.readContract(args), `${token.name} of ${wallet}`).toBe(amount);
    }
    expect(balances.filter(({ amount }) => amount > 0n).length).toBe(token.holders);
  }
  const credits = await db.selectFrom('fee_balance').selectAll().execute();
  for (const { recipient, currency, claimable } of credits) {
    const args = [requireHex(currency), requireHex(recipient)] as const;
    const call = { address: launchpad, abi: launchpadAbi, lensAbi, functionName: 'creditOf', args } as const;
    expect(await client.readContract(call), recipient).toBe(claimable);
  }
  const held = await client.readContract({
    address: usd,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [launchpad],
  });
  const states = await Promise.all(
    tokens.map(({ address }) =>
      client.readContract({
        address: launchpad,
        abi: launchpadAbi,
        functionName: 'stateOf',
        args: [requireHex(address)],
      }),
    ),
  );
  const owed =
    sum(credits.map(({ claimable }) => claimable)) +
    sum(tokens.map((token) => token.treasury_share + token.floor_usd)) +
    sum(states.map((state) => state.usd));
  expect(held - owed, 'dollars without an owner').toBe(0n);
  return tokens;
};

/** Hands a transaction of an account to the chain, whose key is not needed; it runs with the next block, or reverts. */
const submit = async (from: Hex, functionName: string, args: readonly unknown[], to = chain.deployment.launchpad) => {
  const data = encodeFunctionData({ abi: [...launchpadAbi, lensAbi, ...erc20Abi], functionName, args } as never);
  await chain.rpc('eth_sendTransaction', [{ from, to, data, gas: '0x4c4b40' }]);
};

describe('startIndexer on a local chain', () => {
  test('the seeded tokens: every balance, credit and share is what the contracts say, no dollar is missing', async () => {
    const tokens = await expectTruth();
    expect(tokens.map((token) => token.name).toSorted()).toEqual(
      seedTokensOn(chain)
        .map((token) => token.name)
        .toSorted(),
    );
    const head = await client.getBlock();
    const row = await database.db.selectFrom('chain').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      status: 'live',
      head: Number(head.number),
      indexed: Number(head.number),
      indexed_hash: head.hash,
      indexed_time: new Date(Number(head.timestamp) * 1000),
      treasury: chain.accounts.treasury.address.toLowerCase(),
    });
  });

  test('the treasury collects, a trader hands tokens on, a wallet claims', async () => {
    const { alice, bob, treasury } = chain.accounts;
    const boat = await seedAddress(chain, seedTokensOn(chain)[1] as never);
    await submit(alice.address, 'collectTreasury', [[boat]]);
    await submit(treasury.address, 'withdraw', [chain.deployment.usd, bob.address, 5n]);
    await submit(alice.address, 'transfer', [bob.address, 10n ** 18n], boat);
    await chain.rpc('evm_mine');
    await indexer.caughtUp();
    await expectTruth();
    const collected = await database.db
      .selectFrom('fee_credit')
      .selectAll()
      .where('distribution_type', '=', 255)
      .where('token', '=', boat)
      .execute();
    expect(collected.length).toBe(1);
  });

  test('everybody sells a graduated token: its price falls into the floor, whose liquidity then counts', async () => {
    const seed = seedTokensOn(chain).find(({ stage }) => stage === 'graduated');
    const token = await seedAddress(chain, seed as never);
    for (const name of ['alice', 'bob', 'carol', 'dave'] as const) {
      const who = chain.accounts[name].address;
      const call = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [who] } as const;
      const amount = await client.readContract(call);
      if (amount === 0n) continue;
      const nobody = { builder: zeroAddress, builderBps: 0n, referral: zeroAddress };
      await submit(who, 'sellExactIn', [{ token, amount, limit: 0n, recipient: who, ...nobody, deadline: 2n ** 64n }]);
      await chain.rpc('evm_mine');
    }
    await indexer.caughtUp();
    const row = (await expectTruth()).find(({ address }) => address === token);
    const { fullRange, floor } = (row?.graduation ?? {}) as Partial<UniswapGraduationJson>;
    expect(BigInt(floor?.liquidity ?? 0)).toBeGreaterThan(0n);
    expect(row?.liquidity).toBe(BigInt(fullRange?.liquidity ?? 0) + BigInt(floor?.liquidity ?? 0));
  });

  test('a commit is announced with the chain and its version', async () => {
    const listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
    await listener.query('listen mintage_chain');
    const heard = new Promise<string>((resolve) => {
      listener.once('notification', ({ payload }) => resolve(payload ?? ''));
    });
    await chain.rpc('evm_mine');
    const { eid, version } = JSON.parse(await heard) as { eid: number; version: number };
    expect(eid).toBe(chain.chain.eid);
    await indexer.caughtUp();
    const row = await database.db.selectFrom('chain').select('version').executeTakeFirstOrThrow();
    expect(row.version).toBeGreaterThanOrEqual(version);
    await listener.end();
  });

  const seeds = Number(process.env.CHAIN_REORG_SEEDS ?? 2);
  const firstSeed = Number(process.env.REORG_FIRST_SEED ?? 1);
  test.each(Array.from({ length: seeds }, (_, i) => firstSeed + i))(
    'I1 real reorgs of depth 1 to 8 under random trades, seed %i: the tables equal the contracts and a rebuild',
    async (seed) => {
      const random = new Random(seed);
      const people = (['alice', 'bob', 'carol', 'dave'] as const).map((name) => chain.accounts[name].address);
      const tokens = await Promise.all(seedTokensOn(chain).map((token) => seedAddress(chain, token)));
      await chain.rpc('anvil_mine', ['0xa']); // the chain was loaded from a file and knows no state from before
      const none = `0x${'0'.repeat(40)}`;
      for (let step = 0; step < 24; step += 1) {
        const [who, token] = [random.pick(people), random.pick(tokens)];
        const held = await client.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [who],
        });
        const order = (amount: bigint) => {
          const [builder, builderBps] = random.chance(0.3) ? [chain.accounts.builder.address, 50n] : [none, 0n];
          const referral = random.chance(0.3) ? random.pick(people) : none;
          return { token, amount, limit: 0n, recipient: who, builder, builderBps, referral, deadline: 2n ** 64n };
        };
        const acts = [
          () => submit(who, 'buyExactIn', [order(random.amount(500_000_000n))]),
          () => submit(who, 'buyExactIn', [order(random.amount(500_000_000n))]),
          () => submit(who, 'sellExactIn', [order(random.amount(held + 1n))]),
          () => submit(who, 'transfer', [random.pick(people), random.amount(held + 1n)], token),
          () => submit(who, 'withdraw', [chain.deployment.usd, random.pick(people), 2n ** 256n - 1n]),
          () => submit(who, 'collectTreasury', [[token]]),
        ];
        await random.pick(acts)();
        if (random.chance(0.3)) continue; // into the same block as the next one
        await chain.rpc('evm_mine');
        if (random.chance(0.5)) await indexer.caughtUp();
        if (random.chance(0.3)) {
          await chain.rpc('anvil_reorg', [random.whole(1, 8), []]);
          if (random.chance(0.5)) await indexer.caughtUp();
        }
      }
      await chain.rpc('anvil_mine', [`0x${(2).toString(16)}`]);
      await indexer.caughtUp();
      await expectTruth();
      const followed = await contentOf(database.db);

      await indexer.stop();
      await empty(database.db);
      indexer = await start(random.pick([0, 8, 64]));
      await indexer.caughtUp();
      expect(followed, `seed ${seed}`).toEqual(await contentOf(database.db));
      await indexer.stop();
      indexer = await start();
    },
  );
});
