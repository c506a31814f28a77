import type { BrowserContext, Page } from 'playwright-core';
import { type Hex, hexToString, numberToHex, type PrivateKeyAccount } from 'viem';

/** A wallet that signs texts, and can go to another of its accounts. */
export interface SigningWallet {
  /** Texts that were signed, in order. */
  signed: string[];
  /** Says no from now on. */
  refuses: boolean;
  /** As a person does it in the wallet itself. */
  goTo(page: Page, account: PrivateKeyAccount): Promise<void>;
}

/** Announces itself in all pages of a context (EIP-6963); signs by keys of this process. */
export const addSigningWallet = async (
  context: BrowserContext,
  first: PrivateKeyAccount,
  chainId: number,
): Promise<SigningWallet> => {
  let account = first;
  const wallet: SigningWallet = {
    signed: [],
    refuses: false,
    async goTo(page, next) {
      account = next;
      await page.evaluate((address) => Reflect.get(globalThis, 'tellAccounts')([address]), next.address);
    },
  };
  const answer = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<object> => {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return { result: [account.address] };
    if (method === 'eth_chainId') return { result: numberToHex(chainId) };
    if (method !== 'personal_sign') return { error: { code: 4200, message: 'Not supported.' } };
    if (wallet.refuses) return { error: { code: 4001, message: 'No.' } };
    const raw = params[0] as Hex;
    wallet.signed.push(hexToString(raw));
    return { result: await account.signMessage({ message: { raw } }) };
  };
  await context.exposeFunction('signingWallet', answer);
  await context.addInitScript(announce);
  return wallet;
};

/** Runs in the page. */
const announce = (): void => {
  const page = globalThis as unknown as EventTarget & {
    signingWallet(asked: object): Promise<{ result?: unknown; error?: { message: string } }>;
  };
  const listeners = new Set<(accounts: readonly string[]) => void>();
  Object.assign(globalThis, {
    tellAccounts: (accounts: readonly string[]) => {
      for (const listener of listeners) listener(accounts);
    },
  });
  const provider = {
    async request(asked: object) {
      const { result, error } = await page.signingWallet(asked);
      if (error !== undefined) throw Object.assign(new Error(error.message), error);
      return result;
    },
    on: (event: string, listener: (accounts: readonly string[]) => void) =>
      event === 'accountsChanged' && listeners.add(listener),
    removeListener: (_: string, listener: (accounts: readonly string[]) => void) => listeners.delete(listener),
  };
  const info = {
    uuid: crypto.randomUUID(),
    name: 'Test wallet',
    rdns: 'test.wallet',
    icon: 'https://elsewhere.invalid/',
  };
  const tell = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
  page.addEventListener('eip6963:requestProvider', tell);
  tell();
};
