import { layerZeroEndpointAbi } from '@mintage/protocol';
import { encodeFunctionData, erc20Abi, type Hex, pad } from 'viem';
import { describe, expect, it } from 'vitest';
import { requireDelivery } from './signing.ts';

const bridge = `0x${'b1'.repeat(20)}` as const;
const other = `0x${'0e'.repeat(20)}` as const;

const delivery = (receiver: Hex): Hex =>
  encodeFunctionData({
    abi: layerZeroEndpointAbi,
    functionName: 'lzReceive',
    args: [{ srcEid: 1, sender: pad(bridge), nonce: 1n }, receiver, pad('0x1'), '0x12', '0x'],
  });

describe('requireDelivery', () => {
  it('default: a message to the bridge', () => {
    expect(() => requireDelivery({ data: delivery(bridge), value: '0' }, bridge)).not.toThrow();
  });

  it.each([
    ['to another contract', delivery(other), '0', bridge],
    ['where there is no bridge', delivery(bridge), '0', null],
    ['with coins', delivery(bridge), '1', bridge],
    ['followed by further bytes', `${delivery(bridge)}00` as Hex, '0', bridge],
    ['an approval', encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [other, 1n] }), '0', bridge],
  ])('error: %s', (_, data, value, at) => {
    expect(() => requireDelivery({ data, value }, at)).toThrow(/only deliver/);
  });
});
