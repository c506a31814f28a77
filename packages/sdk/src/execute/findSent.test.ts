import { createWalletClient, custom, type EIP1193RequestFn, publicActions } from 'viem';
import { describe, expect, it } from 'vitest';
import { findSent } from './findSent.ts';
import type { CheckedCall } from './items.ts';
import type { Wallet } from './wallet.ts';

const [wallet, launchpad] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const;
const call = { to: launchpad, data: '0x1234', value: 0n } as unknown as CheckedCall;

/** A wallet with this code that has sent nothing itself, as a provider shows it. */
const walletWith = (code: string): Wallet => {
  const answers: Record<string, string> = { eth_getCode: code, eth_getTransactionCount: '0x0' };
  const request = async ({ method }: { method: string }) => answers[method];
  return createWalletClient({
    account: wallet,
    transport: custom({ request: request as unknown as EIP1193RequestFn }),
  }).extend(publicActions) as unknown as Wallet;
};

describe('findSent', () => {
  it.each([
    ['an account', '0x', null],
    ['a delegated account (EIP-7702)', `0xef0100${'33'.repeat(20)}`, null],
    ['a contract, whose nonce says nothing of what others sent for it', '0x6080', undefined],
  ])('behavior: what %s has not sent', async (_, code, found) => {
    expect(await findSent(walletWith(code), 0, 9n, call, new Set())).toBe(found);
  });
});
