import type { BrowserContext, Page } from 'playwright-core';
import { type Hex, hexToString, numberToHex, type PrivateKeyAccount } from 'viem';

/** What a page asked the wallet for. */
export interface Asked {
  method: string;
  params: readonly unknown[];
}

export interface SentTransaction {
  to: Hex;
  data: Hex;
  value?: Hex;
}

export interface SentBatch {
  id: string;
  chainId: Hex;
  atomicRequired: boolean;
  calls: SentTransaction[];
}

export interface TestWallet {
  account: PrivateKeyAccount;
  /** Whether pages see its account without asking: from their first request on. */
  isConnected: boolean;
  /** Everything that was asked, in order. */
  asked: Asked[];
  /** Of what was asked to be sent, in order. */
  sent(): SentTransaction[];
  /** Texts that were to be signed, in order. */
  texts(): string[];
  /** Of the batches that were asked for, in order. */
  batches(): SentBatch[];
  /** By method: refused from now on, as a person would. */
  refuses: Set<string>;
  /** What is no approval waits for this before it is signed. */
  holdTrade: Promise<void>;
  /** The same for an approval. */
  holdApproval: Promise<void>;
  /** Ids of chains that it does not know until it is told of them. */
  unknown: Set<number>;
  /** What it answers where it is to go to such a chain. */
  unknownError: object;
  /** Whether it takes several calls as one (EIP-5792). */
  isAtomic: boolean;
  /** Whether it says what became of a batch; false: it waits for ever. */
  tellsStatus: boolean;
  /** To another of its accounts, as a person does it in the wallet itself. */
  goTo(page: Page, account: PrivateKeyAccount): Promise<void>;
}

/** How a page keeps which wallet was taken. */
export const testWalletName = 'test.wallet';
const approveSelector = '0x095ea7b3';
const failed = (code: number, message: string) => ({ error: { code, message } });

/**
 * A wallet in the pages of a context, which announces itself as any other (EIP-6963), signs by a key of this process without asking
 * anybody, and keeps what it was asked.
 *
 * @param rpcUrls - Of the chains that it knows, by id; it begins on `chainId`.
 */
