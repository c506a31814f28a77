import {
  buyFeeBps,
  type CurveState,
  chainBySlug,
  curveOf,
  type Decimals,
  encodeOrder,
  graduate,
  launchpadAbi,
  limitOf,
  normalBps,
  type PoolState,
  type PoolType,
  poolTypeById,
  quoteCurve,
  quotePool,
  requireHex,
  type TradeKind,
  type TradeOrder,
  tokenAddressOf,
  tokenBridgeAbi,
  tokenPoolOf,
  tradeKinds,
  usdForTokensUp,
} from '@mintage/protocol';
import fc from 'fast-check';
import { encodeFunctionData, type Hex, pad, parseAbi } from 'viem';
import type { Budget } from '../../../src/db/intentProof.ts';
import { evmReader } from '../../../src/sign/evm/evmReader.ts';
import type { Market } from '../../../src/sign/policy/market.ts';
import type { StepBytes, World } from '../../../src/sign/policy/policy.ts';
import { type Curve, type Facts, type Limits, secondOpinion } from './secondOpinion.ts';

/** Random budgets, and calls of which a good part is allowed, a good part nearly. */

const address = (digits: string): Hex => `0x${digits.repeat(20)}`;

const chainId = 84_532;
const launchpad = address('a1');
const tokenBridge = address('b2');
const dollar = address('d1');
/** One on its curve, two in pools, on either side of the dollar. */
const launchTokens = [address('71'), address('72'), address('e7')];
const own = [address('01'), address('02')];
const others = [address('e1'), address('e2'), address('e3')];
const foreign = [address('f1'), address('f2')];
/** What keeps what is sent there. */
const walls: string[] = [others[2] as Hex, launchpad, dollar, tokenBridge, ...launchTokens];
const anyAddress = fc.constantFrom(...own, ...own, ...others, ...foreign, ...launchTokens, launchpad, dollar);
const receiver = fc.constantFrom(...own, ...own, ...own, ...own, ...own, ...others);
const [implementation, factory] = [address('1c'), address('1d')];
const wallet = own[0] as Hex;
const salts = ['5a', '5b'].map((digits): Hex => `0x${digits.repeat(32)}`);
/** Tokens that a creation with one of these salts gives. */
const madeTokens = salts.map((salt) =>
  tokenAddressOf({ tokenFactory: factory, tokenImplementation: implementation, chainId }, wallet, salt),
);
const token = fc.constantFrom(
  ...launchTokens,
  ...launchTokens,
  ...launchTokens,
  ...madeTokens,
  dollar,
  foreign[0] as Hex,
);
const contract = fc.constantFrom(launchpad, dollar, dollar, ...launchTokens, ...foreign, others[0] as Hex);

const { eid } = chainBySlug('base-sepolia');
const eids = [eid, chainBySlug('bnb-testnet').eid];
const nowMs = Date.parse('2030-01-01T00:00:00Z');
const hourMs = 3_600_000;
const largest = 2n ** 256n - 1n;

/** Round and odd amounts of every size, and what stands at an edge. */
const amount = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 26 }), fc.nat({ max: 999 }))
      .map(([e, n]) => BigInt(n) * 10n ** BigInt(e)),
  },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n ** 128n - 1n, 2n ** 128n, 10n ** 60n, largest) },
  { weight: 1, arbitrary: fc.bigInt(0n, largest) },
);
const modest = fc.oneof({ weight: 9, arbitrary: amount.map((n) => n % 10n ** 24n) }, { weight: 1, arbitrary: amount });

/** Of a withdrawal: the largest number means everything. */
const owed = fc.oneof(modest, fc.constant(largest));

/** Dollars and tokens as people trade them, and other amounts. */
const tradeable = fc.oneof(
  ...[5, 17].map((least) => ({
    weight: 4,
    arbitrary: fc
      .tuple(fc.integer({ min: least, max: least + 6 }), fc.integer({ min: 1, max: 999 }))
      .map(([e, n]) => BigInt(n) * 10n ** BigInt(e)),
  })),
  { weight: 1, arbitrary: modest },
);

