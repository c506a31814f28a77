import { changing, type Intercept, type Proxy, startProxy } from '@mintage/devnet';
import { startSolanaNode } from '@mintage/devnet/solana';
import { type Base58, curveOf, mintagePoolOf, poolTypeBySlug } from '@mintage/protocol';
import { decodeAccount, launchpadAddress, tokenAccountOf } from '@mintage/protocol/solana';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChainClient } from '../../../src/chain/chainClient.ts';
import { clockAddress } from '../../../src/chain/solana/accounts.ts';
import { getMultipleAccounts } from '../../../src/chain/solana/rpc/calls.ts';
import { create, factsOf, read, trade } from './trading.ts';
import { clientOf, oneDollar, startWorld, type Wallet, type World } from './world.ts';

describe('what is read of Solana', () => {
  let world: World;
  let creator: Wallet;
  let trader: Wallet;
  let token: Base58;
  let pooled: Base58;
  beforeAll(async () => {
    world = await startWorld();
    [creator, trader] = [await world.person(), await world.person(10_000n * oneDollar)];
    token = await create(world, creator);
    world.node.addSeconds(2);
    pooled = await create(world, creator);
    // In its first seconds, so that it has a floor.
    await trade(world, trader, pooled, { kind: 'buyExactIn', amount: oneDollar });
    world.node.addSeconds(30);
    world.mine();
    await trade(world, trader, token, { kind: 'buyExactIn', amount: 12_345_678n });
    await trade(world, trader, pooled, { kind: 'buyExactIn', amount: 400n * oneDollar });
  });
  afterAll(() => world?.stop());

  const accountsOf = async (...addresses: Base58[]) => {
    const { slot, value } = await world.wire.request(getMultipleAccounts(addresses, 'latest'), 5_000);
    return { slot, value };
  };
  const program = () => world.served.deployment.launchpad as Base58;
  const launchOf = async (mint: Base58) => {
    const at = launchpadAddress(program(), 'launch', { mint }).address;
    const { slot, value } = await accountsOf(at, clockAddress);
    const launch = decodeAccount('Launch', value[0]?.data as Uint8Array);
    if (launch === null) throw new Error('There is no Launch.');
    const time = Number(Buffer.from(value[1]?.data as Uint8Array).readBigInt64LE(32));
    return { slot, launch, time };
  };

  it('a token on its curve: each figure as the accounts have it, the time by the chain’s clock', async () => {
    const { slot, launch, time } = await launchOf(token);
    const { tokensLeft, reserveUsd, floorUsd, treasuryUsd } = launch;
    const poolType = poolTypeBySlug('test');
    const reading = await read(world, token, trader.address);
    expect(reading).toEqual({
      block: { number: slot, hash: null, time },
      isAlone: false,
      premise: null,
      market: {
        source: 'chain',
        token: { ...factsOf(token), creator: creator.address, poolType, createdAt: Number(launch.created) },
        poolType,
        block: { number: slot, hash: null, time },
        usd: { address: world.served.deployment.usd, symbol: 'USDC', decimals: 6 },
        tokenDecimals: 6,
        venue: 'mintage_pool',
        curve: curveOf(poolType, { token: 6, usd: 6 }, { tokensLeft, reserveUsd }),
        pool: null,
        floorUsd,
        treasuryShareUsd: treasuryUsd,
      },
      trader: {
        referrer: null,
        usdBalance: await world.client.usdBalance(trader.address),
        usdAllowance: 0n,
        // All that were sold.
        tokenBalance: 750_000_000n * 10n ** 6n - tokensLeft,
      },
    });
    expect(treasuryUsd).toBeGreaterThan(0n);
    const tokens = tokenAccountOf(trader.address, token, 'token2022');
    const { value } = await accountsOf(tokens);
    expect(Buffer.from(value[0]?.data as Uint8Array).readBigUInt64LE(64)).toBe(reading.trader.tokenBalance);
  });

  it('a graduated token: Mintage’s own pool', async () => {
    const { launch } = await launchOf(pooled);
    const { market } = await read(world, pooled, creator.address);
    expect(launch.floorUsd).toBeGreaterThan(0n);
    const inPool = { tokens: launch.tokensLeft, usd: launch.reserveUsd, floorUsd: launch.floorUsd };
    expect(market).toMatchObject({
      curve: null,
      pool: mintagePoolOf(poolTypeBySlug('test'), inPool),
      floorUsd: 0n,
      treasuryShareUsd: launch.treasuryUsd,
    });
  });

  it('no token, no wallet: null and nothing', async () => {
    expect(await read(world, creator.address, '1'.repeat(32) as Base58)).toMatchObject({
      market: null,
      trader: { referrer: null, usdBalance: 0n, tokenBalance: 0n },
    });
    expect(await world.client.readToken(creator.address)).toMatchObject({ code: null, supply: 0n });
  });

  describe('by several providers', () => {
    const proxies: Proxy[] = [];
    const clients: ChainClient[] = [];
    afterEach(async () => {
      await Promise.all(clients.splice(0).map((client) => client.stop()));
      await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
    });
    const withProviders = async (...intercepts: (Intercept | undefined)[]): Promise<ChainClient> => {
      const urls: string[] = [];
      for (const intercept of intercepts) {
        const proxy = await startProxy(world.node.url);
        proxy.intercept = intercept;
        proxies.push(proxy);
        urls.push(proxy.url);
      }
      const client = clientOf(world, urls);
      clients.push(client);
      return client;
    };
    type Accounts = { context: { slot: number }; value: ({ data: [string, string] } | null)[] };
    /** A Launch with more dollars than there are. */
    const richer = changing('getMultipleAccounts', (result) => {
      const { context, value } = result as Accounts;
      return {
        context,
        value: value.map((account) => {
          const data = Buffer.from(account?.data[0] ?? '', 'base64');
          if (account === null || !data.toString('latin1').startsWith('launch')) return account;
          data.writeBigUInt64LE(data.readBigUInt64LE(8 + 4 * 32 + 4 * 8) * 2n, 8 + 4 * 32 + 4 * 8);
          return { ...account, data: [data.toString('base64'), 'base64'] };
        }),
      };
    });
    const poorer = changing('getMultipleAccounts', (result) => {
      const { context, value } = result as Accounts;
      return { context, value: value.map(() => null) };
    });
    const atSlot = (slot: (honest: number) => number): Intercept =>
      changing('getMultipleAccounts', (result) => {
        const { context, value } = result as Accounts;
        return { context: { ...context, slot: slot(context.slot) }, value };
      });
    const marketBy = async (client: ChainClient) =>
      (await client.readMarket(factsOf(token), trader.address, false)).market;

    it('W9 whoever of three lies, two others say what is so', async () => {
      const { market: truth } = await read(world, token, trader.address);
      for (const lie of [richer, poorer])
        for (let place = 0; place < 3; place += 1) {
          const client = await withProviders(...[0, 1, 2].map((at) => (at === place ? lie : undefined)));
          expect(await marketBy(client)).toEqual(truth);
        }
    });

    it('W9 a slot that is not there, or long ago, moves nothing', async () => {
      const { market: truth } = await read(world, token, trader.address);
      for (const slot of [(honest: number) => honest + 1_000_000, () => 1])
        expect(await marketBy(await withProviders(atSlot(slot), undefined, undefined))).toEqual(truth);
    });

    it('behavior: a chain that goes on between two answers is no contradiction', async () => {
      const { market: truth, block } = await read(world, token, trader.address);
      const late: Intercept = async (calls, forward) => {
        if (calls[0]?.method === 'getMultipleAccounts') world.mine(1);
        return forward();
      };
      const reading = await (await withProviders(late, late)).readMarket(factsOf(token), trader.address, false);
      expect(reading.block.number).toBeGreaterThan(block.number);
      expect(reading.market).toEqual({ ...truth, block: reading.block });
    });

    it('error: two contradict each other, or one alone where two have to say it', async () => {
      await expect(marketBy(await withProviders(richer, undefined))).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
      const silent: Intercept = async () => 'nonsense';
      const client = await withProviders(silent, undefined);
      await expect(marketBy(client)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
      const reading = await client.readMarket(factsOf(token), trader.address, true);
      expect([reading.isAlone, reading.market?.token?.address]).toEqual([true, token]);
    });

    it('W9 simulates and finds by what two say', async () => {
      const fails = changing('simulateTransaction', (result) => {
        const { context, value } = result as { context: unknown; value: object };
        return { context, value: { ...value, err: { InstructionError: [3, { Custom: 6010 }] } } };
      });
      const hides = changing('getTransaction', () => null);
      const step = await world.client.mintUsd(trader.address, trader.address, oneDollar);
      const { block } = await read(world, token, trader.address);
      const liar = await withProviders(fails, undefined, undefined);
      expect(await liar.simulate(trader.address, [step.call], { blockNumber: block.number })).toMatchObject({
        ok: true,
      });
      const hash = await world.land(trader, step);
      const hider = await withProviders(hides, undefined, undefined);
      expect(await hider.findTransaction(hash, [trader.address])).toMatchObject({ whyReverted: null });
      expect(await (await withProviders(hides, undefined)).findTransaction(hash, [trader.address])).toBe('unsure');
    });

    it('behavior: a provider that is a little behind is waited for', async () => {
      let refusals = 2;
      const late: Intercept = async (calls, forward) => {
        const [call] = calls;
        if (call?.method !== 'simulateTransaction' || refusals === 0) return forward();
        refusals -= 1;
        const error = { code: -32016, message: 'Minimum context slot has not been reached' };
        return JSON.stringify({ jsonrpc: '2.0', id: call.id, error });
      };
      const step = await world.client.mintUsd(trader.address, trader.address, oneDollar);
      const client = await withProviders(late);
      expect(await client.simulate(trader.address, [step.call], { blockNumber: 1 })).toMatchObject({ ok: true });
      expect(refusals).toBe(0);
    });

    it('W7 a provider of another cluster is not used', async () => {
      const mainnet = changing('getGenesisHash', () => '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d');
      await expect((await withProviders(mainnet)).check()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
      await (await withProviders(mainnet, undefined)).check();
      const strict = clientOf(world, [world.node.url], { local: false });
      clients.push(strict);
      await expect(strict.check()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
      const other = await startSolanaNode({ byHand: true, name: 'another' });
      const local = clientOf(world, [other.url]);
      clients.push(local);
      await local.check();
      await other.stop();
    });
  });

  it('the books: everything that the launchpad holds is owed to somebody', async () => {
    const books = await world.client.solvency();
    expect(books).toMatchObject({ usd: world.served.deployment.usd, surplusUsd: 0n });
    expect(books.tokens.map((one) => [one.token, one.graduated])).toEqual([
      [token, false],
      [pooled, true],
    ]);
    expect(books.creditsUsd).toBeGreaterThan(0n);
    expect(await world.client.solvency()).toBe(books);
  });

  it('vouchers are signed only with the key that the chain takes', async () => {
    const voucher = { user: trader.address, referrer: creator.address, deadline: 7n };
    expect((await world.client.signVoucher(voucher))?.signature).toMatch(/^0x[0-9a-f]{128}$/);
    const stranger = clientOf(world, [world.node.url], {}, `0x${'11'.repeat(32)}`);
    expect(await stranger.signVoucher(voucher)).toBeNull();
    const none = clientOf(world, [world.node.url], {}, null);
    expect(await none.signVoucher(voucher)).toBeNull();
    await Promise.all([stranger.stop(), none.stop()]);
  });
});
