import { createWalletClient, type Hex, http, type LocalAccount } from 'viem';
import { sendTransaction } from 'viem/actions';

/** What a page asks a wallet (EIP-1193). */
interface Asked {
  method: string;
  params?: readonly unknown[];
}

/** A wallet as a browser gives it to a page: it keeps the key, signs and sends on one chain, and asks its user before. */
export const injectedWallet = (rpcUrl: string, account: LocalAccount, agrees: (method: string) => boolean) => {
  const own = createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 50 });
  const request = async ({ method, params = [] }: Asked): Promise<unknown> => {
    if (method === 'eth_accounts') return [account.address];
    const asksUser = ['eth_requestAccounts', 'personal_sign', 'eth_sendTransaction'].includes(method);
    if (asksUser && !agrees(method)) throw Object.assign(new Error('The user said no.'), { code: 4001 });
    if (method === 'eth_requestAccounts') return [account.address];
    if (method === 'personal_sign') return account.signMessage({ message: { raw: params[0] as Hex } });
    if (method === 'eth_sendTransaction') {
      const [{ to, data, value = '0x0' }] = params as [{ to: Hex; data?: Hex; value?: Hex }];
      return sendTransaction(own, { chain: null, to, data, value: BigInt(value) });
    }
    // Reads: the chain knows them, or refuses a method that this wallet does not have.
    return own.request({ method, params } as never);
  };
  return { request };
};