/** Slippages at the edges of what is allowed, and how many base units from there. */
const slippage = fc.tuple(
  fc.constantFrom(0n, 0n, 100n, 100n, 299n, 300n, 301n, 5_000n, 5_001n),
  fc.constantFrom(-1n, 0n, 0n, 1n),
);

/** An order whose limit lies near the market, if there is one. */
const orderAt = (marketOf: (token: Hex) => Market | null): fc.Arbitrary<Hex> =>
  fc
    .record({
      token: fc.constantFrom(...launchTokens, ...launchTokens, ...launchTokens, ...madeTokens, foreign[0] as Hex),
      amount: tradeable,
      limit: fc.oneof({ weight: 1, arbitrary: modest }, { weight: 1, arbitrary: fc.constantFrom(0n, 1n) }),
      near: fc.option(slippage, { freq: 9 }),
      recipient: receiver,
      builder: anyAddress,
      builderBps: fc.constantFrom(0n, 0n, 0n, 0n, 0n, 0n, 0n, 50n, 100n, 101n, 9_000n, 10_000n),
      referral: anyAddress,
      deadline: fc.constant(1_900_000_000n),
      kind: fc.constantFrom(...tradeKinds),
    })
    .map(({ kind, near, ...fields }) => {
      const worst = near === null ? null : limitNear(marketOf(fields.token), kind, fields, near[0]);
      const limit = worst === null ? fields.limit : worst + (near?.[1] ?? 0n);
      return encodeOrder(kind, { ...fields, limit: limit < 0n || limit > largest ? 0n : limit });
    });

const limitNear = (
  market: Market | null,
  kind: TradeKind,
  { token: of, amount: exact, builderBps }: { token: Hex; amount: bigint; builderBps: bigint },
  bps: bigint,
): bigint | null => {
  if (market === null) return null;
  const usdIs0 = BigInt(dollar) < BigInt(of);
  const { curve, buyFeeBps, opening } = market;
  const onCurve = curve !== null && (curve.tokensLeft > 0n || !kind.startsWith('buy'));
  const feeBps = onCurve && kind.startsWith('buy') ? buyFeeBps : normalBps;
  const terms: TradeOrder = { kind, amount: exact, feeBps, builderBps, hasReferral: false, hasReferrer: false };
  try {
    const pool = market.pool ?? graduate({ ...opening, curve: curve as CurveState, usdIs0 }).pool;
    const trade = onCurve ? quoteCurve(curve, terms) : quotePool(tokenPoolOf(pool, usdIs0), terms);
    return limitOf(trade, bps);
  } catch {
    return null;
  }
};

const text = fc.string({ unit: fc.constantFrom('a', 'Z', ' ', 'é', '🚀', '|'), maxLength: 40 });
const bytes32 = fc.bigInt(0n, largest).map((n): Hex => `0x${n.toString(16).padStart(64, '0')}`);
const bytes = fc.uint8Array({ maxLength: 70 }).map((list): Hex => `0x${Buffer.from(list).toString('hex')}`);

const encodeOurs = <const Name extends string>(functionName: Name, args: unknown[]): Hex =>
  encodeFunctionData({ abi: launchpadAbi, functionName, args } as never);