export const addTestWallet = async (
  context: BrowserContext,
  account: PrivateKeyAccount,
  rpcUrls: ReadonlyMap<number, string>,
  chainId: number,
): Promise<TestWallet> => {
  let at = chainId;
  const batches = new Map<string, string[]>();
  const wallet: TestWallet = {
    account,
    isConnected: false,
    asked: [],
    sent: () =>
      wallet.asked.flatMap(({ method, params }) =>
        method === 'eth_sendTransaction' ? [params[0] as SentTransaction] : [],
      ),
    texts: () =>
      wallet.asked.flatMap(({ method, params }) => (method === 'personal_sign' ? [hexToString(params[0] as Hex)] : [])),
    batches: () =>
      wallet.asked.flatMap(({ method, params }) => (method === 'wallet_sendCalls' ? [params[0] as SentBatch] : [])),
    refuses: new Set(),
    holdTrade: Promise.resolve(),
    holdApproval: Promise.resolve(),
    unknown: new Set(),
    unknownError: { code: 4902, message: 'This chain is not known.' },
    isAtomic: false,
    tellsStatus: true,
    async goTo(page, next) {
      wallet.account = next;
      await page.evaluate((address) => Reflect.get(globalThis, 'goToAccount')(address), next.address);
    },
  };
  const onNode = async (method: string, params: readonly unknown[]): Promise<object> => {
    const answer = await fetch(rpcUrls.get(at) ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await answer.json()) as object;
  };
  const asked = async (method: string, params: readonly unknown[]): Promise<string> => {
    const { result } = (await onNode(method, params)) as { result: string };
    return result;
  };
  const send = async ({ to, data, value = '0x0' }: SentTransaction): Promise<object> => {
    await (data.startsWith(approveSelector) ? wallet.holdApproval : wallet.holdTrade);
    const { account } = wallet;
    const [nonce, gas, gasPrice] = await Promise.all([
      asked('eth_getTransactionCount', [account.address, 'pending']),
      asked('eth_estimateGas', [{ from: account.address, to, data, value }]),
      asked('eth_gasPrice', []),
    ]);
    const signed = await account.signTransaction({
      type: 'eip1559',
      chainId: at,
      nonce: Number(nonce),
      to,
      data,
      value: BigInt(value),
      gas: (BigInt(gas) * 12n) / 10n,
      maxFeePerGas: BigInt(gasPrice) * 2n,
      maxPriorityFeePerGas: 0n,
    });
    return onNode('eth_sendRawTransaction', [signed]);
  };
  /** One after the other: what is shown and what is asked is the same as of a wallet that does it in one transaction. */
  const sendBatch = async ({ id, calls }: SentBatch): Promise<object> => {
    await wallet.holdTrade;
    const hashes: string[] = [];
    batches.set(id, hashes);
    for (const call of calls) {
      const { result } = (await send(call)) as { result: string };
      hashes.push(result);
    }
    return { result: { id } };
  };
  const statusOf = async (id: string): Promise<object> => {
    const about = { version: '2.0.0', id, chainId: numberToHex(at), atomic: true };
    const receipts = await Promise.all(
      (batches.get(id) ?? []).map(
        async (hash) =>
          ((await onNode('eth_getTransactionReceipt', [hash])) as { result: { status: Hex } | null }).result,
      ),
    );
    if (!wallet.tellsStatus || receipts.length === 0 || receipts.includes(null))
      return { result: { ...about, status: 100 } };
    const isDone = receipts.every((receipt) => receipt?.status === '0x1');
    return { result: { ...about, status: isDone ? 200 : 500, receipts } };
  };
  const answer = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<object> => {
    wallet.asked.push({ method, params });
    if (wallet.refuses.has(method)) return failed(4001, 'The person refused.');
    switch (method) {
      case 'eth_requestAccounts':
        wallet.isConnected = true;
        return { result: [wallet.account.address] };
      case 'eth_accounts':
        return { result: wallet.isConnected ? [wallet.account.address] : [] };
      case 'eth_chainId':
        return { result: numberToHex(at) };
      case 'wallet_switchEthereumChain': {
        const wanted = Number((params[0] as { chainId: string }).chainId);
        if (!rpcUrls.has(wanted) || wallet.unknown.has(wanted)) return { error: wallet.unknownError };
        at = wanted;
        return { result: null };
      }
      case 'wallet_addEthereumChain':
        wallet.unknown.delete(Number((params[0] as { chainId: string }).chainId));
        return { result: null };
      case 'personal_sign':
        return { result: await wallet.account.signMessage({ message: { raw: params[0] as Hex } }) };
      case 'eth_sendTransaction':
        return send(params[0] as SentTransaction);
      case 'wallet_getCapabilities':
        return wallet.isAtomic
          ? { result: { [numberToHex(at)]: { atomic: { status: 'supported' } } } }
          : failed(4200, 'Not supported.');
      case 'wallet_sendCalls':
        return wallet.isAtomic ? sendBatch(params[0] as SentBatch) : failed(4200, 'Not supported.');
      case 'wallet_getCallsStatus':
        return statusOf(params[0] as string);
      default:
        return onNode(method, params);
    }
  };
  await context.exposeFunction('testWallet', answer);
  await context.addInitScript(announce, testWalletName);
  return wallet;
};

/** Runs in the page. */
const announce = (rdns: string): void => {
  const listeners = new Map<string, Set<(told: unknown) => void>>();
  const page = globalThis as unknown as EventTarget & {
    testWallet(asked: object): Promise<{ result?: unknown; error?: object }>;
  };
  const tellAll = (event: string, told: unknown): void => {
    for (const listener of listeners.get(event) ?? []) listener(told);
  };
  // As a person does it in the wallet itself.
  Object.assign(globalThis, {
    goToChain: (chainId: number) =>
      provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: `0x${chainId.toString(16)}` }] }),
    goToAccount: (address: string) => tellAll('accountsChanged', [address]),
  });
  const provider = {
    async request(asked: { method: string; params?: { chainId: string }[] }) {
      const { result, error } = await page.testWallet(asked);
      if (error !== undefined) throw Object.assign(new Error((error as Error).message), error);
      if (asked.method === 'wallet_switchEthereumChain') tellAll('chainChanged', asked.params?.[0]?.chainId);
      return result;
    },
    on: (event: string, listener: (told: unknown) => void) =>
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: (told: unknown) => void) => listeners.get(event)?.delete(listener),
  };
  // Its icon is an address of somebody's server, which no page may ask.
  const info = { uuid: crypto.randomUUID(), name: 'Test wallet', rdns, icon: 'https://elsewhere.invalid/' };
  const detail = Object.freeze({ info: Object.freeze(info), provider });
  const tell = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  page.addEventListener('eip6963:requestProvider', tell);
  tell();
};
