import { rpcRequest } from '@mintage/devnet/rpc';
import {
  createWalletClient,
  custom,
  type EIP1193RequestFn,
  type Hex,
  http,
  type LocalAccount,
  numberToHex,
} from 'viem';
import { sendTransaction } from 'viem/actions';

/** What a wallet of a browser is asked. */
interface Asked {
  method: string;
  params?: readonly unknown[] | undefined;
}

/**
 * A wallet as a page has it: asked over EIP-1193, it keeps the key, and executes several calls as one (EIP-5792) by putting
 * them into one block. `refuses` is what its user does not sign, and
 * `capabilities` what it answers where it is asked for them.
 */
export const batchingWallet = (
  rpcUrl: string,
  account: LocalAccount,
  refuses: (method: string) => boolean = () => false,
  capabilities: (chainId: Hex) => unknown = (chainId) => ({ [chainId]: { atomic: { status: 'supported' } } }),
) => {
  const own = createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 50 });
  const asked: string[] = [];
  const batches = new Map<string, Hex[]>();

  const sendAll = async (id: string, calls: readonly { to: Hex; data?: Hex; value?: Hex }[]): Promise<void> => {
    await rpcRequest(rpcUrl, 'evm_setAutomine', [false]);
    try {
      const hashes: Hex[] = [];
      for (const { to, data, value } of calls) {
        // The calls before are not mined yet, so there is nothing to estimate by.
        hashes.push(await sendTransaction(own, { chain: null, to, data, value: BigInt(value ?? 0), gas: 1_000_000n }));
      }
      batches.set(id, hashes);
      await rpcRequest(rpcUrl, 'evm_mine', []);
    } finally {
      await rpcRequest(rpcUrl, 'evm_setAutomine', [true]);
    }
  };

  const request = async ({ method, params = [] }: Asked): Promise<unknown> => {
    asked.push(method);
    if (refuses(method)) throw Object.assign(new Error('The user said no.'), { code: 4001 });
    const chainId = numberToHex(await own.getChainId());
    if (method === 'eth_accounts') return [account.address];
    if (method === 'eth_sendTransaction') {
      const [{ to, data, value, gas }] = params as [{ to: Hex; data?: Hex; value?: Hex; gas?: Hex }];
      const limit = gas === undefined ? {} : { gas: BigInt(gas) };
      return sendTransaction(own, { chain: null, to, data, value: BigInt(value ?? 0), ...limit });
    }
    if (method === 'wallet_getCapabilities') return capabilities(chainId);
    if (method === 'wallet_sendCalls') {
      const [{ id, calls }] = params as [{ id: string; calls: { to: Hex; data?: Hex; value?: Hex }[] }];
      await sendAll(id, calls);
      return { id };
    }
    if (method === 'wallet_getCallsStatus') {
      const [id] = params as [string];
      const receipts = await Promise.all(
        (batches.get(id) ?? []).map(
          (hash) => rpcRequest(rpcUrl, 'eth_getTransactionReceipt', [hash]) as Promise<{ status: Hex } | null>,
        ),
      );
      const isGood = receipts.every((receipt) => receipt?.status === '0x1');
      return { version: '2.0.0', id, chainId, atomic: true, status: isGood ? 200 : 500, receipts };
    }
    return rpcRequest(rpcUrl, method, params);
  };
  const client = createWalletClient({
    account: account.address,
    transport: custom({ request: request as EIP1193RequestFn }),
    pollingInterval: 50,
  });
  return { client, asked };
};
