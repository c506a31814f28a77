import type { DevChain, System } from '@mintage/devnet';
import { until } from '@mintage/devnet/until';
import {
  encodeApprove,
  encodeOrder,
  isExactIn,
  launchpadAbi,
  limitOf,
  type Order,
  quotedFees,
} from '@mintage/protocol';
import {
  createWalletClient,
  custom,
  decodeFunctionData,
  type EIP1193RequestFn,
  encodeFunctionData,
  type Hex,
  numberToHex,
  type PrivateKeyAccount,
  parseUnits,
  zeroAddress,
} from 'viem';
import { expect, it } from 'vitest';
import {
  answeredState,
  type Client,
  checkPrepared,
  execute,
  type Prepared,
  prepare,
  priceOrder,
  type QuoteState,
  readTrusted,
  type Trusted,
  type TrustedChain,
  type Wallet,
} from '../src/sdk.ts';
import { errorOf } from './errorOf.ts';

export interface MarketWorld {
  system: System;
  chain: DevChain;
  client: Client;
  trusted: Trusted;
  account: PrivateKeyAccount;
  wallet: Wallet;
  tokenNamed(name: string): Promise<Hex>;
}

type Trade = Prepared<'tradeToken'>;

const chainSlug = 'base-sepolia';

/** A state in which the trader gets much less. */
const poorer = (isBuying: boolean) => (state: QuoteState) => {
  const [times, by] = isBuying ? [3n, 2n] : [2n, 3n];
  const { curve, pool } = state;
  if (curve !== null) curve.virtualUsd = String((BigInt(curve.virtualUsd) * times) / by);
  if (pool !== null && 'liquidity' in pool) pool.liquidity = String(BigInt(pool.liquidity) / 100n);
};

/** What a service prepares that invents the state of its quote: every word and byte of it fits the others. */
const invented = (prepared: Trade, chain: TrustedChain, change: (state: QuoteState) => void): Trade => {
  const copy = structuredClone(prepared);
  const { quote, transaction, transactions } = copy.answer;
  change(quote.state);
  const { functionName, args } = decodeFunctionData({ abi: launchpadAbi, data: transaction.data as Hex });
  if (!/^(buy|sell)Exact(In|Out)$/.test(functionName)) expect.fail(`no plain order, but ${functionName}`);
  const kind = functionName as 'buyExactIn';
  const [order] = args as readonly [Order];
  const terms = { kind, amount: order.amount, builderBps: 0n, hasReferral: false, hasReferrer: false };
  const { trade } = priceOrder(answeredState(quote.state, chain), terms);
  const limit = limitOf(trade, BigInt(quote.slippageBps));
  expect(isExactIn(kind) ? limit * 100n < order.limit * 95n : limit * 95n > order.limit * 100n).toBe(true);
  const data = encodeFunctionData({ abi: launchpadAbi, functionName: kind, args: [{ ...order, limit }] });
  for (const one of [transaction, transactions.at(-1)]) if (one !== undefined) one.data = data;
  Object.assign(quote.decoded[0]?.args ?? expect.fail('nothing decoded'), { limit: String(limit) });
  if (!isExactIn(kind) && transactions.length === 2)
    Object.assign(transactions[0] ?? {}, { data: encodeApprove(chain.launchpad, limit) });
  quote.inputAmountRaw = String(trade.amountIn);
  quote.outputAmountRaw = String(trade.amountOut);
  const least = (trade.amountOut * (10_000n - BigInt(quote.slippageBps))) / 10_000n;
  quote.limitAmountRaw = String(isExactIn(kind) ? least : limit);
  for (const line of quote.fees) {
    const { part } = quotedFees.find(({ quoteKind }) => quoteKind === line.kind) ?? expect.fail(line.kind);
    line.amountUsdRaw = String(trade.fees[part]);
  }
  return copy;
};

