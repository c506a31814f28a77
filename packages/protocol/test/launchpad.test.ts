import { type DevChain, type DevChains, startChains } from '@mintage/devnet';
import { campaign, type Random } from '@mintage/devnet/random';
import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type Log,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeApprove, encodeCreate, encodeMint, encodeOrder, type Order } from '../src/evm/calldata.ts';
import { launchpadAbi, lensAbi } from '../src/evm/generated/abi.ts';
import { decodeRevert } from '../src/evm/reverts.ts';
import { curveOf, quoteCurve } from '../src/maths/curve.ts';
import { normalBps, tierPoolFeeBps } from '../src/maths/fees.ts';
import { graduate } from '../src/maths/graduation.ts';
import { type ExchangePool, quoteExchangePool } from '../src/maths/pool/exchangePool.ts';
import { takesTierFee, tierFeeV3 } from '../src/maths/pool/swap.ts';
import { poolTypeBySlug } from '../src/maths/poolTypes.ts';
import {
  isBuy,
  isExactIn,
  limitOf,
  meetsLimit,
  type TradeOrder,
  type TradeResult,
  tradeKinds,
} from '../src/maths/trade.ts';
import { MintageError } from '../src/schemas/errors.ts';
import { onEvm } from './onEvm.ts';

/**
 * Quotes against the deployed Launchpad, hook and PoolManager on anvil: random orders called on the state that was quoted,
 * with limits at and beyond the edge, on the curve and on the pool, for dollars of 6 and 18 decimals, in both token orders,
 * without and with a protocol fee.
 */

const poolType = poolTypeBySlug('test');
const far = 2n ** 40n;
const curveDivisors = [3n, 2n, 50n];
const poolStates = 12;
/** Two chains, two token orders. */
const states = 4 * (curveDivisors.length + poolStates);

let world: DevChains;
beforeAll(async () => {
  world = await startChains(['base-sepolia', 'bnb-testnet'], { heartbeat: false });
});
afterAll(() => world?.stop());

/** A token of ours on one chain, and the trader who owns every token that is sold. */
interface Market {
  chain: DevChain;
  token: Hex;
}

const plain = {
  recipient: zeroAddress as Hex,
  builder: zeroAddress as Hex,
  builderBps: 0n,
  referral: zeroAddress as Hex,
};

const createMarket = async (chain: DevChain, usdIs0: boolean): Promise<Market> => {
  const { deployment, accounts, wallet } = chain;
  for (let salt = 1n; ; salt += 1n) {
    const word: Hex = `0x${salt.toString(16).padStart(64, '0')}`;
    const args = [accounts.alice.address, word] as const;
    const data = encodeFunctionData({ abi: launchpadAbi, functionName: 'tokenAddress', args });
    const token: Hex = `0x${(await call(chain, deployment.launchpad, data)).slice(-40)}`;
    if (BigInt(deployment.usd) < BigInt(token) !== usdIs0) continue;
    const params = { name: 'Coin', symbol: 'COIN', uri: '', salt: word, poolType: poolType.id, deadline: far };
    await wallet.send(accounts.alice, { to: deployment.launchpad, data: encodeCreate(params) });
    return { chain, token };
  }
};

const call = async (chain: DevChain, to: Hex, data: Hex): Promise<Hex> =>
  (await chain.rpc('eth_call', [{ from: chain.accounts.alice.address, to, data }, 'latest'])) as Hex;

const readState = async ({ chain, token }: Market) => {
  const { lens, usd } = chain.deployment;
  const args = [token, chain.accounts.alice.address] as const;
  const data = await call(chain, lens, encodeFunctionData({ abi: lensAbi, functionName: 'quoteState', args }));
  const [, , view, trader] = decodeFunctionResult({ abi: lensAbi, functionName: 'quoteState', data });
  const { tokensLeft, usd: reserveUsd } = view.state;
  const { sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor, ticks } = view;
  const usdIs0 = BigInt(usd) < BigInt(token);
  const inTier = chain.deployment.exchange === null ? {} : { tierFee: tierFeeV3, ticks };
  const pool: ExchangePool = { sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor, usdIs0, ...inTier };
  const curve = curveOf(poolType, onEvm(chain.deployment.usdDecimals), { tokensLeft, reserveUsd });
  return { curve, pool, graduated: view.state.graduated, floorUsd: view.state.floorUsd, held: trader.tokenBalance };
};
type State = Awaited<ReturnType<typeof readState>>;

const quote = ({ graduated, pool, curve }: State, order: TradeOrder): TradeResult =>
  graduated ? quoteExchangePool(pool, order) : quoteCurve(curve, order);

/** The answer of a quote or of a call: both amounts, or the code of the refusal. */
const answerOf = (state: State, order: TradeOrder): TradeResult | string => {
  try {
    return quote(state, order);
  } catch (error) {
    if (error instanceof MintageError) return error.code;
    throw error;
  }
};

