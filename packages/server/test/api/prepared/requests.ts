import {
  buyFeeBps,
  type CurveState,
  chains,
  curveOf,
  type EvmDeployment,
  graduate,
  type PoolType,
  poolTypeBySlug,
  poolTypes,
  requireHex,
  usdForTokensUp,
} from '@mintage/protocol';
import { type InputOf, operations } from '@mintage/protocol/operations';
import fc from 'fast-check';
import { pino } from 'pino';
import { type Hex, parseUnits } from 'viem';
import type { Caller } from '../../../src/api/accounts/caller.ts';
import { claimItem } from '../../../src/api/handlers/claimRewards.ts';
import type { Call, Context } from '../../../src/api/handlers/context.ts';
import { mintUsd } from '../../../src/api/handlers/mintUsd.ts';
import { tradeToken } from '../../../src/api/handlers/tradeToken.ts';
import { identityOf } from '../../../src/api/tokens/tokenAddress.ts';
import { initialBuyOf } from '../../../src/api/trade/initialBuy.ts';
import { creationSteps, planCreation } from '../../../src/api/trade/prepareCreation.ts';
import { itemsOf, lastGasLimit } from '../../../src/api/trade/prepareTrade.ts';
import { deadlineOf } from '../../../src/api/trade/terms.ts';
import type { ChainClientOptions } from '../../../src/chain/chainClient.ts';
import type { ChainContext } from '../../../src/chain/chainContext.ts';
import { createEvmClient } from '../../../src/chain/evm/evmClient.ts';
import { type Market, usdOf } from '../../../src/chain/market.ts';
import { createPulse } from '../../../src/chain/pulse.ts';
import { decimalsOf } from '../../../src/chain/servedChain.ts';
import type {
  Contracts,
  CreationMeaning,
  Meaning,
  TradeMeaning,
  Transaction,
  VoucherMeaning,
} from './decodePrepared.ts';

/** A random request: how the service prepares it, and what was asked, said without the service's own words. */
export interface Request {
  /** @throws MintageError when the service refuses. */
  prepare: () => Promise<Prepared>;
}

export interface Prepared {
  transactions: readonly Transaction[];
  meaning: Meaning;
}

const nowMs = Date.parse('2030-01-01T00:00:00Z');
const nowSeconds = nowMs / 1000;

const filled = (digit: string): Hex => `0x${digit.repeat(40)}`;

const pulse = createPulse({ slug: '', staleAfterMs: Number.POSITIVE_INFINITY, now: () => 0 });
/** Nothing here asks a chain. */
const clientOptions: ChainClientOptions = { log: pino({ level: 'silent' }), now: () => nowMs, voucherKey: null };

type EvmChain = ChainContext & { deployment: EvmDeployment };

const served = ['base-sepolia', 'bnb-testnet'].map((slug, index): EvmChain => {
  const chain = chains.find((one) => one.slug === slug);
  if (!chain?.chainId) throw new Error(`no chain ${slug}`);
  const deployment: EvmDeployment = {
    chainId: chain.chainId,
    startBlock: 1,
    launchpad: filled('a'),
    poolHook: filled('a'),
    tokenFactory: filled('b'),
    lens: filled('c'),
    tokenImplementation: filled('d'),
    tokenBridge: filled('e'),
    layerZeroEndpoint: filled('f'),
    // In the middle, so that tokens come before and behind it.
    usd: filled(index === 0 ? '8' : '7'),
    usdDecimals: index === 0 ? 6 : 18,
    usdSymbol: 'USD',
    usdMintable: true,
    poolManager: filled('2'),
    venue: 'uniswap_v4',
    exchange: null,
    create3Factory: filled('3'),
    owner: filled('4'),
    codeHashes: {},
  };
  return {
    chain,
    deployment,
    client: createEvmClient({ chain, deployment, rpcUrls: ['http://127.0.0.1:1'] }, clientOptions),
    indexPulse: pulse,
    headPulse: pulse,
    publicRpcUrl: null,
    local: true,
  };
});

export const contracts: readonly Contracts[] = served.map(({ deployment }) => deployment);

/** What these handlers use of a context; everything else is left out, and would throw. */
const contextOf = (market: Market | null, referral: Referral | null): Context => {
  const referrer = referral?.signature === null ? referral.referrer : null;
  const markets = {
    require: async () => market,
    referrerOf: async () => referrer,
    current: () => null,
    follow: async () => {},
  };
  const vouchers: Context['vouchers'] = {
    issue: async (_caller, _served, wallet, { deadline }) => voucherOf(referral, requireHex(wallet), deadline),
    forget: () => {},
  };
  // The index of these chains knows no token; any wallet that is drawn is paid.
  const walls = { at: async () => null };
  const used = {
    chains: new Map(served.map((one) => [one.chain.slug, one])),
    markets,
    vouchers,
    walls,
    now: () => nowMs,
  };
  return used as unknown as Context;
};

