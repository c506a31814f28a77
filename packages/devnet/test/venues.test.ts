import { encodeApprove, encodeMint, launchpadAbi, poolAddressOf, type Slug } from '@mintage/protocol';
import { createClosers } from '@mintage/server';
import type { RunningDatabase } from '@mintage/server/db';
import { type Address, createPublicClient, encodeFunctionData, erc20Abi, type Hex, http, parseEventLogs } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoUser } from '../src/demoUser.ts';
import { type DevChain, foreignBuy, type Receipt, type System, startSystem } from '../src/devnet.ts';
import { routerV3Abi } from '../src/seed.ts';
import { testDatabase } from '../src/testDatabase.ts';

/**
 * A token's whole life on chains of every venue, through the service: created, traded on the curve, graduated, traded in its pool
 * beside strangers, and its earners paid. `SLUGS=all` does it on all 15 chains of the EVM.
 */
const all = [
  ...['arbitrum', 'base', 'base-sepolia', 'avalanche', 'op-bnb', 'bnb', 'bnb-testnet', 'ethereum', 'monad', 'unichain'],
  ...['unichain-testnet', 'abstract', 'polygon', 'zksync', 'zksync-testnet'],
] as Slug[];
const chosen = process.env.SLUGS ?? 'op-bnb,zksync';
const slugs = chosen === 'all' ? all : (chosen.split(',') as Slug[]);

const closers = createClosers();
let system: System;
let apiKey: string;