export const marketCases = (world: () => MarketWorld): void => {
  const here = (): TrustedChain => world().trusted[chainSlug] ?? expect.fail('no chain');
  /** Prepared by the state of the newest block: for a moment a quote may be of the one before. */
  const trade = async (name: string, asked: object): Promise<Trade> => {
    const input = {
      tokenId: await world().tokenNamed(name),
      chainSlug,
      userAddress: world().account.address,
      simulate: false,
      ...asked,
    } as Parameters<Client['tradeToken']>[0];
    const newest = Number(await world().chain.rpc('eth_blockNumber'));
    return until(async () => {
      const prepared = await prepare(world().client, 'tradeToken', input);
      return prepared.answer.quote.state.blockNumber === newest && prepared;
    });
  };
  const run = (prepared: Prepared, wallet = world().wallet) => execute(prepared, { wallet, trusted: world().trusted });
  const nonce = () => world().chain.rpc('eth_getTransactionCount', [world().account.address, 'latest']);
  /** Somebody else's buy, mined before ours. */
  const bobBuys = async (name: string, dollars: number): Promise<void> => {
    const { bob } = world().chain.accounts;
    const data = encodeOrder('buyExactIn', {
      token: await world().tokenNamed(name),
      amount: parseUnits(String(dollars), here().usdDecimals),
      limit: 0n,
      recipient: bob.address,
      builder: zeroAddress,
      builderBps: 0n,
      referral: zeroAddress,
      deadline: 2n ** 64n - 1n,
    });
    await world().chain.wallet.send(bob, { to: here().launchpad, data });
  };
  const sale = (asked: object = {}) =>
    trade('Lighthouse', { direction: 'sell', sellAmountToken: 100, slippageBps: 10, ...asked });

  it.each([
    ['Harbour Works', { direction: 'buy', buyAmountUSD: 20 }],
    ['Harbour Works', { direction: 'buy', buyAmountToken: 5_000 }],
    ['Lighthouse', { direction: 'sell', sellAmountToken: 1_000_000 }],
    ['Lighthouse', { direction: 'sell', sellAmountUSD: 15 }],
    ['Copper Kettle', { direction: 'buy', buyAmountUSD: 20 }],
  ] as const)('error: on %s, %o by an invented state fits all words and bytes, and is refused', async (name, asked) => {
    const honest = await trade(name, asked);
    const change = poorer(asked.direction === 'buy');
    const before = await nonce();
    const newest = honest.answer.quote.state.blockNumber ?? expect.fail('no block');
    for (const blockNumber of [newest, newest - 1, 1, null]) {
      const lie = invented(honest, here(), (state) => change(Object.assign(state, { blockNumber })));
      expect(checkPrepared(lie, world().account.address, world().trusted).length).toBeGreaterThan(0);
      expect(await errorOf(run(lie))).toMatchObject({
        code: 'BYTES_DIFFER',
        message: expect.stringMatching(/^order\.limit: /),
      });
    }
    expect(await nonce()).toBe(before);
  });

  it('error: a block that the chain does not have is waited for, and nothing is believed of it', async () => {
    const honest = await trade('Harbour Works', { direction: 'buy', buyAmountUSD: 20 });
    for (const blockNumber of [2 ** 40, -1]) {
      const lie = invented(honest, here(), (state) => poorer(true)(Object.assign(state, { blockNumber })));
      expect((await errorOf(run(lie))).code).toBe('BYTES_DIFFER');
      honest.answer.quote.state.blockNumber = blockNumber;
    }
    const { traded, quoted } = await run(honest); // all else of it is true
    expect(traded).toMatchObject(quoted ?? {});
    await world().system.caughtUp();
  });

  it('C20 error: a service that lies of the dollar’s decimals has no more taken than was meant', async () => {
    const before = await nonce();
    const { chains } = await world().client.chains();
    for (const one of chains) one.dollarToken.decimals += 2;
    const deceived = await readTrusted({ chains: async () => ({ chains }) });
    const prepared = await trade('Harbour Works', { direction: 'buy', buyAmountUSD: 1_250 });
    // What is asked is 12.5 dollars; all else is as an honest answer to 1,250 has it.
    const lie = { ...prepared, asked: { ...prepared.asked, buyAmountUSD: 12.5 } };
    expect(checkPrepared(lie, world().account.address, deceived)).toHaveLength(1);
    expect(await errorOf(execute(lie, { wallet: world().wallet, trusted: deceived }))).toMatchObject({
      code: 'BYTES_DIFFER',
      message: expect.stringMatching(/^usdDecimals: /),
    });
    expect(await nonce()).toBe(before);
  });

  it('behavior: a market that moved against the trader, within the slippage, changes nothing', async () => {
    const prepared = await trade('Harbour Works', { direction: 'buy', buyAmountUSD: 20 });
    await bobBuys('Harbour Works', 10);
    const { traded, quoted } = await run(prepared);
    expect(traded?.amountOut).toBeLessThan(quoted?.amountOut ?? 0n);
    await world().system.caughtUp();
  });

  it('behavior: a market that moved to the trader’s good is taken, as long as the quote is not old', async () => {
    await world().chain.advance(1); // the block of the quote is of now
    const [fresh, old] = [await sale(), await sale()];
    await bobBuys('Lighthouse', 200);
    const { traded, quoted } = await run(fresh);
    expect(traded?.amountOut).toBeGreaterThan(((quoted?.amountOut ?? 0n) * 1_001n) / 1_000n);
    await bobBuys('Lighthouse', 200);
    await world().chain.advance(61);
    const late = await errorOf(run(old));
    expect(late).toMatchObject({ code: 'BYTES_DIFFER', message: expect.stringMatching(/^order\.limit: /) });
    await world().system.caughtUp();
  });

  it('error: an invented state is not believed because the market has moved since', async () => {
    const lie = invented(await sale({ sellAmountToken: 1_000_000 }), here(), poorer(false));
    await bobBuys('Lighthouse', 200);
    expect((await errorOf(run(lie))).code).toBe('BYTES_DIFFER');
    await world().system.caughtUp();
  });

  it('behavior: in the opening window the fee falls, and what was quoted a second before is executed', async () => {
    const { client, account, chain, system } = world();
    const created = await run(
      await prepare(client, 'createTokenTransaction', {
        name: 'Glass Bell',
        symbol: 'BELL',
        description: 'It rings.',
        image: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`,
        chainSlug,
        userAddress: account.address,
      }),
    );
    await system.caughtUp();
    const tokenId = created.token ?? expect.fail('no token');
    const prepared = await trade('Lighthouse', { tokenId, direction: 'buy', buyAmountUSD: 10 });
    expect(prepared.answer.quote.antiSnipe).not.toBeNull();
    await chain.advance(3);
    const { traded, quoted } = await run(prepared);
    expect(traded?.amountOut).toBeGreaterThan(2n * (quoted?.amountOut ?? 0n));
    await system.caughtUp();
  });

  it('behavior: a wallet’s node that is behind the service’s is waited for', async () => {
    await bobBuys('Lighthouse', 50);
    await world().system.caughtUp();
    await bobBuys('Harbour Works', 300); // the market before it was better for who buys
    const newest = Number(await world().chain.rpc('eth_blockNumber'));
    await world().system.caughtUp();
    const prepared = await trade('Harbour Works', { direction: 'buy', buyAmountUSD: 20, slippageBps: 10 });
    let late = 3;
    const request = async ({ method, params }: { method: string; params?: unknown[] }) => {
      if (method === 'eth_getBlockByNumber') late -= 1;
      const behind = late > 0 && JSON.stringify(params)?.includes('"latest"');
      const said = behind ? params?.map((one) => (one === 'latest' ? numberToHex(newest - 1) : one)) : params;
      return world().chain.rpc(method, said);
    };
    const behind = createWalletClient({
      account: world().account,
      transport: custom({ request: request as EIP1193RequestFn }),
      pollingInterval: 50,
    });
    const { traded, quoted } = await run(prepared, behind);
    expect(late).toBeLessThanOrEqual(0);
    expect(traded).toMatchObject(quoted ?? {});
    await world().system.caughtUp();
  });
};
