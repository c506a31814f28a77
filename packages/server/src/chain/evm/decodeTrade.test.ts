import {
  type CurveState,
  curveOf,
  encodeApprove,
  encodeMulticall,
  encodeWithdrawBatch,
  launchpadAbi,
  poolTypes,
  tradeKinds,
  windowSeconds,
} from '@mintage/protocol';
import fc from 'fast-check';
import { pino } from 'pino';
import { decodeFunctionData, erc20Abi, zeroAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { testChain } from '../../../test/api/testing/testApi.ts';
import { prepareTrade, type TradeRequest } from '../../api/trade/prepareTrade.ts';
import type { Market } from '../market.ts';
import { decodeLaunchpadCalls, decodeTradeCall } from './decodeTrade.ts';
import { createEvmClient } from './evmClient.ts';

const runs = Number(process.env.RUNS ?? 1_000);
const nowMs = Date.parse('2030-01-01T00:00:00Z');
const onChain = testChain('base-sepolia', 'http://127.0.0.1:1');
const { chain, deployment } = onChain;
const client = createEvmClient(onChain, { log: pino({ level: 'silent' }), now: () => nowMs, voucherKey: null });

const address = fc
  .bigInt({ min: 1n, max: 2n ** 160n - 1n })
  .map((value) => `0x${value.toString(16).padStart(40, '0')}` as const);

const marketAt = (age: number, sold: bigint, usdDecimals: number, token: `0x${string}`): Market => {
  const [poolType] = poolTypes as [(typeof poolTypes)[number]];
  const decimals = { token: 18, usd: usdDecimals };
  const start = curveOf(poolType, decimals);
  const curve: CurveState = curveOf(poolType, decimals, {
    tokensLeft: start.tokensLeft - sold,
    reserveUsd: (start.virtualUsd * sold) / (start.virtualTokens - sold) + 1n,
  });
  const created = nowMs / 1000 - 10_000;
  return {
    source: 'chain',
    token: { tokenId: '', address: token, name: 'T', symbol: 'T', creator: token, poolType, createdAt: created },
    poolType,
    block: { number: 1, hash: null, time: created + age },
    usd: { address: deployment.usd, symbol: 'USDC', decimals: usdDecimals },
    tokenDecimals: decimals.token,
    curve,
    pool: null,
    floorUsd: 0n,
    treasuryShareUsd: 0n,
    venue: 'uniswap_v4',
  };
};

/** A request that fits its market. */
const request = fc
  .record({
    kind: fc.constantFrom(...tradeKinds),
    share: fc.bigInt({ min: 1n, max: 900n }),
    age: fc.integer({ min: 0, max: 2_000 }),
    token: address,
    trader: address,
    builder: fc.option(fc.record({ code: address, feeBps: fc.integer({ min: 0, max: 1_900 }) })),
    referral: fc.option(address),
    referrer: fc.option(address),
    slippageBps: fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined }),
    deadline: fc.option(fc.integer({ min: nowMs / 1000 + 1, max: nowMs / 1000 + 86_400 }), { nil: undefined }),
    usdAllowance: fc.option(fc.bigInt({ min: 0n, max: 10n ** 12n })),
    usdDecimals: fc.constantFrom(6, 18),
  })
  .map(
    ({
      kind,
      share,
      age,
      token,
      trader,
      builder,
      referral,
      referrer,
      usdDecimals,
      deadline,
      ...rest
    }): TradeRequest => {
      const sold = 300_000_000n * 10n ** 18n;
      const usdUnit = 10n ** BigInt(usdDecimals);
      const amount = kind === 'buyExactIn' || kind === 'sellExactOut' ? share * usdUnit : share * 10n ** 22n;
      return {
        served: { chain, deployment: { ...deployment, usdDecimals }, client },
        market: marketAt(kind === 'buyExactIn' ? age : age + Number(windowSeconds), sold, usdDecimals, token),
        intent: { kind, amount, trader, builder, referral, referrer },
        voucher: null,
        ownLimit: null,
        deadline: deadline ?? nowMs / 1000 + 120,
        nowMs,
        ...rest,
      };
    },
  );

const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);

