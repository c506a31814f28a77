import { announceProvider, type EIP1193Provider } from 'mipd';
import { formatEther, type Hex, numberToHex } from 'viem';
import { chainName } from '../chainLooks.ts';
import { endpointOfChain } from '../rpc.ts';
import { account, chooseAccount, firstAccount } from './accounts.ts';
import { ask } from './ask.ts';
import { callWords } from './callWords.ts';

/**
 * A wallet for chains whose money is worth nothing, so that everything can be tried without installing one. It is announced like any
 * other. Its key is made in this browser, and it asks before it signs, as wallets do. It is not in the build of production.
 */
export const announceDemoWallet = (): void => {
  announceProvider({
    info: {
      uuid: crypto.randomUUID(),
      name: 'Demo wallet',
      rdns: 'demo.wallet',
      icon: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#57534e"/><circle cx="16" cy="16" r="8" fill="none" stroke="#fff" stroke-width="3"/></svg>')}`,
    },
    provider: demoProvider(),
  });
};

/** 100 whole coins. */
const gas = numberToHex(100n * 10n ** 18n);

interface Asked {
  method: string;
  params?: readonly unknown[];
}

const sign = [{ words: 'Sign', isMain: true, value: true }] as const;

const accounts = () => [account()?.address].filter((address) => address !== undefined);

const demoProvider = (): EIP1193Provider => {
  const listeners = new Map<string, Set<(value: never) => void>>();
  const emit = (event: string, value: unknown): void => {
    for (const listener of listeners.get(event) ?? []) listener(value as never);
  };
  let chainId: number | null = null;
  const chainNow = async (): Promise<number> => {
    chainId ??= (await endpointOfChain(null))?.chainId ?? 1;
    return chainId;
  };
  const onNode = async ({ method, params = [] }: Asked): Promise<unknown> => {
    const endpoint = await endpointOfChain(await chainNow());
    if (endpoint === null) throw Object.assign(new Error('This chain is not known here.'), { code: 4902 });
    const answer = await fetch(endpoint.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await answer.json()) as {
      result?: unknown;
      error?: { code: number; message: string; data?: unknown };
    };
    if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
    return result;
  };
  /** The chain gives gas to whoever has none: it is a local one. */
  const fund = async (): Promise<void> => {
    const balance = (await onNode({ method: 'eth_getBalance', params: [firstAccount().address, 'latest'] })) as string;
    if (BigInt(balance) < 10n ** 18n)
      await onNode({ method: 'anvil_setBalance', params: [firstAccount().address, gas] });
  };
  /** What a transaction does, as far as this wallet can read it. */
  const wordsOf = async (to: Hex | undefined, data: Hex, value: bigint) => {
    const endpoint = await endpointOfChain(await chainNow());
    const words = data === '0x' ? { sentence: 'Sends coins.', lines: [] } : callWords(data);
    const frame = [
      ['on', chainName(endpoint?.slug ?? '')],
      ['to', to ?? 'a new contract'],
      ['with', `${formatEther(value)} coins`],
    ] as const;
    return words === null
      ? { sentence: 'A call that this wallet cannot read.', lines: frame, text: data }
      : { sentence: words.sentence, lines: [...frame, ...words.lines] };
  };
  const request = async ({ method, params = [] }: Asked): Promise<unknown> => {
    switch (method) {
      case 'eth_accounts':
        return accounts();
      case 'eth_requestAccounts':
        await fund();
        return [firstAccount().address];
      case 'wallet_requestPermissions':
        await chooseAccount();
        await fund();
        emit('accountsChanged', accounts());
        return [{ parentCapability: 'eth_accounts' }];
      case 'eth_chainId':
        return numberToHex(await chainNow());
      case 'wallet_switchEthereumChain': {
        const wanted = Number((params[0] as { chainId: string }).chainId);
        if ((await endpointOfChain(wanted)) === null)
          throw Object.assign(new Error('This chain is not known here.'), { code: 4902 });
        chainId = wanted;
        await fund();
        emit('chainChanged', numberToHex(wanted));
        return null;
      }
      case 'personal_sign': {
        const raw = params[0] as `0x${string}`;
        await ask({ title: 'Sign this text', text: textOf(raw) }, sign);
        return firstAccount().signMessage({ message: { raw } });
      }
      case 'eth_signTypedData_v4': {
        const data = JSON.parse(params[1] as string) as Parameters<ReturnType<typeof firstAccount>['signTypedData']>[0];
        const { primaryType, message } = data;
        await ask({ title: 'Sign this data', sentence: primaryType, text: JSON.stringify(message, null, 1) }, sign);
        return firstAccount().signTypedData(data);
      }
      case 'eth_sendTransaction': {
        await fund();
        const given = params[0] as Record<string, `0x${string}`>;
        const { to, data = '0x', value = '0x0' } = given;
        await ask({ title: 'Send this transaction', ...(await wordsOf(to, data, BigInt(value))) }, sign);
        const from = firstAccount().address;
        const [nonce, gasPrice, limit] = (await Promise.all([
          onNode({ method: 'eth_getTransactionCount', params: [from, 'pending'] }),
          onNode({ method: 'eth_gasPrice' }),
          given.gas ?? onNode({ method: 'eth_estimateGas', params: [{ from, to, data, value }] }),
        ])) as [string, string, string];
        const raw = await firstAccount().signTransaction({
          chainId: await chainNow(),
          type: 'eip1559',
          nonce: Number(nonce),
          to,
          data,
          value: BigInt(value),
          gas: (BigInt(limit) * 12n) / 10n,
          maxFeePerGas: BigInt(gasPrice) * 2n,
          maxPriorityFeePerGas: 1n,
        });
        return onNode({ method: 'eth_sendRawTransaction', params: [raw] });
      }
      default:
        return onNode({ method, params });
    }
  };
  return {
    request,
    on: (event: string, listener: (value: never) => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    removeListener: (event: string, listener: (value: never) => void) => {
      listeners.get(event)?.delete(listener);
    },
  } as unknown as EIP1193Provider;
};

const textOf = (raw: `0x${string}`): string =>
  new TextDecoder().decode(Uint8Array.from(raw.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