const call: Call<Caller> = {
  caller: {
    userId: '',
    wallets: [],
    embedded: {},
    credential: null,
    session: null,
    waitsUntilMs: null,
    newUntilMs: null,
    method: 'apiKey',
    premium: false,
    scopes: ['prepare'],
  },
  requestId: 'property',
  address: '',
};

// ---------------------------------------------------------------- what people send

const address = fc
  .bigInt({ min: 1n, max: 2n ** 160n - 1n })
  .map((value): Hex => `0x${value.toString(16).padStart(40, '0')}`);
const someCase = fc.tuple(address, fc.boolean()).map(([text, upper]): { sent: Hex; meant: Hex } => ({
  sent: upper ? `0x${text.slice(2).toUpperCase()}` : text,
  meant: text,
}));
const builder = fc.option(fc.record({ code: someCase, fee: fc.integer({ min: 0, max: 1_500 }) }));
/** Up to six digits before the point and six behind it, as a JSON number. */
const decimal = (most: number) => fc.integer({ min: 1, max: most * 1_000_000 }).map((millionths) => millionths / 1e6);
const text = (most: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: most })
    .map((value) => value.trim())
    .filter((value) => value !== '' && !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value) && [...value].length <= most);
/** Who referred the trader: known to the chain, or told by a voucher with this signature. */
interface Referral {
  referrer: Hex;
  signature: Hex | null;
}
const signature = fc
  .uint8Array({ minLength: 65, maxLength: 65 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
const referredBy = fc.option(fc.record({ referrer: address, signature: fc.option(signature) }));
const voucherOf = (referral: Referral | null, user: Hex, until: number): VoucherMeaning | null =>
  referral === null || referral.signature === null
    ? null
    : { user, referrer: referral.referrer, deadline: BigInt(until), signature: referral.signature };
const deadline = fc.option(fc.integer({ min: nowSeconds + 1, max: nowSeconds + 86_400 }), { nil: undefined });
const chain = fc.constantFrom(...served);

// ---------------------------------------------------------------- trades

const amountOf = {
  buyAmountUSD: 'usd',
  buyAmountToken: 'token',
  sellAmountToken: 'token',
  sellAmountUSD: 'usd',
} as const;
type AmountField = keyof typeof amountOf;

const trade = fc
  .record({
    on: chain,
    token: address,
    type: fc.constantFrom(...poolTypes),
    /** Of a thousand: how much of the curve is sold; all of it means a pool. */
    sold: fc.integer({ min: 100, max: 1_000 }),
    age: fc.integer({ min: 0, max: 2_000 }),
    field: fc.constantFrom(...(Object.keys(amountOf) as AmountField[])),
    whole: decimal(500),
    asBaseUnits: fc.boolean(),
    trader: someCase,
    builder,
    referral: fc.option(fc.oneof(someCase, fc.constant('self' as const))),
    referrer: referredBy,
    slippageBps: fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined }),
    deadline,
  })
  .map(({ on, token, type, sold, age, field, whole, asBaseUnits, trader, referrer, ...asked }): Request => {
    const { deployment } = on;
    const market = marketOf(on, token, type, sold, field === 'buyAmountUSD' ? age : age + 6);
    const unit = amountOf[field];
    const decimals = decimalsOf(on)[unit];
    // Tokens are cheap: a thousand times as many of them.
    const amount = parseUnits((unit === 'usd' ? whole : whole * 1_000).toFixed(6), decimals);
    const number = unit === 'usd' ? whole : Number((whole * 1_000).toFixed(6));
    const referral = asked.referral === 'self' ? trader : asked.referral;
    const body = {
      tokenId: token,
      chainSlug: on.chain.slug,
      direction: field.startsWith('buy') ? 'buy' : 'sell',
      [field]: unit === 'token' && asBaseUnits ? amount.toString() : number,
      userAddress: trader.sent,
      builder: asked.builder ? { code: asked.builder.code.sent, fee: asked.builder.fee } : undefined,
      token_referral: referral?.sent,
      slippageBps: asked.slippageBps,
      deadline: asked.deadline,
      simulate: false,
    };
    return {
      prepare: async () => {
        const answer = await tradeToken.handle(contextOf(market, referrer), inputOf('tradeToken', body), call);
        const { quote, transactions } = answer;
        const feeBps = buyFeeBps(BigInt(age)) + BigInt(asked.builder?.fee ?? 0);
        const orderLimit = limitOf(field, amount, quote, asked.slippageBps ?? quote.slippageBps, market.curve, feeBps);
        const meaning: TradeMeaning = {
          does: 'trade',
          chainId: deployment.chainId,
          token,
          direction: field.startsWith('buy') ? 'buy' : 'sell',
          exact: { unit, amount },
          limit: orderLimit,
          userAddress: trader.meant,
          builder: asked.builder && { code: asked.builder.code.meant, fee: asked.builder.fee },
          referral: referral == null || referral.meant === trader.meant ? null : referral.meant,
          deadline: asked.deadline ?? quote.deadline,
          voucher: voucherOf(referrer, trader.meant, asked.deadline ?? quote.deadline),
          // Nothing is read of the chain, so every buy brings the approval of what it can cost.
          approval: field === 'buyAmountUSD' ? amount : field === 'buyAmountToken' ? orderLimit : null,
        };
        return { transactions, meaning };
      },
    };
  });

