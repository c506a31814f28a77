import { describe, expect, it } from 'vitest';
import { claimRows, newClaims } from './claims.ts';

describe('claimRows', () => {
  it('makes one transaction of what a wallet has on a chain, by whoever holds its key', () => {
    const own = `0x${'A'.repeat(40)}`;
    const embedded = `0x${'e'.repeat(40)}`;
    const solana = `${'aB'.repeat(21)}7`;
    const claim = (chain: string, currency_address: string, amount: string, usd: string) => ({
      chain,
      currency_address,
      symbol: currency_address === '0xusd' ? 'USDC' : 'KILN',
      claimable_amount: '1',
      claimable_amount_with_decimals: amount,
      claimable_usd: usd,
      decimals: 6,
    });
    const wallets = [
      { address: own, claimable: '3', chains: [claim('base', '0xUSD', '1', '1'), claim('base', '0xk', '7', '0.5')] },
      { address: solana, claimable: '3', chains: [claim('solana', 'UsD', '3', '3')] },
      { address: embedded, claimable: '1', chains: [claim('arbitrum', '0xusd', '2', '2')] },
    ];
    const rows = claimRows(
      { wallets } as unknown as Parameters<typeof claimRows>[0],
      new Set([embedded]),
      new Map([
        ['base', '0xusd'],
        ['arbitrum', '0xusd'],
        ['solana', 'Usd'],
      ]),
    );
    expect(rows.map(({ usd, parts }) => [usd, parts.map(({ isDollar }) => isDollar)])).toEqual([
      ['1.5', [true, false]],
      // Base58 of other letters is another currency, and stays as it is.
      ['3', [false]],
      ['2', [true]],
    ]);
    expect(newClaims('user', rows).steps.map(({ asked, wallet }) => [asked, wallet])).toEqual([
      [{ chains: ['base'], userAddress: own.toLowerCase() }, own.toLowerCase()],
      [{ chains: ['solana'], userAddress: solana }, solana],
      [{ chains: ['arbitrum'] }, null],
    ]);
  });
});
