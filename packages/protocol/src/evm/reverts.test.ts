import { type Abi, encodeErrorResult, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../schemas/errors.ts';
import * as abis from './generated/abi.ts';
import { decodeRevert } from './reverts.ts';

const units = { usd: { symbol: 'USDC', decimals: 6 }, token: { symbol: 'DEMO', decimals: 18 } };
const token = 10n ** 18n;
const { launchpadAbi } = abis;

const sampleArgs = (inputs: readonly { type: string }[]): unknown[] =>
  inputs.map(({ type }) => {
    if (type === 'address') return `0x${'ab'.repeat(20)}`;
    if (type === 'bytes') return '0x';
    if (type.startsWith('bytes')) return `0x${'12'.repeat(Number(type.slice(5)))}`;
    if (type === 'bool') return true;
    return Number(type.replace(/\D/g, '')) > 48 ? 7n : 7;
  });

describe('decodeRevert', () => {
  test('default: amounts in their own units, by the side of the order', () => {
    const tooLittle = encodeErrorResult({
      abi: launchpadAbi,
      errorName: 'TooLittleReceived',
      args: [3n * token, 4n * token],
    });
    expect(decodeRevert(tooLittle, { ...units, kind: 'buyExactIn' })).toMatchObject({
      code: 'SLIPPAGE_EXCEEDED',
      message: 'The trade would give 3 DEMO, less than the limit of 4 DEMO.',
      details: { error: 'TooLittleReceived', args: ['3000000000000000000', '4000000000000000000'] },
    });
    const tooMuch = encodeErrorResult({ abi: launchpadAbi, errorName: 'TooMuchPaid', args: [2_500_000n, 2_000_000n] });
    expect(decodeRevert(tooMuch, { ...units, kind: 'buyExactOut' }).message).toBe(
      'The trade would cost 2.5 USDC, more than the limit of 2 USDC.',
    );
    const partial = encodeErrorResult({ abi: launchpadAbi, errorName: 'PartialFill', args: [2_500_000n, 2_000_000n] });
    expect(decodeRevert(partial, { ...units, kind: 'sellExactOut' }).message).toBe(
      'The pool can fill 2 USDC of 2.5 USDC.',
    );
    expect(decodeRevert(partial).message).toBe('The pool can fill 2000000 base units of 2500000 base units.');
  });

  test('behavior: a name or symbol that the contract does not take', () => {
    const unusable = (given: bigint, most: bigint) =>
      decodeRevert(encodeErrorResult({ abi: launchpadAbi, errorName: 'UnusableText', args: [given, most] }));
    expect(unusable(0n, 64n)).toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: 'A token needs a name and a symbol.',
    });
    expect(unusable(129n, 128n).message).toBe(
      'The token’s name or symbol takes 129 bytes in UTF-8; the contract takes 128.',
    );
  });

  test.each(Object.entries(abis))('behavior: every error of %s has a code and a sentence', (_, abi) => {
    for (const item of abi) {
      if (item.type !== 'error') continue;
      const data = encodeErrorResult({ abi: [item] as Abi, errorName: item.name, args: sampleArgs(item.inputs) });
      for (const kind of ['buyExactIn', 'buyExactOut', 'sellExactIn', 'sellExactOut', undefined] as const) {
        const error = decodeRevert(data, { ...units, kind });
        expect(errorCatalogue[error.code], item.name).toBeDefined();
        expect(error.message, item.name).toMatch(/^[A-Z0-9].*\.$/);
        expect(error.message, item.name).not.toMatch(/unknown reason|undefined|NaN|object/);
      }
    }
  });

  test('behavior: texts, panics and errors of foreign dollar tokens', () => {
    const text = encodeErrorResult({
      abi: parseAbi(['error Error(string)']),
      errorName: 'Error',
      args: ['Pausable: paused'],
    });
    expect(decodeRevert(text)).toMatchObject({
      code: 'TRANSACTION_FAILED',
      message: 'The contract refused the transaction: Pausable: paused.',
    });
    const panic = encodeErrorResult({ abi: parseAbi(['error Panic(uint256)']), errorName: 'Panic', args: [17n] });
    expect(decodeRevert(panic).message).toBe('The contract stopped at an arithmetic or access fault (panic 17).');
    const foreign = parseAbi(['error ERC20InsufficientBalance(address, uint256, uint256)']);
    const args = [`0x${'ab'.repeat(20)}`, 5n, 6n] as const;
    expect(
      decodeRevert(encodeErrorResult({ abi: foreign, errorName: 'ERC20InsufficientBalance', args })),
    ).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
  });

  test('behavior: an error that the PoolManager wrapped is told as itself', () => {
    const inner = encodeErrorResult({ abi: launchpadAbi, errorName: 'PartialFill', args: [2n, 1n] });
    const args = [`0x${'ab'.repeat(20)}`, '0x12345678', inner, '0x'] as const;
    const wrapped = encodeErrorResult({ abi: launchpadAbi, errorName: 'WrappedError', args });
    expect(decodeRevert(wrapped)).toMatchObject({ code: 'PARTIAL_FILL' });
  });

  test('behavior: no data, foreign data and cut data are said to be so', () => {
    expect(decodeRevert('0x').message).toBe(
      'The transaction failed without a reason: too little gas, or no contract there.',
    );
    for (const data of ['0x12345678', '0x12', '0xffffffff00'] as const)
      expect(decodeRevert(data)).toMatchObject({ code: 'TRANSACTION_FAILED', details: { data } });
  });
});
