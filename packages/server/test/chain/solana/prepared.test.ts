import { changing, startProxy } from '@mintage/devnet';
import { type Base58, isSolvent, poolTypeBySlug } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { feeVaultIndex, mostTransactionBytes, readPrepared, tokenAccountOf } from '@mintage/protocol/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notExecuted } from '../../../src/api/execution/execute.ts';
import { newMarket } from '../../../src/api/trade/markets.ts';
import { orderOf } from '../../../src/api/trade/prepareTrade.ts';
import { quoteMarket } from '../../../src/api/trade/quote.ts';
import { tradeAnswer } from '../../../src/api/trade/tradeAnswer.ts';
import type { PreparedStep } from '../../../src/chain/chainClient.ts';
import { bytesOf } from '../../../src/chain/solana/bytes.ts';
import { create, factsOf, lastOf, prepare, read, trade } from './trading.ts';
import { clientOf, messageOf, oneDollar, startWorld, type Wallet, type World } from './world.ts';

describe('what is prepared on Solana', () => {
  let world: World;
  let creator: Wallet;
  let trader: Wallet;
  beforeAll(async () => {
    world = await startWorld();
    creator = await world.person(10_000n * oneDollar);
    trader = await world.person(10_000n * oneDollar);
  });
  afterAll(() => world?.stop());

  /** The limit inside is at least a fifth more than the transaction takes. */
  const fits = async (wallet: Wallet, step: PreparedStep) => {
    const outcome = await world.client.simulate(wallet.address, [step.call], { blockNumber: 0 });
    if (outcome.ok !== true) throw new Error('It would fail.');
    expect(outcome.gasUsed * 6n).toBeLessThanOrEqual(step.gasBound * 5n);
  };
  const solvent = async () => {
    const books = await world.client.solvency();
    expect([isSolvent(books), books.surplusUsd]).toEqual([true, 0n]);
    return books;
  };

  it('create with a first buy in the window: one transaction, to the base unit', async () => {
    const { client, served } = world;
    const salt = client.newSalt(creator.address);
    const address = client.tokenAddress(creator.address, salt) as Base58;
    const poolType = poolTypeBySlug('test');
    const token = { ...factsOf(address), creator: creator.address, poolType, createdAt: null };
    const market = newMarket(poolType, { chain: served.chain, deployment: served.deployment }, token);
    const people = { builder: { code: trader.address, feeBps: 50 }, referral: trader.address, referrer: null };
    const intent = { kind: 'buyExactIn', amount: 20n * oneDollar, trader: creator.address, ...people } as const;
    const quote = quoteMarket(market, intent);
    const order = orderOf(quote, quote.trade.amountOut, 2 ** 32);
    const texts = { name: 'A Boat of Paper', symbol: 'BOAT', uri: `ipfs://${'b'.repeat(59)}` };
    const creation = { creator: creator.address, ...texts, salt, poolType: poolType.id, deadline: 2 ** 32 };
    const step = await client.create(creation, order, null);
    expect(bytesOf(step.call.data).length).toBeLessThanOrEqual(mostTransactionBytes);
    const { block } = await read(world, address, creator.address);
    const outcome = await client.simulate(creator.address, [step.call], { blockNumber: block.number });
    expect(outcome).toMatchObject({ ok: true });
    await fits(creator, step);
    const coins = await client.nativeBalance(creator.address);
    const signature = await world.land(creator, step);
    const landed = await client.readTransaction(signature);
    expect(landed?.events.map(({ event }) => event)).toEqual(['TokenCreated', 'Trade']);
    expect(coins - (await client.nativeBalance(creator.address)) - (landed?.feePaid ?? 0n)).toBe(step.call.value);
    const after = await read(world, address, creator.address);
    expect(after.trader.tokenBalance).toBe(quote.trade.amountOut);
    expect(after.trader.usdBalance).toBe(10_000n * oneDollar - quote.trade.amountIn);
    expect(after.market?.token).toMatchObject({ address, creator: creator.address, createdAt: landed?.block?.time });
    expect(client.decode(step.call).map((call) => call.function)).toEqual(['create', 'openUser', 'buyExactIn']);
    expect(await client.readToken(address)).toMatchObject({ code: null, supply: 10n ** 15n });
    await solvent();
  });

  it('the four trades in the window and after it, each with a builder and a referral', async () => {
    const token = await create(world, creator);
    const people = { builder: { code: creator.address, feeBps: 100 }, referral: creator.address };
    const first = await trade(world, trader, token, { kind: 'buyExactIn', amount: 10n * oneDollar, ...people });
    expect(first.prepared.quote.window).not.toBeNull();
    expect(first.step.whole?.opens).toEqual([tokenAccountOf(trader.address, token, 'token2022')]);
    world.node.addSeconds(30);
    world.mine();
    const asked = [
      { kind: 'buyExactOut', amount: 3_000_000_000_001n },
      { kind: 'sellExactIn', amount: 1_234_567_890_123n },
      { kind: 'sellExactOut', amount: 1_111_111n },
      { kind: 'buyExactIn', amount: 7_654_321n },
    ] as const;
    for (const one of asked) {
      const { exact, changes, step } = await trade(world, trader, token, { ...one, ...people });
      const usd = changes.get(world.served.deployment.usd);
      expect(usd).toBe(one.kind.startsWith('buy') ? -exact.amountIn : exact.amountOut);
      expect(step.call.value).toBe(0n);
      const [call] = world.client.decode(step.call);
      expect(call).toMatchObject({
        function: one.kind,
        args: { token, amount: String(one.amount), recipient: trader.address },
      });
    }
    await solvent();
  });

  it('sells out, graduates in the last buy, and trades in the pool', async () => {
    const token = await create(world, creator);
    world.node.addSeconds(30);
    world.mine();
    const last = await trade(world, trader, token, { kind: 'buyExactIn', amount: 400n * oneDollar });
    expect([last.completes, last.after.market?.curve]).toEqual([true, null]);
    expect(last.after.market).toMatchObject({ venue: 'mintage_pool', floorUsd: 0n });
    for (const one of [
      { kind: 'sellExactIn', amount: 5_000_000_000_000n },
      { kind: 'buyExactOut', amount: 1_000_000_000_007n },
      { kind: 'sellExactOut', amount: 12_345_678n },
      { kind: 'buyExactIn', amount: 9_999_999n },
    ] as const)
      await trade(world, trader, token, one);
    const { tokens } = await solvent();
    expect(tokens.find((books) => books.token === token)).toMatchObject({ graduated: true });
  });

  it('a sold-out curve in its first seconds: the next buy opens the pool', async () => {
    const token = await create(world, creator);
    await trade(world, trader, token, { kind: 'buyExactIn', amount: 5_000n * oneDollar });
    const soldOut = await read(world, token, trader.address);
    expect(soldOut.market?.curve?.tokensLeft).toBe(0n);
    world.node.addSeconds(30);
    world.mine();
    const opening = await trade(world, trader, token, { kind: 'buyExactIn', amount: 3n * oneDollar });
    expect(opening.prepared.quote.opensPool).toBe(true);
    expect(opening.after.market?.pool).not.toBeNull();
    await solvent();
  });

  it('a voucher in front of a trade sets the referrer, who is paid, and the trader with them', async () => {
    const [bob, friend] = [await world.person(1_000n * oneDollar), await world.person()];
    const token = await create(world, creator);
    const { block } = await read(world, token, bob.address);
    const voucher = await world.client.signVoucher({
      user: bob.address,
      referrer: friend.address,
      deadline: BigInt(block.time + 600),
    });
    if (voucher === null) throw new Error('No voucher.');
    const people = { builder: { code: creator.address, feeBps: 100 }, referral: trader.address };
    const asked = { kind: 'buyExactIn', amount: 50n * oneDollar, ...people } as const;
    const { step, after, exact } = await trade(world, bob, token, { ...asked, voucher });
    expect(after.trader.referrer).toBe(friend.address);
    expect(exact.fees.referrer).toBeGreaterThan(0n);
    expect(world.client.decode(step.call)).toContainEqual(
      expect.objectContaining({
        function: 'setReferrer',
        args: expect.objectContaining({ user: bob.address, referrer: friend.address, signature: voucher.signature }),
      }),
    );
    // What is read of a trader has the next trade pay the referrer too.
    await trade(world, bob, token, { ...asked, kind: 'buyExactIn', amount: oneDollar });

    const before = (await read(world, token, friend.address)).trader.usdBalance;
    const withdrawal = await world.client.withdraw(friend.address, [world.served.deployment.usd]);
    await fits(friend, withdrawal);
    await world.land(friend, withdrawal);
    const paid = (await read(world, token, friend.address)).trader.usdBalance - before;
    expect(paid).toBeGreaterThanOrEqual(exact.fees.referrer);
    await expect(world.client.withdraw(friend.address, [world.served.deployment.usd])).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
    await solvent();
  });

  it('transfers tokens to a wallet without an account for them', async () => {
    const friend = await world.person();
    const token = await create(world, creator);
    await trade(world, trader, token, { kind: 'buyExactIn', amount: oneDollar });
    const had = (await read(world, token, trader.address)).trader.tokenBalance;
    const step = await world.client.transfer(trader.address, token, friend.address, 1_000_001n);
    expect(readPrepared(messageOf(step), world.served.deployment.launchpad as Base58).transfers).toEqual([
      {
        tokenProgram: 'token2022',
        mint: token,
        from: tokenAccountOf(trader.address, token, 'token2022'),
        to: tokenAccountOf(friend.address, token, 'token2022'),
        amount: 1_000_001n,
        decimals: 6,
      },
    ]);
    const outcome = await world.client.simulate(trader.address, [step.call], { blockNumber: 0 });
    expect(outcome).toMatchObject({
      ok: true,
      transfers: [{ asset: token, from: trader.address, amount: 1_000_001n }],
    });
    await fits(trader, step);
    await world.land(trader, step);
    expect((await read(world, token, friend.address)).trader.tokenBalance).toBe(1_000_001n);
    expect((await read(world, token, trader.address)).trader.tokenBalance).toBe(had - 1_000_001n);
  });

  it('says in an answer what stands in the transaction', async () => {
    const token = await create(world, creator);
    const reading = await read(world, token, trader.address);
    const prepared = await prepare(world, reading, trader.address, { kind: 'buyExactIn', amount: oneDollar });
    const step = lastOf(prepared.steps);
    const outcome = await world.client.simulate(trader.address, [step.call], { blockNumber: reading.block.number });
    const answer = definitions.tradeToken.output.parse({ ...tradeAnswer(prepared, outcome, reading), ...notExecuted });
    const whole = {
      data: step.call.data,
      gasLimit: String(readPrepared(messageOf(step), world.served.deployment.launchpad as Base58).unitLimit),
      transactionBase64: Buffer.from(bytesOf(step.call.data)).toString('base64'),
      lastValidBlockHeight: step.whole?.lastValidBlockHeight,
      expiresAt: expect.stringMatching(/Z$/),
      priorityFeeMicroLamports: '0',
      accountsOpened: [tokenAccountOf(trader.address, token, 'token2022')],
    };
    expect(answer.transactions).toMatchObject([{ ...whole, chainId: 0, chainType: 'solana', transactionDelay: 0 }]);
    expect(answer.transaction).toMatchObject(whole);
    expect(answer.quote.decoded).toMatchObject([{ function: 'buyExactIn', args: { token } }]);
    expect(answer.quote.simulation?.balanceChanges).toHaveLength(2);
  });

  it('opens the vault of credits that a token is the first to need', async () => {
    const salt = world.client.newSalt(creator.address);
    const mint = world.client.tokenAddress(creator.address, salt) as Base58;
    const index = feeVaultIndex(mint);
    const proxy = await startProxy(world.node.url);
    proxy.intercept = changing('getMultipleAccounts', (result) => {
      const { context, value } = result as { context: unknown; value: ({ data: [string, string] } | null)[] };
      return {
        context,
        value: value.map((account) => {
          const data = Buffer.from(account?.data[0] ?? '', 'base64');
          if (account === null || !data.toString('latin1').startsWith('config')) return account;
          data.fill(0, data.length - 16 * 32 + 32 * index, data.length - 16 * 32 + 32 * (index + 1));
          return { ...account, data: [data.toString('base64'), 'base64'] };
        }),
      };
    });
    const client = clientOf(world, [proxy.url]);
    const texts = { name: 'A', symbol: 'A', uri: 'ipfs://a' };
    const creation = { creator: creator.address, ...texts, salt, poolType: 9, deadline: 2 ** 32 };
    const step = await client.create(creation, null, null);
    const usual = await world.client.create(creation, null, null);
    await Promise.all([client.stop(), proxy.stop()]);
    expect(world.client.decode(step.call)).toMatchObject([
      { function: 'openFeeVault', args: { index } },
      { function: 'create', args: { token: mint } },
    ]);
    expect((step.call.value ?? 0n) - (usual.call.value ?? 0n)).toBe(2_039_280n);
  });

  it('prefers salts whose addresses have the first bump', async () => {
    const { client } = world;
    const salt = client.newSalt(creator.address);
    expect(client.newSalt(creator.address)).not.toBe(salt);
    const step = await client.create(
      { creator: creator.address, name: 'A', symbol: 'A', uri: 'ipfs://a', salt, poolType: 9, deadline: 2 ** 32 },
      null,
      null,
    );
    const [call] = readPrepared(messageOf(step), world.served.deployment.launchpad as Base58).calls;
    expect(call?.args).toMatchObject({ mintBump: 255, launchBump: 255 });
  });
});
