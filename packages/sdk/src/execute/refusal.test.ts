import { TransactionRejectedRpcError, UnknownRpcError, UserRejectedRequestError } from 'viem';
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
    ['a wallet with a code of its own', { code: 1001, message: 'User canceled' }],
    ['Safe', { code: -32000, message: 'Transaction was rejected' }],
    ['WalletConnect 2, of a method', { code: 5002, message: 'User rejected methods.' }],
    ['Frame', { code: 4001, message: 'User declined transaction' }],
    ['MetaMask, in the past', failed('MetaMask Tx Signature: User refused to sign the transaction.')],
    ['a guard before MetaMask', failed('PocketUniverse Tx Signature: User declined to sign the transaction.')],
    ['MetaMask, the other way round', failed('MetaMask Tx Signature: Transaction signature denied by user.')],
    ['Ledger behind MetaMask', { code: -32603, message: 'Ledger: User rejected the transaction' }],
    ['Coinbase Wallet', failed('User denied account authorization')],
    ['Trust Wallet, iOS', { code: -32000, message: 'Cancelled by User' }],
    ['Rainbow', { code: -32603, message: 'User rejected the request.' }],
    ['a wallet of a browser', failed('Request has been cancelled by the user')],
    ['Backpack', failed('Approval Denied')],
    [
      'ethers 6 around WalletConnect',
      failed('could not coalesce error', { code: 'UNKNOWN_ERROR', error: { code: 5000 } }),
    ],
    ['a bare word', 'rejected'],
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
    ['a request that a browser ended', failed('The operation was aborted.', { name: 'AbortError', code: 20 })],
    ['one whose time was over', failed('The operation was aborted due to timeout', { name: 'TimeoutError', code: 23 })],
    ['a request that a phone ended in the background', { code: -32603, message: 'cancelled' }],
    ['the same of a program', failed('Request cancelled')],
    ['a node that declines it (EIP-1474)', { code: -32003, message: 'Transaction rejected' }],
    ['the same inside of viem', new TransactionRejectedRpcError(failed('transaction rejected'))],
    ['a window that was closed', failed('Popup closed')],
    ['a replaced transaction', failed('transaction was replaced', { code: 'TRANSACTION_REPLACED', cancelled: true })],
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
