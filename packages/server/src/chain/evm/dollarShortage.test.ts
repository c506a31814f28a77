import { decodeRevert, launchpadAbi } from '@mintage/protocol';
import { encodeErrorResult, type Hex, pad, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Rpc } from '../rpc.ts';
import { type RpcCall, RpcError } from '../wire.ts';
import { explainShortage } from './dollarShortage.ts';

const wallet = `0x${'a1'.repeat(20)}` as const;
const launchpad = `0x${'1a'.repeat(20)}` as const;
const deployment = { launchpad, usd: `0x${'05'.repeat(20)}`, usdSymbol: 'USDC', usdDecimals: 6 } as const;
const failure = decodeRevert(
  encodeErrorResult({
    abi: [{ type: 'error', name: 'TransferFromFailed', inputs: [] }],
    errorName: 'TransferFromFailed',
  }),
);
const word = (amount: bigint): Hex => pad(toHex(amount), { size: 32 });

/** A provider that answers these one after the other. */
const explained = (answers: readonly unknown[], to: string = launchpad, error: unknown = failure) => {
  const left = [...answers];
  const request = async ({ parse = (said) => said }: RpcCall) => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return parse(answer);
  };
  return explainShortage({ rpc: { request } as Pick<Rpc, 'request'>, deployment }, error, {
    wallet,
    to,
    blockNumber: 7,
  });
};

/** What it says on a chain is compared in `test/api/execution.test.ts`. */
describe('explainShortage', () => {
  it('default: the lesser of approval and balance was too low', async () => {
    expect(await explained([word(4_500_000n), word(5_000_000n)])).toMatchObject({
      code: 'INSUFFICIENT_ALLOWANCE',
      details: { error: 'TransferFromFailed', spender: launchpad, token: deployment.usd, allowanceRaw: '4500000' },
    });
    for (const allowance of [5_000_000n, 6_000_000n])
      expect(await explained([word(allowance), word(5_000_000n)])).toMatchObject({
        code: 'INSUFFICIENT_BALANCE',
        message: 'The wallet holds 5 USDC, less than the transaction takes.',
      });
  });

  it('behavior: what the provider refuses to say leaves the error as it was', async () => {
    const refusal = new RpcError('eth_call', -32000, 'header not found');
    for (const answers of [
      [refusal, word(1n)],
      [word(1n), refusal],
      ['0x', word(1n)],
    ])
      expect(await explained(answers)).toBe(failure);
  });

  it('behavior: other errors, and those of other contracts, are not explained', async () => {
    const other = decodeRevert(encodeErrorResult({ abi: launchpadAbi, errorName: 'ZeroAmount' }));
    expect(await explained([], launchpad, other)).toBe(other);
    expect(await explained([], deployment.usd)).toBe(failure);
    const unknown = new Error('of the wire');
    expect(await explained([], launchpad, unknown)).toBe(unknown);
  });

  it('error: no provider answers', async () => {
    await expect(explained([new Error('down'), word(1n)])).rejects.toThrow('down');
  });
});