const launchpadCall = (order: fc.Arbitrary<Hex>): fc.Arbitrary<Hex> =>
  fc.oneof(
    { weight: 10, arbitrary: order },
    {
      weight: 2,
      arbitrary: fc
        .record({
          name: text,
          symbol: text,
          uri: text,
          salt: fc.oneof(fc.constantFrom(...salts), bytes32),
          poolType: fc.constantFrom(7, 8, 9, 10),
          deadline: amount,
        })
        .map((params) => encodeOurs('create', [params])),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.record({ user: receiver, referrer: anyAddress, deadline: amount }), bytes)
        .map((args) => encodeOurs('setReferrer', args)),
    },
    { weight: 2, arbitrary: fc.tuple(token, receiver, owed).map((args) => encodeOurs('withdraw', args)) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.array(fc.tuple(token, owed), { maxLength: 3 }), receiver)
        .map(([pairs, to]) => encodeOurs('withdrawBatch', [pairs.map(([one]) => one), to, pairs.map(([, n]) => n)])),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(modest, amount, fc.nat({ max: 255 }), bytes32, bytes32)
        .map((args) => encodeOurs('permitUsd', args)),
    },
    { weight: 1, arbitrary: token.map((one) => encodeOurs('graduate', [one])) },
    { weight: 1, arbitrary: fc.array(token, { maxLength: 3 }).map((list) => encodeOurs('collectTreasury', [list])) },
    { weight: 1, arbitrary: anyAddress.map((to) => encodeOurs('transferOwnership', [to])) },
    { weight: 1, arbitrary: anyAddress.map((to) => encodeOurs('setTreasury', [to])) },
  );

/** Up to five multicalls within each other. */
const nested = (one: fc.Arbitrary<Hex>): fc.Arbitrary<Hex> =>
  fc.oneof(
    { weight: 3, arbitrary: one },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.array(one, { maxLength: 3 }), fc.integer({ min: 1, max: 5 })).map(([calls, levels]) => {
        let data = encodeOurs('multicall', [calls]);
        for (let level = 1; level < levels; level += 1) data = encodeOurs('multicall', [[data]]);
        return data;
      }),
    },
  );

const others20 = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function mint(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function increaseAllowance(address spender, uint256 added)',
  'function increaseApproval(address spender, uint256 added)',
  'function approveAndCall(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function approve(address spender, uint256 id, uint256 amount)',
  'function setOperator(address operator, bool approved)',
  'function multicall(bytes[] calls)',
  'function multicall(uint256 deadline, bytes[] calls)',
  'function stake()',
]);
const encode = (functionName: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: others20, functionName, args } as never);

const spender = fc.constantFrom(launchpad, launchpad, launchpad, ...foreign, ...others, ...own);
/** Around what is approved unasked, and what somebody may have repeated. */
const approved = fc.oneof(modest, fc.constantFrom(7n, 10n ** 10n, 10n ** 10n + 1n, 10n ** 22n, 5n * 10n ** 6n));
const ofToken: fc.Arbitrary<Hex> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(spender, approved).map((args) => encode('approve', args)) },
  { weight: 6, arbitrary: fc.tuple(receiver, modest).map((args) => encode('transfer', args)) },
  { weight: 2, arbitrary: fc.tuple(receiver, modest).map((args) => encode('mint', args)) },
  { weight: 1, arbitrary: fc.tuple(receiver, receiver, amount).map((args) => encode('transferFrom', args)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('increaseAllowance', 'increaseApproval', 'approveAndCall'), spender, amount)
      .map(([name, ...args]) => encode(name, args)),
  },
  { weight: 1, arbitrary: fc.tuple(spender, fc.boolean()).map((args) => encode('setApprovalForAll', args)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(receiver, spender, amount, amount, bytes32)
      .map(([a, b, n, m, r]) => encode('permit', [a, b, n, m, 27, r, r])),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(receiver, spender, fc.boolean(), bytes32)
      .map(([a, b, all, r]) => encode('permit', [a, b, 1n, 1n, all, 27, r, r])),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(token, spender, fc.constantFrom(1n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 160n - 1n))
      .map(([a, b, n]) => encode('approve', [a, b, n, 1])),
  },
  { weight: 1, arbitrary: fc.tuple(spender, modest, modest).map((args) => encode('approve', args)) },
  { weight: 1, arbitrary: fc.tuple(spender, fc.boolean()).map((args) => encode('setOperator', args)) },
  { weight: 1, arbitrary: fc.constant(encode('stake', [])) },
);
const foreignCall: fc.Arbitrary<Hex> = fc.oneof(
  { weight: 5, arbitrary: ofToken },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(ofToken, { maxLength: 2 }), fc.integer({ min: 0, max: 9 }), fc.boolean())
      .map(([calls, levels, dated]) => {
        let data = dated ? encode('multicall', [5n, calls]) : encode('multicall', [calls]);
        for (let level = 0; level < levels; level += 1) data = encode('multicall', [[data]]);
        return data;
      }),
  },
  { weight: 1, arbitrary: bytes },
);