/**
 * The limit that the order's slippage allows, from what the quote says. A buy that ends the curve pays only part of the
 * amount, and its limit speaks for the whole, at the price of all that is left: what comes of A tokens and B dollars is B for
 * A less what is left.
 */
const limitOf = (
  field: AmountField,
  amount: bigint,
  { inputAmountRaw, outputAmountRaw }: { inputAmountRaw: string; outputAmountRaw: string },
  slippageBps: number,
  curve: CurveState | null,
  feeBps: bigint,
): bigint => {
  const [paid, received, slippage] = [BigInt(inputAmountRaw), BigInt(outputAmountRaw), BigInt(slippageBps)];
  const exactIn = field === 'buyAmountUSD' || field === 'sellAmountToken';
  if (exactIn && paid < amount && curve !== null) {
    const net = amount - (amount * feeBps + 9_999n) / 10_000n;
    const ofWhole = ((curve.virtualTokens - curve.tokensLeft) * net) / curve.virtualUsd;
    return (ofWhole * (10_000n - slippage)) / 10_000n;
  }
  if (exactIn) return (received * (10_000n - slippage)) / 10_000n;
  return (paid * (10_000n + slippage) + 9_999n) / 10_000n;
};

const marketOf = (on: ChainContext, token: Hex, poolType: PoolType, sold: number, age: number): Market => {
  const { deployment } = on;
  const decimals = decimalsOf(on);
  const start = curveOf(poolType, decimals);
  const soldTokens = (start.tokensLeft * BigInt(sold)) / 1_000n;
  const curve: CurveState = curveOf(poolType, decimals, {
    tokensLeft: start.tokensLeft - soldTokens,
    reserveUsd: usdForTokensUp(start, soldTokens),
  });
  const usdIs0 = BigInt(deployment.usd) < BigInt(token);
  const terms = { poolType, decimals, curve, floorUsd: 0n, usdIs0 };
  const pool = curve.tokensLeft === 0n ? graduate(terms).pool : null;
  const createdAt = nowSeconds - 10_000;
  return {
    source: 'index',
    token: { tokenId: token, address: token, name: 'T', symbol: 'T', creator: filled('f'), poolType, createdAt },
    poolType,
    block: { number: 1, hash: null, time: createdAt + age },
    usd: usdOf(deployment),
    tokenDecimals: decimals.token,
    curve: pool === null ? curve : null,
    pool,
    floorUsd: 0n,
    treasuryShareUsd: 0n,
    venue: 'uniswap_v4',
  };
};

// ---------------------------------------------------------------- creations

