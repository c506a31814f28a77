import { layerZeroEndpointAbi } from '@mintage/protocol';
import { encodeFunctionData, erc20Abi, type Hex, pad } from 'viem';
import { describe, expect, it } from 'vitest';
import { requireDelivery } from './signing.ts';

const bridge = `0x${'b1'.repeat(20)}` as const;
const endpoint = `0x${'e9'.repeat(20)}` as const;
const other = `0x${'0e'.repeat(20)}` as const;

const delivery = (receiver: Hex): Hex =>
  encodeFunctionData({
    abi: layerZeroEndpointAbi,
    functionName: 'lzReceive',
    args: [{ srcEid: 1, sender: pad(bridge), nonce: 1n }, receiver, pad('0x1'), '0x12', '0x'],
  });

describe('requireDelivery', () => {
  const here = { tokenBridge: bridge, endpoint };
  const honest = { to: endpoint, data: delivery(bridge), value: '0' };

  it('default: a message to the bridge, by its endpoint', () => {
    expect(() => requireDelivery(honest, here)).not.toThrow();
  });

  it.each([
    ['to another contract', { data: delivery(other) }, here],
    ['where there is no bridge', {}, { tokenBridge: null, endpoint: null }],
    ['by what is not the bridge’s endpoint', { to: other }, here],
    ['by the bridge itself', { to: bridge }, here],
    ['with coins', { value: '1' }, here],
    ['followed by further bytes', { data: `${delivery(bridge)}00` as Hex }, here],
    ['an approval', { data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [other, 1n] }) }, here],
  ])('error: %s', (_, lie, at) => {
    expect(() => requireDelivery({ ...honest, ...lie }, at)).toThrow(/only deliver/);
  });
});