const toChain = fc.oneof(
  { weight: 5, arbitrary: receiver.map((one) => pad(one, { size: 32 })) },
  { weight: 1, arbitrary: bytes32 },
);
const encodeBridge = (functionName: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: tokenBridgeAbi, functionName, args } as never);
const bridgeCall: fc.Arbitrary<Hex> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(token, toChain, modest, fc.boolean(), bytes32, receiver)
      .map(([one, to, amount, register, salt, refundTo]) =>
        encodeBridge('send', [{ token: one, dstEid: 40_333, to, amount, register, creator: wallet, salt }, refundTo]),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(token, bytes32).map(([one, salt]) => encodeBridge('announce', [one, wallet, salt, [40_333]])),
  },
  { weight: 1, arbitrary: fc.constant(encodeBridge('pause', [40_333])) },
  { weight: 1, arbitrary: ofToken },
);

/** Most bytes stay; some are turned, cut off or added. */
const spoilt = (data: fc.Arbitrary<Hex>): fc.Arbitrary<Hex> =>
  fc
    .tuple(data, fc.nat({ max: 39 }), fc.nat(), fc.integer({ min: 1, max: 15 }))
    .map(([whole, what, where, by]): Hex => {
      const digits = whole.slice(2);
      if (what === 0) return `${whole}00`;
      if (what === 1) return `0x${digits.slice(0, (where % (digits.length / 2 + 1)) * 2)}`;
      if (what > 3 || digits === '') return whole;
      const at = where % digits.length;
      const turned = (Number.parseInt(digits[at] as string, 16) ^ by).toString(16);
      return `0x${digits.slice(0, at)}${turned}${digits.slice(at + 1)}`;
    });

const stepOf = (to: fc.Arbitrary<Hex>, data: fc.Arbitrary<Hex>): fc.Arbitrary<StepBytes> =>
  fc.record({ to, data: spoilt(data), value: fc.nat({ max: 50 }).map((n) => (n === 50 ? 1n : 0n)) });

const stepsAt = (marketOf: (token: Hex) => Market | null): fc.Arbitrary<StepBytes[]> => {
  const order = orderAt(marketOf);
  const step = fc.oneof(
    { weight: 3, arbitrary: stepOf(fc.constant(launchpad), nested(launchpadCall(order))) },
    { weight: 3, arbitrary: stepOf(contract, foreignCall) },
    { weight: 2, arbitrary: stepOf(fc.constant(tokenBridge), bridgeCall).map(withValue) },
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.array(step, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 3 }) },
    { weight: 1, arbitrary: order.chain(withApproval) },
  );
};

/** The way is paid with the call. */
const withValue = (step: StepBytes): StepBytes => ({ ...step, value: step.value === 0n ? 5n : 0n });

/** A trade as it is prepared, with an approval of what it spends, or nearly. */
const withApproval = (data: Hex): fc.Arbitrary<StepBytes[]> => {
  const [first, second] = [1, 2].map((at) => BigInt(`0x${data.slice(10 + at * 64, 74 + at * 64)}`)) as [bigint, bigint];
  return fc.constantFrom(first, second, first ^ 1n).map((spent) => [
    { to: dollar, value: 0n, data: encode('approve', [launchpad, spent]) },
    { to: launchpad, value: 0n, data },
  ]);
};

export interface RandomWish {
  steps: StepBytes[];
  budget: Budget | null;
  world: World;
  /** The same in the words of the second evaluator. */
  limits: Limits | null;
  facts: Facts;
}

const listOf = (values: readonly Hex[]) => fc.subarray([...values]);

