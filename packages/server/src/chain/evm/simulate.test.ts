import { launchpadAbi } from '@mintage/protocol';
import { encodeErrorResult } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Node, Question, Rpc } from '../rpc.ts';
import { type RpcCall, RpcError } from '../wire.ts';
import { simulate } from './simulate.ts';

const alice = `0x${'a1'.repeat(20)}` as const;
const bob = `0x${'b0'.repeat(20)}` as const;
const token = `0x${'70'.repeat(20)}` as const;
const deployment = {
  launchpad: `0x${'1a'.repeat(20)}`,
  usd: `0x${'05'.repeat(20)}`,
  usdSymbol: 'USDC',
  usdDecimals: 6,
} as const;
const units = { usd: { symbol: 'USDC', decimals: 6 }, token: { symbol: 'T', decimals: 18 } };
const calls = [
  { to: token, data: '0x01' },
  { to: token, data: '0x02' },
] as const;

/** A provider that answers one thing and keeps what it was asked. */
const provider = (answer: unknown) => {
  const asked: unknown[] = [];
  const request = async ({ method, params, parse = (said) => said }: RpcCall): Promise<unknown> => {
    asked.push({ method, params });
    if (answer instanceof Error) throw answer;
    return parse(answer);
  };
  const agreed = async (question: Question<unknown>) => {
    const said = await question({ request } as Node);
    return { answer: said, answers: [said], isAlone: false };
  };
  return { asked, rpc: { agreed } as unknown as Rpc };
};

const word = (value: string): `0x${string}` => `0x${value.replace(/^0x/, '').padStart(64, '0')}`;
const transfer = (from: string, to: string, amount: bigint) => ({
  address: token,
  topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', word(from), word(to)],
  data: word(amount.toString(16)),
});
const succeeded = { status: '0x1', gasUsed: '0x64', returnData: '0x', logs: [transfer(alice, bob, 5n)] };

describe('simulate', () => {
  it('default: the outcome of the last call, on top of the named block', async () => {
    const { asked, rpc } = provider([{ calls: [{ ...succeeded, gasUsed: '0x1' }, succeeded] }]);
    const outcome = await simulate({ rpc, deployment }, alice, calls, { blockNumber: 255, units });
    expect(outcome).toEqual({
      ok: true,
      gasUsed: 100n,
      transfers: [{ asset: token, from: alice, to: bob, amount: 5n }],
    });
    expect(asked).toMatchObject([
      {
        method: 'eth_simulateV1',
        params: [{ blockStateCalls: [{ calls: [{ from: alice, data: '0x01' }, { data: '0x02' }] }] }, '0xff'],
      },
    ]);
  });

  it('behavior: a collectible that moves is no amount', async () => {
    const moved = transfer(alice, bob, 5n);
    const logs = [
      { ...moved, topics: [...moved.topics, word('7')], data: '0x' },
      { ...moved, data: '0x' },
    ];
    const { rpc } = provider([{ calls: [{ ...succeeded, logs }] }]);
    expect(await simulate({ rpc, deployment }, alice, [calls[0]], { blockNumber: 255, units })).toEqual({
      ok: true,
      gasUsed: 100n,
      transfers: [],
    });
  });

  it('behavior: an earlier failure is the outcome, decoded from either place', async () => {
    const data = encodeErrorResult({ abi: launchpadAbi, errorName: 'ZeroAmount' });
    for (const failed of [
      { status: '0x0', gasUsed: '0x7', returnData: data, logs: [] },
      { status: '0x0', gasUsed: '0x7', returnData: '0x', logs: [], error: { code: 3, message: 'reverted', data } },
    ]) {
      const { rpc } = provider([{ calls: [failed, succeeded] }]);
      expect(await simulate({ rpc, deployment }, alice, calls, { blockNumber: 1, units })).toMatchObject({
        ok: false,
        gasUsed: 7n,
        error: { code: 'AMOUNT_TOO_SMALL' },
      });
    }
  });

  it('behavior: a provider without the method', async () => {
    const { rpc } = provider(new RpcError('eth_simulateV1', -32601, 'Method not found'));
    expect(await simulate({ rpc, deployment }, alice, calls, { blockNumber: 1, units })).toEqual({ ok: null });
  });

  it('error: a provider that refuses or answers nothing', async () => {
    for (const answer of [new RpcError('eth_simulateV1', -32000, 'header not found'), [{ calls: [] }]])
      await expect(
        simulate({ rpc: provider(answer).rpc, deployment }, alice, calls, { blockNumber: 1, units }),
      ).rejects.toMatchObject({
        code: 'NETWORK_ERROR',
      });
  });
});