/** What the Launchpad answers to many calls on the latest block. */
const callAll = async ({ chain }: Market, calls: Hex[]): Promise<string[]> => {
  const params = (data: Hex) => [
    { from: chain.accounts.alice.address, to: chain.deployment.launchpad, data, gas: '0x1312d00' },
    'latest',
  ];
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((data, id) => ({ jsonrpc: '2.0', id, method: 'eth_call', params: params(data) }))),
  });
  const answers = (await response.json()) as { id: number; result?: Hex; error?: { data?: Hex } }[];
  return answers
    .toSorted((a, b) => a.id - b.id)
    .map(({ result, error }) =>
      result === undefined
        ? decodeRevert(error?.data ?? '0x').code
        : `${BigInt(result.slice(0, 66))} ${BigInt(`0x${result.slice(66)}`)}`,
    );
};

const encode = (
  { chain, token }: Market,
  { kind, amount, builderBps, hasReferral }: TradeOrder,
  limit: bigint,
): Hex => {
  const { alice, builder, promoter } = chain.accounts;
  const order: Order = {
    ...plain,
    token,
    amount,
    limit,
    recipient: alice.address,
    builder: builder.address,
    builderBps,
    referral: hasReferral ? promoter.address : zeroAddress,
    deadline: far,
  };
  return encodeOrder(kind, order);
};

const randomOrder = (random: Random, { graduated, curve, pool, held }: State): TradeOrder => {
  const kind = random.pick(tradeKinds);
  const reserveUsd = graduated ? graduatedUsd(pool) : curve.reserveUsd + curve.virtualUsd;
  const most = kind === 'buyExactIn' || kind === 'sellExactOut' ? reserveUsd + 1n : held + 1n;
  const builderBps = random.pick([0n, 25n, random.between(1n, 1_000n)]);
  const feeBps = graduated && takesTierFee(pool) ? tierPoolFeeBps : normalBps;
  const terms = { feeBps, builderBps, hasReferral: random.chance(2), hasReferrer: false };
  return { kind, amount: random.chance(15) ? random.between(1n, 300n) : random.scaled(most), ...terms };
};

/** About the USD in the full range. */
const graduatedUsd = ({ liquidity, sqrtPriceX96, usdIs0 }: ExchangePool): bigint =>
  usdIs0 ? (liquidity << 96n) / sqrtPriceX96 : (liquidity * sqrtPriceX96) >> 96n;

const mostUint256 = 2n ** 256n - 1n;