beforeAll(async () => {
  const database: RunningDatabase = await testDatabase();
  closers.add(database.stop);
  const env = { CHAINS: slugs.join(','), DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
  system = await startSystem({ env, seed: false, heartbeat: false, staleAfterMs: 600_000 });
  closers.add(system.stop);
  const [first] = system.chains as [DevChain];
  ({ apiKey } = await demoUser(system.url as string, system.config.home, first.accounts.alice));
}, 240_000);
afterAll(() => closers.closeAll());

interface Item {
  to: Hex;
  data: Hex;
  value: string;
  gasLimit: string;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
const ask = async (path: string, body: object): Promise<any> => {
  const response = await fetch(`${system.url}/functions/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
};

describe.each(slugs)('%s', (slug) => {
  let chain: DevChain;
  let token: Address;
  let tokenId: string;
  const on = () => {
    const { accounts, deployment, wallet, rpcUrl } = chain;
    const client = createPublicClient({ transport: http(rpcUrl) });
    return { accounts, deployment, wallet, client, me: accounts.alice, isV3: deployment.exchange !== null };
  };
  const send = async (items: readonly Item[]): Promise<Receipt> => {
    const { wallet, me } = on();
    let last: Receipt | undefined;
    for (const { to, data, value, gasLimit } of items)
      last = await wallet.send(me, { to, data, value: BigInt(value), gas: BigInt(gasLimit) });
    return last as Receipt;
  };
  const tradeIn = (receipt: Receipt) => {
    const [made] = parseEventLogs({ abi: launchpadAbi, eventName: 'Trade', logs: receipt.logs as never });
    if (made === undefined) throw new Error('The transaction made no trade.');
    return made.args.record;
  };
  const balance = (of: Address, account: Address): Promise<bigint> =>
    on().client.readContract({ address: of, abi: erc20Abi, functionName: 'balanceOf', args: [account] });
  const credit = (currency: Address, account: Address): Promise<bigint> =>
    on().client.readContract({
      address: on().deployment.launchpad,
      abi: launchpadAbi,
      functionName: 'creditOf',
      args: [currency, account],
    });

  /** Trades as quoted, to the base unit: what is paid, what arrives, and what others earn. */
  const trade = async (order: object) => {
    const { deployment, me } = on();
    const before = [await balance(deployment.usd, me.address), await balance(token, me.address)] as const;
    const { quote, transactions } = await ask('/trade-token', {
      tokenId,
      chainSlug: slug,
      userAddress: me.address,
      ...order,
    });
    expect(quote.simulation.ok, JSON.stringify(quote.simulation)).toBe(true);
    const record = tradeIn(await send(transactions));
    const after = [await balance(deployment.usd, me.address), await balance(token, me.address)] as const;
    const moved = [before[0] - after[0], after[1] - before[1]] as const;
    const isBuy = record.tokens > 0n;
    const [paid, received] = isBuy ? moved : [-moved[1], -moved[0]];
    expect({ in: paid, out: received }).toEqual({
      in: BigInt(quote.inputAmountRaw),
      out: BigInt(quote.outputAmountRaw),
    });
    return { quote, record };
  };
  const requireIndexed = async (): Promise<void> => {
    await system.caughtUp();
    const { deployment, client, accounts } = on();
    const { launchpad, usd } = deployment;
    const row = await system.db
      .withTables<{ token: any; fee_balance: any }>()
      .selectFrom('token')
      .selectAll()
      .where('eid', '=', chain.chain.eid)
      .where('address', '=', token)
      .executeTakeFirstOrThrow();
    const state = await client.readContract({
      address: launchpad,
      abi: launchpadAbi,
      functionName: 'stateOf',
      args: [token],
    });
    expect([row.treasury_share, row.floor_usd]).toEqual([state.treasuryShare, state.floorUsd]);
    for (const { address } of [accounts.alice, accounts.bob, accounts.carol, accounts.treasury])
      for (const currency of [usd, token]) {
        const found = await system.db
          .withTables<{ fee_balance: any }>()
          .selectFrom('fee_balance')
          .select('claimable')
          .where('eid', '=', chain.chain.eid)
          .where('recipient', '=', address.toLowerCase())
          .where('currency', '=', currency)
          .executeTakeFirst();
        expect(found?.claimable ?? 0n, `${currency} of ${address}`).toBe(await credit(currency, address));
      }
    const { rows } = {
      rows: await system.db
        .withTables<{ balance: any }>()
        .selectFrom('balance')
        .selectAll()
        .where('token', '=', token)
        .where('eid', '=', chain.chain.eid)
        .execute(),
    };
    for (const { wallet, amount } of rows) expect(amount, wallet).toBe(await balance(token, wallet));
    expect(rows.filter((one) => one.amount > 0n)).toHaveLength(Number(row.holders));
  };

  test('is created, traded on the curve, and graduates', { timeout: 120_000 }, async () => {
    chain = system.chains.find((one) => one.chain.slug === slug) as DevChain;
    const { accounts, deployment, wallet, me, isV3 } = on();
    const dollars = (whole: number) => BigInt(whole) * 10n ** BigInt(deployment.usdDecimals);
    for (const who of [me, accounts.bob]) {
      await wallet.send(who, { to: deployment.usd, data: encodeMint(who.address, dollars(10_000_000)) });
      await wallet.send(who, { to: deployment.usd, data: encodeApprove(chain.foreignRouter, 2n ** 200n) });
    }
    const created = await ask('/create-token-transaction', {
      name: 'Life',
      symbol: 'LIFE',
      description: 'A whole life.',
      image: pixel,
      chainSlug: slug,
      userAddress: me.address,
    });
    await send(created.transactions);
    ({ tokenId } = created.metadata);
    token = created.metadata.addresses.evm.toLowerCase();
    await chain.advance(10);
    await system.caughtUp();

    await trade({ direction: 'buy', buyAmountUSD: 500, builder: { code: accounts.bob.address, fee: 50 } });
    await trade({ direction: 'sell', sellAmountToken: 1000 });
    const { quote } = await trade({ direction: 'buy', buyAmountUSD: 1_000_000 });
    expect(quote.venue).toBe('launchpad');
    await requireIndexed();
    if (!isV3) return;
    // The next buy makes the pool, at the price that was quoted.
    const opening = await trade({ direction: 'buy', buyAmountUSD: 100 });
    expect(opening.quote).toMatchObject({ venue: deployment.venue, isGraduated: true, fees: [] });
    await requireIndexed();
  });

  test('is traded in its pool, beside strangers', { timeout: 120_000 }, async () => {
    const { accounts, deployment, wallet, me, isV3 } = on();
    await wallet.send(accounts.bob, foreignBuy(chain, token, 10n ** BigInt(deployment.usdDecimals + 2)));
    await system.caughtUp();
    const { data: trades } = await ask('/get-token-trades', { tokenId }).catch(() => ({ data: null }));
    expect(trades === null || trades.length > 0).toBe(true);
    await requireIndexed();
    if (isV3) {
      const pool = poolAddressOf(deployment.exchange as never, deployment.usd, token);
      await wallet.send(accounts.bob, { to: token, data: encodeApprove(chain.foreignRouter, 2n ** 200n) });
      const add = (lower: number, upper: number) =>
        encodeFunctionData({ abi: routerV3Abi, functionName: 'mint', args: [pool, lower, upper, 10n ** 18n] });
      const { tick } = await system.db
        .withTables<{ token: any }>()
        .selectFrom('token')
        .select('tick')
        .where('eid', '=', chain.chain.eid)
        .where('address', '=', token)
        .executeTakeFirstOrThrow();
      const near = Math.floor(tick / 200) * 200;
      await wallet.send(accounts.bob, { to: chain.foreignRouter, data: add(near - 400, near + 600) });
    }
    const first = await trade({ direction: 'buy', buyAmountUSD: 2000, token_referral: accounts.carol.address });
    expect(first.quote.venue).toBe(deployment.venue);
    expect(first.quote.poolFee?.bps ?? null).toBe(isV3 ? 100 : null);
    await requireIndexed();
    await trade({ direction: 'sell', sellAmountToken: 2000, builder: { code: accounts.bob.address, fee: 100 } });
    await trade({ direction: 'buy', buyAmountToken: 1000 });
    await trade({ direction: 'sell', sellAmountUSD: 50 });
    await requireIndexed();
    if (!isV3) return;
    // Once the pool's own fees are collected, the treasury has something to reward with.
    await wallet.send(accounts.bob, {
      to: deployment.launchpad,
      data: encodeFunctionData({ abi: launchpadAbi, functionName: 'collectPoolFees', args: [token] }),
    });
    await requireIndexed();
    const before = await credit(deployment.usd, accounts.carol.address);
    const { quote } = await trade({ direction: 'buy', buyAmountUSD: 300, token_referral: accounts.carol.address });
    const [reward] = quote.rewards;
    expect(reward).toMatchObject({ kind: 'token_referral', bps: 15 });
    expect((await credit(deployment.usd, accounts.carol.address)) - before).toBe(BigInt(reward.amountUsdRaw));
    expect(BigInt(reward.amountUsdRaw)).toBeGreaterThan(0n);
    await requireIndexed();
    void me;
  });

  test('pays its creator, and the books agree', { timeout: 120_000 }, async () => {
    const { deployment, me, isV3 } = on();
    await system.caughtUp();
    const { transactions } = await ask('/claim-rewards', { chains: [slug] });
    const before = [await balance(deployment.usd, me.address), await balance(token, me.address)] as const;
    expect(transactions).toHaveLength(1);
    await send(transactions);
    expect(await balance(deployment.usd, me.address)).toBeGreaterThan(before[0]);
    if (isV3) expect(await balance(token, me.address)).toBeGreaterThan(before[1]);
    expect([await credit(deployment.usd, me.address), await credit(token, me.address)]).toEqual([0n, 0n]);
    await requireIndexed();
    const response = await fetch(`${system.url}/functions/v1/solvency?chainSlug=${slug}`);
    const { chains } = (await response.json()) as { chains: { books: { solvent: boolean; surplusUsdRaw: string } }[] };
    expect(chains[0]?.books).toMatchObject({ solvent: true, surplusUsdRaw: '0' });
  });
});

/** An orange square. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