const creation = fc
  .record({
    on: chain,
    creator: address,
    salt: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value): Hex => `0x${value.toString(16).padStart(64, '0')}`),
    name: text(32),
    symbol: text(10),
    uri: fc.webUrl({ withFragments: true, withQueryParameters: true }),
    poolType: fc.constantFrom(...poolTypes),
    buy: fc.constantFrom('none', 'amountIn', 'tokensOut'),
    whole: decimal(40),
    builder,
    referral: fc.option(address),
    referrer: referredBy,
    deadline,
  })
  .map(({ on, creator, salt, name, symbol, uri, poolType, buy, whole, referral, referrer, ...asked }): Request => {
    const { deployment } = on;
    const most = 100_000;
    const fields = {
      none: {},
      amountIn: { amountIn: whole },
      tokensOut: { tokensOut: whole, maxAmountIn: most },
    }[buy];
    return {
      prepare: async () => {
        const { chain } = on;
        const identity = identityOf(on, creator, salt);
        const until = deadlineOf(asked.deadline, { slug: chain.slug, blockTime: null, nowMs });
        const voucher = voucherOf(referrer, creator, until);
        const facts = { served: on, creator, identity, name, symbol, poolType, salt, deadline: until, voucher };
        const earners = {
          builder: asked.builder && { code: asked.builder.code.meant, feeBps: asked.builder.fee },
          referral,
          referrer: referrer?.referrer ?? null,
        };
        const plan = planCreation(facts, initialBuyOf(fields, decimalsOf(on)), { ...earners, executes: false });
        const steps = await creationSteps(plan, uri, null);
        const transactions = itemsOf(on, steps, lastGasLimit(steps, false, null));
        const amount =
          buy === 'tokensOut' ? parseUnits(whole.toFixed(6), 18) : parseUnits(whole.toFixed(6), deployment.usdDecimals);
        // What was quoted, to the wei: nobody trades in between. With `tokensOut` the caller's own bound.
        const trade = plan.buy?.quote.trade;
        const limit =
          buy === 'tokensOut'
            ? parseUnits(String(most), deployment.usdDecimals)
            : trade === undefined
              ? 0n
              : (trade.amountOut * amount) / trade.amountIn;
        const firstBuy: CreationMeaning['buy'] = {
          token: requireHex(identity.address),
          direction: 'buy',
          exact: { unit: buy === 'tokensOut' ? 'token' : 'usd', amount },
          limit,
          userAddress: creator,
          builder: asked.builder && { code: asked.builder.code.meant, fee: asked.builder.fee },
          referral: referral === creator ? null : referral,
          deadline: asked.deadline ?? nowSeconds + 120,
        };
        const meaning: CreationMeaning = {
          does: 'create',
          chainId: deployment.chainId,
          name,
          symbol,
          uri,
          salt,
          poolType: poolTypeBySlug(poolType.slug).id,
          deadline: asked.deadline ?? nowSeconds + 120,
          buy: buy === 'none' ? null : firstBuy,
          voucher: voucherOf(referrer, creator, asked.deadline ?? nowSeconds + 120),
          approval: { none: null, amountIn: amount, tokensOut: limit }[buy],
        };
        return { transactions, meaning };
      },
    };
  });

// ---------------------------------------------------------------- claims and test dollars

const claim = fc
  .record({ on: chain, wallet: address, currencies: fc.uniqueArray(address, { minLength: 1, maxLength: 4 }) })
  .map(({ on, wallet, currencies }): Request => {
    const owed = currencies.map((currency) => ({ address: currency, claimable: 1n, symbol: null }));
    return {
      prepare: async () => ({
        transactions: [await claimItem({ served: on, wallet, currencies: owed, collected: [] })],
        meaning: {
          does: 'claim',
          chainId: on.deployment.chainId,
          to: wallet,
          currencies: currencies.map((currency) => ({ currency, amount: 2n ** 256n - 1n })),
        },
      }),
    };
  });

const mint = fc
  .record({ on: chain, who: someCase, amount: fc.option(decimal(900), { nil: undefined }) })
  .map(({ on, who, amount }): Request => {
    const body = { chainSlug: on.chain.slug, userAddress: who.sent, amount };
    return {
      prepare: async () => {
        const { transaction } = await mintUsd.handle(contextOf(null, null), inputOf('mintUsd', body), call);
        return {
          transactions: [transaction],
          meaning: {
            does: 'mint',
            chainId: on.deployment.chainId,
            to: who.meant,
            amount: parseUnits((amount ?? 100_000).toFixed(6), on.deployment.usdDecimals),
          },
        };
      },
    };
  });

/** A body as the HTTP layer hands it to the handler. */
const inputOf = <Name extends 'tradeToken' | 'mintUsd'>(name: Name, body: object): InputOf<Name> => {
  const found = operations.find((one) => one.name === name);
  return found?.input.parse(JSON.parse(JSON.stringify(body))) as InputOf<Name>;
};

/** Mostly trades. */
export const request: fc.Arbitrary<Request> = fc.oneof(
  { weight: 6, arbitrary: trade },
  { weight: 2, arbitrary: creation },
  { weight: 1, arbitrary: claim },
  { weight: 1, arbitrary: mint },
);
