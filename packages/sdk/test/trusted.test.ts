import { definitions } from '@mintage/protocol/operations';
import { describe, expect, it } from 'vitest';
import { createReader, readTrusted } from '../src/sdk.ts';
import { errorOf } from './errorOf.ts';

const address = (digit: string): string => `0x${digit.repeat(40)}`;
const chain = {
  slug: 'base-sepolia',
  name: 'Base Sepolia',
  chainId: 84_532,
  eid: 40_245,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  explorerUrl: null,
  type: 'evm',
  testnet: true,
  blockTimeMs: 2_000,
  local: false,
  note: null,
  dollarToken: { address: address('A'), symbol: 'USDC', decimals: 6, mintable: true },
  venue: 'uniswap_v4',
  canCreate: true,
  contracts: {
    launchpad: address('B'),
    poolHook: address('B'),
    tokenFactory: address('c'),
    poolManager: address('d'),
    poolFactory: null,
    lens: address('e'),
    tokenImplementation: address('f'),
    tokenBridge: null,
  },
  status: 'live',
  head: 9,
  indexed: 9,
  lagMs: 0,
  blocksPerSecond: null,
  historyFrom: null,
} as const;

const readFrom = (answer: unknown) =>
  readTrusted(createReader({ baseUrl: 'http://service.example', fetch: async () => Response.json(answer) }));

describe('readTrusted', () => {
  it('default: addresses in lower case, of the chains that this client knows', async () => {
    expect(definitions.chains.output.parse({ chains: [chain] })).toEqual({ chains: [chain] });
    const newer = { slug: 'a-chain-of-tomorrow', type: 'evm' };
    expect(await readFrom({ chains: [chain, newer, { ...newer, type: 'move' }] })).toEqual({
      'base-sepolia': {
        slug: 'base-sepolia',
        chainId: 84_532,
        eid: 40_245,
        launchpad: address('b'),
        tokenBridge: null,
        tokenFactory: address('c'),
        tokenImplementation: address('f'),
        lens: address('e'),
        usd: address('a'),
        usdDecimals: 6,
        venue: 'uniswap_v4',
      },
    });
  });

  it('error: any other form of an answer, at any depth', async () => {
    const lies = [undefined, null, 7, 'x', [], {}, [null], '0x12', `${address('1')}0`];
    const forms: unknown[] = [...lies.map((chains) => ({ chains })), { chains: [null] }];
    const { contracts, dollarToken } = chain;
    for (const lie of lies) {
      for (const name of ['contracts', 'dollarToken', 'venue'])
        if (!(name === 'venue' && lie === null)) forms.push({ chains: [{ ...chain, [name]: lie }] });
      for (const name of ['launchpad', 'tokenFactory', 'tokenImplementation', 'lens'])
        forms.push({ chains: [{ ...chain, contracts: { ...contracts, [name]: lie } }] });
      if (lie !== null) forms.push({ chains: [{ ...chain, contracts: { ...contracts, tokenBridge: lie } }] });
      forms.push({ chains: [{ ...chain, dollarToken: { ...dollarToken, address: lie } }] });
      if (lie !== 7) forms.push({ chains: [{ ...chain, dollarToken: { ...dollarToken, decimals: lie } }] });
    }
    for (const decimals of [-1, 6.5, 37, '6'])
      forms.push({ chains: [{ ...chain, dollarToken: { ...dollarToken, decimals } }] });
    const none = forms.filter((form) => JSON.stringify(form) !== '{"chains":[]}');
    for (const form of none)
      expect(await errorOf(readFrom(form)), JSON.stringify(form)).toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });
});