describe('decodeTradeCall', () => {
  it('W8 decode(prepare(x)) = x, by another decoder, field by field', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const { steps, quote } = await prepareTrade(asked);
        const { intent, market, served } = asked;
        const trade = steps.at(-1)?.call;
        if (trade === undefined) throw new Error('no step');
        const { functionName, args } = decodeFunctionData({ abi: launchpadAbi, data: trade.data });
        const [order] = args as unknown as [Record<string, string | bigint>];
        expect(trade.to).toBe(served.deployment.launchpad);
        expect(functionName).toBe(intent.kind);
        const referral = intent.referral === null || intent.referral === intent.trader ? zeroAddress : intent.referral;
        expect(Object.fromEntries(Object.entries(order).map(([key, value]) => [key, lower(value)]))).toEqual({
          token: market.token?.address,
          amount: intent.amount,
          limit: expect.any(BigInt),
          recipient: intent.trader,
          builder: intent.builder?.code ?? zeroAddress,
          builderBps: BigInt(intent.builder?.feeBps ?? 0),
          referral,
          deadline: BigInt(asked.deadline),
        });
        const { amountIn, amountOut } = quote.trade;
        const limit = order.limit as bigint;
        if (asked.slippageBps !== undefined) {
          const slippage = BigInt(asked.slippageBps);
          if (intent.kind.endsWith('In')) expect(limit * 10_000n <= amountOut * (10_000n - slippage)).toBe(true);
          else expect(limit * 10_000n >= amountIn * (10_000n + slippage)).toBe(true);
        }
        const needed = intent.kind === 'buyExactIn' ? intent.amount : limit;
        if (steps.length === 2) {
          const approve = decodeFunctionData({ abi: erc20Abi, data: (steps[0] as (typeof steps)[0]).call.data });
          expect(approve.functionName).toBe('approve');
          expect([lower(approve.args?.[0]), approve.args?.[1]]).toEqual([served.deployment.launchpad, needed]);
        } else if (intent.kind.startsWith('buy')) expect(asked.usdAllowance).toBeGreaterThanOrEqual(needed);
        expect(decodeTradeCall(trade)).toMatchObject({
          function: functionName,
          args: {
            token: market.token?.address,
            amount: intent.amount.toString(),
            limit: limit.toString(),
            recipient: intent.trader,
            referral,
          },
        });
      }),
      { numRuns: runs },
    );
  });

  it('W8 each changed field is found', async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.integer({ min: 0, max: 7 }), async (asked, field) => {
        const call = (await prepareTrade(asked)).steps.at(-1)?.call;
        if (call === undefined) throw new Error('no step');
        const end = 10 + (field + 1) * 64;
        const digit = call.data.charAt(end - 1) === '7' ? '8' : '7';
        const changed = `${call.data.slice(0, end - 1)}${digit}${call.data.slice(end)}` as `0x${string}`;
        const [was, is] = [decodeTradeCall(call).args, decodeTradeCall({ ...call, data: changed }).args];
        const names = Object.keys(was);
        expect(names.filter((name) => was[name] !== is[name])).toEqual([names[field]]);
      }),
      { numRuns: runs },
    );
  });

  it('error: another call, a wrong length, an address with dirty upper bytes', () => {
    const to = deployment.launchpad;
    expect(() => decodeTradeCall({ to, data: '0xdeadbeef' })).toThrow('unknown call');
    const order = `0xacd224a7${'0'.repeat(8 * 64)}` as const;
    expect(() => decodeTradeCall({ to, data: `${order}00` })).toThrow('length');
    expect(() => decodeTradeCall({ to, data: `0xacd224a7${'1'.repeat(8 * 64)}` })).toThrow('no address');
  });
});

describe('decodeLaunchpadCalls', () => {
  const approval = { to: deployment.usd, data: encodeApprove(deployment.launchpad, 7n) };

  it('W8 error: an approval, alone or among calls of the Launchpad, and any other call', () => {
    const to = deployment.launchpad;
    expect(() => decodeLaunchpadCalls(approval)).toThrow();
    expect(() => decodeLaunchpadCalls({ to, data: encodeMulticall([approval.data]) })).toThrow();
    expect(() => decodeLaunchpadCalls({ to, data: encodeWithdrawBatch([deployment.usd], to, [1n]) })).toThrow(
      'withdrawBatch',
    );
  });
});
