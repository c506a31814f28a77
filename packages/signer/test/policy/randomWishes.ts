import { encodeOrder, launchpadAbi, type TradeKind, tradeKinds } from '@mintage/protocol';
import fc from 'fast-check';
import { encodeFunctionData, parseAbi } from 'viem';
import type { Budget, StepBytes, World } from '../../src/policy/policy.ts';
import { type Facts, type Limits, secondOpinion } from './secondOpinion.ts';

/** Random budgets, and calls of which a good part is allowed, a good part nearly. */

type Hex = `0x${string}`;
const address = (digits: string): Hex => `0x${digits.repeat(20)}`;

const launchpad = address('a1');
const dollar = address('d1');
const launchTokens = [address('71'), address('72')];
const own = [address('01'), address('02')];
const others = [address('e1'), address('e2'), address('e3')];
const foreign = [address('f1'), address('f2')];
const anyAddress = fc.constantFrom(...own, ...own, ...others, ...foreign, ...launchTokens, launchpad, dollar);
const receiver = fc.constantFrom(...own, ...own, ...own, ...own, ...own, ...others);
const token = fc.constantFrom(...launchTokens, ...launchTokens, ...launchTokens, dollar, foreign[0] as Hex);
const contract = fc.constantFrom(launchpad, dollar, dollar, ...launchTokens, ...foreign, others[0] as Hex);

const chainId = 84_532;
const chainIds = [chainId, 97];
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

const order: fc.Arbitrary<Hex> = fc
  .record({
    token,
    amount: modest,
    limit: modest,
    recipient: receiver,
    builder: anyAddress,
    builderBps: fc.constantFrom(0n, 0n, 0n, 0n, 50n, 100n, 101n, 10_000n),
    referral: anyAddress,
    deadline: fc.constant(1_900_000_000n),
    kind: fc.constantFrom(...tradeKinds),
  })
  .map(({ kind, ...fields }) => encodeOrder(kind as TradeKind, fields));

const text = fc.string({ unit: fc.constantFrom('a', 'Z', ' ', 'é', '🚀', '|'), maxLength: 40 });
const bytes32 = fc.bigInt(0n, largest).map((n): Hex => `0x${n.toString(16).padStart(64, '0')}`);
const bytes = fc.uint8Array({ maxLength: 70 }).map((list): Hex => `0x${Buffer.from(list).toString('hex')}`);

const encodeOurs = <const Name extends string>(functionName: Name, args: unknown[]): Hex =>
  encodeFunctionData({ abi: launchpadAbi, functionName, args } as never);

const launchpadCall: fc.Arbitrary<Hex> = fc.oneof(
  { weight: 10, arbitrary: order },
  {
    weight: 2,
    arbitrary: fc
      .record({ name: text, symbol: text, uri: text, salt: bytes32, poolType: fc.nat({ max: 255 }), deadline: amount })
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
const nested: fc.Arbitrary<Hex> = fc.oneof(
  { weight: 3, arbitrary: launchpadCall },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.array(launchpadCall, { maxLength: 3 }), fc.integer({ min: 1, max: 5 }))
      .map(([calls, levels]) => {
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
  'function multicall(bytes[] calls)',
  'function multicall(uint256 deadline, bytes[] calls)',
  'function stake()',
]);
const encode = (functionName: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: others20, functionName, args } as never);

const spender = fc.constantFrom(launchpad, launchpad, ...foreign, ...others, ...own);
const ofToken: fc.Arbitrary<Hex> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(spender, modest).map((args) => encode('approve', args)) },
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

const step: fc.Arbitrary<StepBytes> = fc.oneof(
  { weight: 3, arbitrary: stepOf(fc.constant(launchpad), nested) },
  { weight: 3, arbitrary: stepOf(contract, foreignCall) },
);

function stepOf(to: fc.Arbitrary<Hex>, data: fc.Arbitrary<Hex>): fc.Arbitrary<StepBytes> {
  return fc.record({ to, data: spoilt(data), value: fc.nat({ max: 50 }).map((n) => (n === 50 ? 1n : 0n)) });
}

const anySteps = fc.oneof(
  { weight: 3, arbitrary: fc.array(step, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 3 }) },
);

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
  chainIds: fc.option(fc.constantFrom([chainId], chainIds, [], chainIds.slice(1)), { freq: 2 }),
  contracts: listOf([...foreign, ...foreign, dollar, launchpad, launchTokens[0] as Hex]),
  recipients: fc.oneof(fc.constant(others), listOf(others)),
  maxBuilderBps: fc.constantFrom(0, 100, 10_000),
  hours: fc.constantFrom(0, 23, 24, 25, 100, 100),
  /** How the cap lies to what the transactions count; null: no cap. */
  room: fc.option(fc.constantFrom(0n, 0n, 1n, 10n ** 18n, 10n ** 24n, -1n)),
});

const someFacts = fc.record({
  decimals: fc.constantFrom(6, 18),
  isTest: fc.boolean(),
  prices: fc.tuple(modest, modest),
  delayHours: fc.constantFrom(0, 24, 24),
});

export const randomWish: fc.Arbitrary<RandomWish> = fc
  .record({ steps: anySteps, budget: fc.option(budget, { freq: 8 }), facts: someFacts })
  .map(({ steps, budget: drawn, facts: known }) => {
    const prices = Object.fromEntries(launchTokens.map((one, at) => [one, known.prices[at] as bigint]));
    const facts: Facts = {
      chain: chainId,
      launchpad,
      dollar,
      dollarDecimals: known.decimals,
      dollarIsTest: known.isTest,
      own,
      prices,
      hoursSinceBudget: drawn?.hours ?? 0,
      delayHours: known.delayHours,
    };
    const limits: Limits | null = drawn && {
      trade: null,
      chains: drawn.chainIds,
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
        chainId,
        deployment: { launchpad, usd: dollar, usdDecimals: known.decimals, usdMintable: known.isTest },
        ownWallets: new Set(own),
        priceUsd18: (one) => prices[one] ?? null,
        nowMs,
        recipientDelayMs: known.delayHours * hourMs,
      },
      limits,
      facts,
    };
  });