const budget = fc.record({
  perDayUsd18: fc.constant(null),
  eids: fc.option(fc.constantFrom([eid], eids, [], eids.slice(1)), { freq: 2 }),
  contracts: listOf([...foreign, ...foreign, ...foreign, dollar, launchpad, launchTokens[0] as Hex]),
  recipients: fc.oneof(fc.constant(others), listOf(others)),
  maxBuilderBps: fc.constantFrom(0, 100, 10_000),
  hours: fc.constantFrom(0, 23, 24, 25, 100, 100),
  /** How the cap lies to what the transactions count; null: no cap. */
  room: fc.option(fc.constantFrom(0n, 0n, 1n, 10n ** 18n, 10n ** 24n, -1n)),
});

const poolTypeIds = fc.constantFrom(7, 8, 9);
const someFacts = fc.record({
  decimals: fc.constantFrom(6, 18),
  isTest: fc.boolean(),
  prices: fc.tuple(modest, modest, modest),
  delayHours: fc.constantFrom(0, 24, 24),
  signedIn: fc.constantFrom(true, false, false),
  maxBuilder: fc.constantFrom(0n, 100n, 100n),
  said: fc.record({
    recipient: fc.constantFrom(null, null, others[2] as Hex, dollar),
    builder: fc.constantFrom(null, null, 101n, 9_000n),
    limit: fc.constantFrom(null, null, 0n, 1n),
    approval: fc.constantFrom(null, null, 7n, 10n ** 22n, 2n ** 128n),
  }),
  /** How old the token is, the part of its curve that is sold, in a thousand, and dollars for the floor. */
  curve: fc.record({
    poolType: poolTypeIds,
    seconds: fc.constantFrom(0n, 3n, 6n, 99n),
    sold: fc.oneof(fc.nat({ max: 1_000 }), fc.constant(1_000)),
    floor: fc.constantFrom(0n, 1_000n),
  }),
  pools: fc.tuple(
    ...[0, 1].map(() => fc.record({ poolType: poolTypeIds, floor: fc.constantFrom(0n, 1_000n, 50_000n) })),
  ),
});
type Drawn = typeof someFacts extends fc.Arbitrary<infer T> ? T : never;

/** The market of each launch token, as the first evaluator takes it. */
const marketsOf = ({ decimals: usd, curve, pools }: Drawn): Map<Hex, Market> => {
  const decimals = { token: 18, usd };
  const [onCurve, ...graduated] = launchTokens as [Hex, ...Hex[]];
  const markets = new Map<Hex, Market>();
  const type = poolTypeById(curve.poolType) as PoolType;
  const start = curveOf(type, decimals);
  const sold = (start.tokensLeft * BigInt(curve.sold)) / 1_000n;
  const stored = { tokensLeft: start.tokensLeft - sold, reserveUsd: usdForTokensUp(start, sold) };
  const floorUsd = curve.floor * 10n ** BigInt(usd);
  const openingOf = (poolType: PoolType) => ({ poolType, decimals, floorUsd, venue: 'uniswap_v4' as const });
  markets.set(onCurve, {
    curve: curveOf(type, decimals, stored),
    pool: null,
    buyFeeBps: buyFeeBps(curve.seconds),
    opening: openingOf(type),
  });
  for (const [at, one] of graduated.entries()) {
    const drawn = pools[at] as (typeof pools)[number];
    const opening = openingOf(poolTypeById(drawn.poolType) as PoolType);
    markets.set(one, { curve: null, pool: poolAt(one, decimals, drawn), buyFeeBps: normalBps, opening });
  }
  return markets;
};

const poolAt = (of: Hex, decimals: Decimals, { poolType: id, floor }: Drawn['pools'][number]): PoolState => {
  const poolType = poolTypeById(id) as PoolType;
  const start = curveOf(poolType, decimals);
  const curve = curveOf(poolType, decimals, { tokensLeft: 0n, reserveUsd: usdForTokensUp(start, start.tokensLeft) });
  const floorUsd = floor * 10n ** BigInt(decimals.usd);
  const usdIs0 = BigInt(dollar) < BigInt(of);
  return graduate({ poolType, decimals, curve, floorUsd, usdIs0, protocolFee: 0 }).pool;
};