/** The best limit for the trader that the chain accepts, found by halving what `meetsLimit` says. */
const tightestLimit = (trade: TradeResult, order: TradeOrder): bigint => {
  if (!isExactIn(order.kind)) return trade.amountIn;
  let [accepted, refused] = [0n, mostUint256 + 1n];
  while (refused - accepted > 1n) {
    const middle = (accepted + refused) / 2n;
    if (meetsLimit(trade, order, middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
};

/** Quotes random orders at the present state and lets the chain answer the same. */
const compare = async (
  market: Market,
  random: Random,
  orders: number,
): Promise<{ filled: number; refused: number }> => {
  const state = await readState(market);
  const wanted: { order: TradeOrder; data: Hex; expected: string }[] = [];
  let [filled, refused] = [0, 0];
  for (let index = 0; index < orders; index += 1) {
    const order = randomOrder(random, state);
    const trade = answerOf(state, order);
    if (typeof trade === 'string') {
      refused += 1;
      wanted.push({ order, data: encode(market, order, isExactIn(order.kind) ? 0n : far ** 3n), expected: trade });
      continue;
    }
    if (!isBuy(order.kind) && trade.tokens > state.held) continue;
    filled += 1;
    const expected = `${trade.amountIn} ${trade.amountOut}`;
    const edge = tightestLimit(trade, order);
    for (const limit of [limitOf(trade, 0n), edge])
      wanted.push({ order, data: encode(market, order, limit), expected });
    const beyond = edge + (isExactIn(order.kind) ? 1n : -1n);
    if (beyond > mostUint256) continue; // of a rest that costs one base unit, where any limit holds
    expect(meetsLimit(trade, order, beyond)).toBe(false);
    wanted.push({ order, data: encode(market, order, beyond), expected: 'SLIPPAGE_EXCEEDED' });
  }
  const answers = await callAll(
    market,
    wanted.map(({ data }) => data),
  );
  for (const [index, { order, expected }] of wanted.entries()) {
    // The pool takes what it swapped before the whole order is asked for, and nobody holds so much.
    const other = expected === 'PARTIAL_FILL' && answers[index] === 'INSUFFICIENT_BALANCE';
    if (!other) expect({ order, answer: answers[index] }).toEqual({ order, answer: expected });
  }
  return { filled, refused };
};

const fund = async ({ accounts, deployment, wallet }: DevChain): Promise<void> => {
  const much = 10n ** 12n * 10n ** BigInt(deployment.usdDecimals);
  await wallet.send(accounts.alice, { to: deployment.usd, data: encodeMint(accounts.alice.address, much) });
  await wallet.send(accounts.alice, { to: deployment.usd, data: encodeApprove(deployment.launchpad, much) });
};

/** Sends an order for real and checks that the state moved as quoted. */
const send = async (market: Market, order: TradeOrder): Promise<void> => {
  const before = await readState(market);
  const trade = before.graduated ? quoteExchangePool(before.pool, order) : quoteCurve(before.curve, order);
  const { accounts, deployment, wallet } = market.chain;
  const data = encode(market, order, limitOf(trade, 0n));
  const { logs } = await wallet.send(accounts.alice, { to: deployment.launchpad, data });
  const opening = await graduateIfLeft(market);
  const after = await readState(market);
  if (before.graduated) expect(after.pool).toEqual(trade.after);
  else if (!after.graduated) expect(after.curve).toEqual(trade.after);
  const [graduated] = parseEventLogs({
    abi: launchpadAbi,
    eventName: 'Graduated',
    logs: [...logs, ...opening] as Log[],
  });
  if (graduated === undefined) return;
  const curve = quoteCurve(before.curve, order).after;
  const { pool, ...amounts } = graduate({
    poolType,
    decimals: onEvm(deployment.usdDecimals),
    curve,
    floorUsd: before.floorUsd,
    usdIs0: before.pool.usdIs0,
    tierFee: before.pool.tierFee,
  });
  expect(after.pool).toMatchObject(pool);
  const { usdLocked, tokensLocked, floorUsd, creatorReward, dustUsd, dustTokens } = graduated.args.graduation;
  expect({ usdLocked, tokensLocked, floorUsd, creatorRewardUsd: creatorReward, dustUsd, dustTokens }).toEqual(amounts);
};

/** On a v3 exchange the last buy leaves the graduation to whoever comes next; the logs of it. */
const graduateIfLeft = async (market: Market): Promise<readonly object[]> => {
  const { deployment, accounts, wallet } = market.chain;
  const { curve, graduated } = await readState(market);
  if (deployment.exchange === null || graduated || curve.tokensLeft > 0n) return [];
  const data = encodeFunctionData({ abi: launchpadAbi, functionName: 'graduate', args: [market.token] });
  return (await wallet.send(accounts.alice, { to: deployment.launchpad, data, gas: 9_000_000n })).logs;
};

const buy = (amount: bigint): TradeOrder => ({
  kind: 'buyExactOut',
  amount,
  feeBps: normalBps,
  builderBps: 0n,
  hasReferral: false,
  hasReferrer: false,
});

/** On Uniswap v4; on a v3 exchange the owner takes a part of the tier, which moves no amount of a swap. */
const setProtocolFee = async ({ chain, token }: Market, fee: number): Promise<void> => {
  const { accounts, deployment, wallet } = chain;
  if (deployment.exchange !== null) return;
  const abi = parseAbi([
    'function setProtocolFeeController(address)',
    'function setProtocolFee((address,address,uint24,int24,address),uint24)',
  ]);
  const to = deployment.poolManager as Hex;
  const controller = encodeFunctionData({
    abi,
    functionName: 'setProtocolFeeController',
    args: [accounts.owner.address],
  });
  await wallet.send(accounts.owner, { to, data: controller });
  const [lower, higher] = BigInt(deployment.usd) < BigInt(token) ? [deployment.usd, token] : [token, deployment.usd];
  const args = [[lower, higher, 0, 200, deployment.poolHook], fee] as const;
  await wallet.send(accounts.owner, { to, data: encodeFunctionData({ abi, functionName: 'setProtocolFee', args }) });
};

test('C7 C17 C20 the Launchpad does what every quote says, on curve and pool, at the edge of every limit', async () => {
  const { random, cases } = campaign('launchpad', 3_600);
  const total = { curve: { filled: 0, refused: 0 }, pool: { filled: 0, refused: 0 } };
  const count = async (venue: 'curve' | 'pool', market: Market): Promise<void> => {
    const { filled, refused } = await compare(market, random, Math.ceil(cases / states));
    total[venue].filled += filled;
    total[venue].refused += refused;
  };
  for (const chain of world.chains) {
    await fund(chain);
    for (const usdIs0 of [true, false]) {
      const market = await createMarket(chain, usdIs0);
      await chain.advance(10);
      for (const divisor of curveDivisors) {
        await send(market, buy((await readState(market)).curve.tokensLeft / divisor));
        await count('curve', market);
      }
      await send(market, buy((await readState(market)).curve.tokensLeft));
      for (let round = 0; round < poolStates; round += 1) {
        if (round === poolStates / 2) await setProtocolFee(market, 1_000 | (700 << 12));
        await count('pool', market);
        const state = await readState(market);
        let order = randomOrder(random, state);
        while (
          typeof answerOf(state, order) === 'string' ||
          (!isBuy(order.kind) && quote(state, order).tokens > state.held)
        )
          order = randomOrder(random, state);
        await send(market, order);
      }
    }
  }
  console.log(total);
  if (cases < 3_600) return;
  expect(total.curve.filled).toBeGreaterThan(400);
  expect(total.pool.filled).toBeGreaterThan(2_000);
});
