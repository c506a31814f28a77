import { generateKeyPairSync, sign } from 'node:crypto';
import { type Base58, toBase58 } from '@mintage/protocol';
import type { BrowserContext } from 'playwright-core';
import type { OnSolana } from './onSolana.ts';

export interface TestSolanaWallet {
  address: Base58;
  /** Whether pages see its account without asking: from their first connection on. */
  isConnected: boolean;
  /** What it was asked for, in order: names of features, and of a connection whether it was asked silently. */
  asked: string[];
  /** Texts that were to be signed, in order. */
  texts: string[];
  /** Transactions that were to be sent, in order, without signatures. */
  transactions: Uint8Array[];
  /** By feature: refused from now on, as a person would. */
  refuses: Set<string>;
  /** A transaction waits for this before it is signed. */
  holdTransaction: Promise<void>;
  /** The 64 bytes over a text. */
  signText(text: string): Promise<Uint8Array>;
}

export const testSolanaWalletName = 'Test wallet of Solana';

interface Question {
  feature: string;
  isSilent?: boolean;
  chain?: string;
  bytes?: number[];
}

/**
 * A wallet in the pages of a context, which announces itself by the Wallet Standard, signs by a key of this process without asking
 * anybody, sends to the local cluster, and keeps what it was asked.
 */
export const addSolanaWallet = async (context: BrowserContext, chain: OnSolana): Promise<TestSolanaWallet> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const wallet: TestSolanaWallet = {
    address: toBase58(new Uint8Array(key)),
    isConnected: false,
    asked: [],
    texts: [],
    transactions: [],
    refuses: new Set(),
    holdTransaction: Promise.resolve(),
    signText: async (text) => new Uint8Array(sign(null, new TextEncoder().encode(text), privateKey)),
  };
  const send = async (transaction: Uint8Array): Promise<Buffer> => {
    const signature = sign(null, transaction.subarray(65), privateKey);
    const signed = Buffer.from(transaction);
    // One signature is announced by one byte, and what is signed follows it.
    signed.set(signature, 1);
    const config = { encoding: 'base64', preflightCommitment: 'confirmed' };
    await chain.ask('sendTransaction', signed.toString('base64'), config);
    return signature;
  };
  const answer = async ({ feature, isSilent, chain: cluster, bytes = [] }: Question): Promise<object> => {
    wallet.asked.push(isSilent === true ? `${feature} silently` : feature);
    if (wallet.refuses.has(feature)) return { refused: true };
    const given = Buffer.from(bytes);
    switch (feature) {
      case 'standard:connect':
        if (isSilent !== true) wallet.isConnected = true;
        return { isConnected: wallet.isConnected };
      case 'solana:signMessage':
        wallet.texts.push(given.toString());
        return { bytes: [...sign(null, given, privateKey)] };
      default:
        if (cluster !== 'solana:devnet') throw new Error(`This wallet has no ${cluster}.`);
        wallet.transactions.push(new Uint8Array(given));
        await wallet.holdTransaction;
        return { bytes: [...(await send(new Uint8Array(given)))] };
    }
  };
  await context.exposeFunction('testSolanaWallet', answer);
  await context.addInitScript(announce, { name: testSolanaWalletName, address: wallet.address, key: [...key] });
  return wallet;
};

/** Runs in the page. */
const announce = ({ name, address, key }: { name: string; address: string; key: number[] }): void => {
  const page = globalThis as unknown as EventTarget & {
    testSolanaWallet(asked: object): Promise<{ refused?: true; isConnected?: boolean; bytes?: number[] }>;
  };
  const chains = ['solana:mainnet', 'solana:devnet'] as const;
  const account = { address, publicKey: new Uint8Array(key), chains, features: [] };
  const ask = async (asked: object) => {
    const answer = await page.testSolanaWallet(asked);
    if (answer.refused === true) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    return answer;
  };
  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    chains,
    accounts: [],
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect({ silent = false } = {}) {
          const { isConnected } = await ask({ feature: 'standard:connect', isSilent: silent });
          return { accounts: isConnected === true ? [account] : [] };
        },
      },
      'solana:signMessage': {
        version: '1.1.0',
        async signMessage({ message }: { message: Uint8Array }) {
          const { bytes = [] } = await ask({ feature: 'solana:signMessage', bytes: [...message] });
          return [{ signedMessage: message, signature: new Uint8Array(bytes) }];
        },
      },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: [0],
        async signAndSendTransaction({ transaction, chain }: { transaction: Uint8Array; chain: string }) {
          const feature = 'solana:signAndSendTransaction';
          const { bytes = [] } = await ask({ feature, chain, bytes: [...transaction] });
          return [{ signature: new Uint8Array(bytes) }];
        },
      },
    },
  };
  interface Api {
    register(one: object): void;
  }
  const register = (api: Api): void => api.register(wallet);
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  page.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent<Api>).detail));
};
