import { UnknownRpcError, UserRejectedRequestError } from 'viem';
import { describe, expect, it } from 'vitest';
import { isRefusal } from './refusal.ts';

const failed = (message: string, fields: object = {}): Error => Object.assign(new Error(message), fields);

describe('isRefusal', () => {
  it.each<[who: string, error: unknown]>([
    [
      'EIP-1193: MetaMask, Rabby, Coinbase Wallet',
      { code: 4001, message: 'MetaMask Tx Signature: User denied transaction signature.' },
    ],
    ['a code as text', { code: '4001', message: 'Cancelled' }],
    ['WalletConnect 2', { code: 5000, message: 'User rejected.' }],
    ['viem', new UserRejectedRequestError(new Error('User rejected the request.'))],
    ['ethers 5', failed('user rejected transaction', { code: 'ACTION_REJECTED', action: 'sendTransaction' })],
    [
      'ethers 6',
      failed(
        'user rejected action (action="sendTransaction", reason="rejected", code=ACTION_REJECTED, version=6.13.0)',
        {
          code: 'ACTION_REJECTED',
          info: { error: { code: 4001, message: 'User rejected the request.' } },
        },
      ),
    ],
    ['MetaMask behind WalletConnect 1', { code: -32603, message: 'User denied transaction signature.' }],
    [
      'MetaMask Mobile',
      {
        code: -32603,
        message: 'Internal JSON-RPC error.',
        data: { originalError: { code: 4001, message: 'User rejected.' } },
      },
    ],
    ['Trust Wallet', { code: -32000, message: 'rejected' }],
    ['WalletConnect 1', { code: -32000, message: 'User rejected the transaction' }],
    ['imToken', { code: 1001, message: 'User canceled' }],
    ['Safe', { code: -32000, message: 'Transaction was rejected' }],
    ['a bare text', 'User rejected the request'],
    ['a bare text inside of viem', new UnknownRpcError('Cancelled by user' as unknown as Error)],
    [
      'Ledger',
      failed('Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)', { statusCode: 0x6985 }),
    ],
    ['Ledger behind another wallet', { code: -32603, message: 'Ledger device: UNKNOWN_ERROR (0x6985)' }],
    ['Trezor', failed('Action cancelled by user', { code: 'Failure_ActionCancelled' })],
    ['Phantom', { code: 4001, message: 'User rejected the request.' }],
    ['Solflare', failed('Transaction cancelled')],
    ['a wallet adapter', failed('WalletSignTransactionError: User rejected the request.')],
    [
      'MetaMask, deep inside',
      failed('Transaction failed', { cause: { error: { data: { originalError: { code: 4001 } } } } }),
    ],
  ])('default: %s', (_, error) => {
    expect(isRefusal(error)).toBe(true);
  });

  it.each<[what: string, error: unknown]>([
    ['no answer', failed('The request took too long to respond.')],
    ['a node that takes no more', { code: -32000, message: 'replacement transaction underpriced' }],
    ['a node that knows it already', { code: -32000, message: 'already known' }],
    ['a wallet that broke', { code: -32603, message: 'Internal JSON-RPC error.' }],
    ['a closed connection', { code: 4900, message: 'Disconnected' }],
    ['a sentence that says more', failed('User rejected the request after the transaction had been sent')],
    ['another one', failed('The transaction was sent, and the user cancelled the wait')],
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['a number', 4001],
  ])('behavior: %s is not certain', (_, error) => {
    expect(isRefusal(error)).toBe(false);
  });

  it('behavior: an error that is its own cause ends', () => {
    const error: Error & { cause?: unknown } = failed('round and round');
    error.cause = error;
    expect(isRefusal(error)).toBe(false);
  });
});