export const randomWish: fc.Arbitrary<RandomWish> = someFacts.chain((known) => {
  const markets = marketsOf(known);
  const marketOf = (of: Hex): Market | null => markets.get(of) ?? null;
  return fc
    .record({ steps: stepsAt(marketOf), budget: fc.option(budget, { freq: known.signedIn ? 3 : 9 }) })
    .map(({ steps, budget: drawn }) => wishOf(known, markets, steps, drawn));
});

type DrawnBudget = typeof budget extends fc.Arbitrary<infer T> ? T : never;

const wishOf = (known: Drawn, markets: Map<Hex, Market>, steps: StepBytes[], drawn: DrawnBudget | null): RandomWish => {
  const prices = Object.fromEntries(launchTokens.map((one, at) => [one, known.prices[at] as bigint]));
  const approval = 10_000n * 10n ** BigInt(known.decimals);
  const curves: Record<string, Curve> = {};
  const pools: Record<string, PoolState> = {};
  for (const [of, { curve, pool, buyFeeBps, opening }] of markets) {
    if (pool !== null)
      pools[of] = pool as PoolState; // these chains have an exchange
    else
      curves[of] = {
        kind: opening.poolType.id,
        floor: opening.floorUsd,
        tokens: curve.virtualTokens,
        dollars: curve.virtualUsd,
        forSale: curve.tokensLeft,
        paidIn: curve.reserveUsd,
        buyFee: buyFeeBps,
      };
  }
  const facts: Facts = {
    chain: eid,
    launchpad,
    bridge: tokenBridge,
    factory,
    implementation,
    chainId,
    wallet,
    dollar,
    dollarDecimals: known.decimals,
    dollarIsTest: known.isTest,
    own,
    prices,
    curves,
    pools,
    signedIn: known.signedIn,
    unasked: { builder: known.maxBuilder, approval },
    said: known.said,
    walls,
    hoursSinceBudget: drawn?.hours ?? 0,
    delayHours: known.delayHours,
  };
  const limits: Limits | null = drawn && {
    trade: null,
    chains: drawn.eids,
    contracts: drawn.contracts,
    recipients: drawn.recipients,
    builderBps: drawn.maxBuilderBps,
  };
  if (limits !== null && drawn !== null && drawn.room !== null) {
    const counts = secondOpinion(steps, limits, facts);
    limits.trade = (counts === 'refused' || counts + drawn.room < 0n ? 0n : counts) + drawn.room;
  }
  return {
    steps,
    budget: drawn && {
      ...drawn,
      perTradeUsd18: limits?.trade ?? null,
      createdAtMs: nowMs - drawn.hours * hourMs,
    },
    world: {
      eid,
      deployment: {
        launchpad,
        usd: dollar,
        usdDecimals: known.decimals,
        usdMintable: known.isTest,
        venue: 'uniswap_v4',
      },
      tokenDecimals: 18,
      reader: evmReader({
        chainId,
        tokenBridge,
        launchpad,
        tokenFactory: factory,
        tokenImplementation: implementation,
        usd: dollar,
      }),
      wallet,
      isSignIn: known.signedIn,
      acknowledged: {
        builderFeeBps: known.said.builder,
        limitRaw: known.said.limit,
        approvalRaw: known.said.approval,
        recipient: known.said.recipient,
      },
      maxBuilderFeeBps: known.maxBuilder,
      maxApprovalUsd: approval,
      wallAt: (one) => (walls.includes(one) ? 'a wall' : null),
      marketOf: (of) => markets.get(requireHex(of)) ?? null,
      ownWallets: new Set(own),
      priceUsd18: (one) => prices[one] ?? null,
      nowMs,
      recipientDelayMs: known.delayHours * hourMs,
    },
    limits,
    facts,
  };
};
