import { announceProvider, type EIP1193Provider } from 'mipd';
import { keccak256, numberToHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { endpointOfChain } from './rpc.ts';
import { store, stored } from './storage.ts';

/**
 * A wallet for chains whose money is worth nothing, so that everything can be tried without installing one. It is announced like any
 * other. Its key is made in this browser, and it asks before it signs, as wallets do. It is not in the build of production.
 */
export const announceDemoWallet = (): void => {
  announceProvider({
    info: {
      uuid: crypto.randomUUID(),
      name: 'Demo wallet',
      rdns: 'mintage.demo',
      icon: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#9a6428"/><circle cx="16" cy="16" r="8" fill="none" stroke="#fff" stroke-width="3"/></svg>')}`,
    },
    provider: demoProvider(),
  });
};

const key = 'demo wallet';
/** 100 whole coins. */
const gas = numberToHex(100n * 10n ** 18n);

interface Asked {
  method: string;
  params?: readonly unknown[];
}

const refused = (): Error => Object.assign(new Error('You refused it.'), { code: 4001 });

const demoProvider = (): EIP1193Provider => {
  const listeners = new Map<string, Set<(value: never) => void>>();
  const emit = (event: string, value: unknown): void => {
    for (const listener of listeners.get(event) ?? []) listener(value as never);
  };
  let secret = stored<`0x${string}`>(key);
  let chainId: number | null = null;
  const account = () => {
    if (secret === null) {
      secret = generatePrivateKey();
      store(key, secret);
    }
    return privateKeyToAccount(secret);
  };
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
    const balance = (await onNode({ method: 'eth_getBalance', params: [account().address, 'latest'] })) as string;
    if (BigInt(balance) < 10n ** 18n) await onNode({ method: 'anvil_setBalance', params: [account().address, gas] });
  };
  const request = async ({ method, params = [] }: Asked): Promise<unknown> => {
    switch (method) {
      case 'eth_accounts':
        return secret === null ? [] : [account().address];
      case 'eth_requestAccounts':
        await fund();
        return [account().address];
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
        await ask('Sign this text', textOf(raw));
        return account().signMessage({ message: { raw } });
      }
      case 'eth_signTypedData_v4': {
        const data = JSON.parse(params[1] as string) as Parameters<ReturnType<typeof account>['signTypedData']>[0];
        await ask('Sign this data', JSON.stringify(data.message, null, 1));
        return account().signTypedData(data);
      }
      case 'eth_sendTransaction': {
        await fund();
        const given = params[0] as Record<string, `0x${string}`>;
        const { to, data = '0x', value = '0x0' } = given;
        await ask(
          'Send this transaction',
          `To ${to}\nValue ${BigInt(value)} wei\nData ${data.length / 2 - 1} bytes, ${data.slice(0, 10)}\nHash of the data ${keccak256(data).slice(0, 18)}…`,
        );
        const from = account().address;
        const [nonce, gasPrice, limit] = (await Promise.all([
          onNode({ method: 'eth_getTransactionCount', params: [from, 'pending'] }),
          onNode({ method: 'eth_gasPrice' }),
          given.gas ?? onNode({ method: 'eth_estimateGas', params: [{ from, to, data, value }] }),
        ])) as [string, string, string];
        const raw = await account().signTransaction({
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

/** Asks the person, in a dialog that is the wallet's own. @throws 4001 when it is refused. */
const ask = (title: string, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'dialog demo-wallet';
    dialog.setAttribute('aria-label', `Demo wallet: ${title}`);
    const inside = document.createElement('div');
    inside.className = 'dialog-in';
    const heading = document.createElement('h2');
    heading.textContent = `Demo wallet: ${title}`;
    const body = document.createElement('pre');
    body.textContent = text;
    body.tabIndex = 0;
    const row = document.createElement('div');
    row.className = 'row';
    const button = (words: string, kind: string, then: () => void): HTMLButtonElement => {
      const made = document.createElement('button');
      made.className = 'btn';
      made.dataset.kind = kind;
      made.type = 'button';
      made.textContent = words;
      made.addEventListener('click', () => {
        dialog.remove();
        then();
      });
      return made;
    };
    row.append(
      button('Sign', 'ink', resolve),
      button('Refuse', 'quiet', () => reject(refused())),
    );
    inside.append(heading, body, row);
    dialog.append(inside);
    dialog.addEventListener('cancel', () => {
      dialog.remove();
      reject(refused());
    });
    document.body.append(dialog);
    dialog.showModal();
  });
