import { setTimeout as sleep } from 'node:timers/promises';
import {
  chains,
  type ExchangeV3,
  encodeApprove,
  encodeMint,
  launchpadAbi,
  poolAddressOf,
  type Slug,
} from '@mintage/protocol';
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
const all = chains.filter(({ chainId }) => chainId !== null).map(({ slug }) => slug);
const chosen = process.env.SLUGS ?? 'arbitrum,op-bnb,zksync';
const slugs = chosen === 'all' ? all : (chosen.split(',') as Slug[]);

const closers = createClosers();
let system: System;
let database: RunningDatabase;
let apiKey: string;

beforeAll(async () => {
  database = await testDatabase();
  closers.add(database.stop);
  const env = { CHAINS: slugs.join(','), DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
  system = await startSystem({ env, seed: false, heartbeat: false, staleAfterMs: 600_000 });
  closers.add(system.stop);
  const [first] = system.chains as [DevChain];
  ({ apiKey } = await demoUser(system.url as string, system.config.home, first.accounts.alice));
});
afterAll(() => closers.closeAll());

interface Item {
  to: Hex;
  data: Hex;
  value: string;
  gasLimit: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
const ask = async (path: string, body: object, bearer = apiKey): Promise<any> => {
  const response = await fetch(`${system.url}/functions/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
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
    const request = { tokenId, chainSlug: slug, userAddress: me.address, ...order };
    const { quote, transactions } = await ask('/trade-token', request);
    expect(quote.simulation.ok, JSON.stringify(quote.simulation)).toBe(true);
    await system.caughtUp();
    // From the index, which the API follows within a second.
    const fromIndex = async () => (await ask('/trade-token', { ...request, simulate: false })).quote.outputAmountRaw;
    await expect.poll(fromIndex).toBe(quote.outputAmountRaw);
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
  const row = () =>
    database.db
      .selectFrom('token')
      .select(['treasury_share', 'floor_usd', 'holders', 'tick'])
      .where('eid', '=', chain.chain.eid)
      .where('address', '=', token)
      .executeTakeFirstOrThrow();
  const claimable = async (recipient: Address, currency: Address): Promise<bigint> => {
    const found = await database.db
      .selectFrom('fee_balance')
      .select('claimable')
      .where('eid', '=', chain.chain.eid)
      .where('recipient', '=', recipient.toLowerCase() as Address)
      .where('currency', '=', currency)
      .executeTakeFirst();
    return found?.claimable ?? 0n;
  };

  /** The index says what the chain says: of the token's books, of everybody's credits in both currencies, and of all balances. */
  const requireIndexed = async (): Promise<void> => {
    await system.caughtUp();
    const { deployment, client, accounts } = on();
    const { launchpad: address, usd } = deployment;
    const { treasury_share, floor_usd, holders } = await row();
    const state = await client.readContract({ address, abi: launchpadAbi, functionName: 'stateOf', args: [token] });
    expect([treasury_share, floor_usd]).toEqual([state.treasuryShare, state.floorUsd]);
    for (const { address: account } of [accounts.alice, accounts.bob, accounts.carol, accounts.treasury])
      for (const currency of [usd, token])
        expect(await claimable(account, currency), `${currency} of ${account}`).toBe(await credit(currency, account));
    const held = await database.db
      .selectFrom('balance')
      .select(['wallet', 'amount'])
      .where('eid', '=', chain.chain.eid)
      .where('token', '=', token)
      .execute();
    for (const { wallet, amount } of held) expect(amount, wallet).toBe(await balance(token, wallet as Address));
    if (deployment.exchange !== null)
      expect(held.map(({ wallet }) => wallet)).not.toContain(poolAddressOf(deployment.exchange, usd, token));
    expect(held.filter(({ amount }) => amount > 0n)).toHaveLength(Number(holders));
  };

  test('is created, traded on the curve, and graduates', async () => {
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

  test('is traded in its pool, beside strangers', async () => {
    const { accounts, deployment, wallet, isV3 } = on();
    await wallet.send(accounts.bob, foreignBuy(chain, token, 10n ** BigInt(deployment.usdDecimals + 2)));
    await requireIndexed();
    if (isV3) {
      const pool = poolAddressOf(deployment.exchange as ExchangeV3, deployment.usd, token);
      await wallet.send(accounts.bob, { to: token, data: encodeApprove(chain.foreignRouter, 2n ** 200n) });
      const near = Math.floor(((await row()).tick as number) / 200) * 200;
      // Of a hundred dollars or so in either token's decimals.
      const liquidity = 10n ** BigInt(9 + deployment.usdDecimals / 2);
      const args = [pool, near - 400, near + 600, liquidity] as const;
      const data = encodeFunctionData({ abi: routerV3Abi, functionName: 'mint', args });
      await wallet.send(accounts.bob, { to: chain.foreignRouter, data });
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
  });

  test('is traded there by the service for somebody without a wallet', async () => {
    const signedIn = await (await fetch(`${system.issuerUrl}/token?name=somebody`)).text();
    let wallet: Address | undefined;
    for (let funded = 0n; funded === 0n; await sleep(200)) {
      const { data } = await ask('/me', { include_testnets: true }, signedIn);
      wallet = data.wallets.find(({ embedded }: { embedded: boolean }) => embedded)?.address;
      const here = data.balances.find(({ chainSlug }: { chainSlug: string }) => chainSlug === slug);
      funded = BigInt(here?.native.balanceRaw ?? 0);
    }
    const request = { tokenId, chainSlug: slug, execute: true, direction: 'buy', buyAmountUSD: 25 };
    const { executed, quote } = await ask('/trade-token', request, signedIn);
    expect([executed, quote.venue]).toEqual([true, chain.deployment.venue]);
    const held = () => balance(token, wallet as Address);
    await expect.poll(held).toBe(BigInt(quote.outputAmountRaw));
    await requireIndexed();
  });

  test('pays its creator, and the books agree', async () => {
    const { deployment, me, isV3 } = on();
    await system.caughtUp();
    const { transactions } = await ask('/claim-rewards', { chains: [slug] });
    const before = [await balance(deployment.usd, me.address), await balance(token, me.address)] as const;
    expect(transactions).toHaveLength(1);
    await send(transactions);
    expect(await balance(deployment.usd, me.address)).toBeGreaterThan(before[0]);
    if (isV3) {
      expect(await balance(token, me.address)).toBeGreaterThan(before[1]);
      // The claim has collected what the pool had earned.
      const { launchpad: address } = deployment;
      const call = { address, abi: launchpadAbi, functionName: 'collectPoolFees', args: [token] } as const;
      expect((await on().client.simulateContract(call)).result).toEqual([0n, 0n]);
    }
    expect([await credit(deployment.usd, me.address), await credit(token, me.address)]).toEqual([0n, 0n]);
    await requireIndexed();
    const response = await fetch(`${system.url}/functions/v1/solvency?chainSlug=${slug}`);
    const { chains } = (await response.json()) as { chains: { books: object }[] };
    // What the creator has taken is gone from both; the treasury's half is left.
    const left = String(await credit(token, on().accounts.treasury.address));
    const inTokens = isV3 ? { heldRaw: left, creditsRaw: left } : null;
    expect(chains[0]?.books).toMatchObject({ solvent: true, surplusUsdRaw: '0', tokens: [{ token, inTokens }] });
  });
});

/** An orange square. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
