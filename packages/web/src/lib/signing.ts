/** The lazy part: what signs. It is loaded when somebody is about to, because it has the contracts' interfaces in it. */

import {
  type Calls,
  checkPrepared,
  type Executed,
  type ExecuteOptions,
  execute,
  type Plan,
  type Prepared,
  type RunOptions,
  readTrusted,
  runPlan,
  type ServedChain,
  type Trusted,
  type TrustedChain,
  type Wallet,
} from '@mintage/sdk';
import type { EIP1193Provider } from 'mipd';
import { createClient, custom } from 'viem';
import { chainName } from './chainLooks.ts';
import type { ConnectedWallet } from './wallet.ts';

/** The wallet of this browser as the SDK asks it. It signs what it shows, and is also what the chain is read through. */
const walletOn =
  ({ provider, address }: ConnectedWallet, chains: readonly ServedChain[]) =>
  async ({ slug, chainId }: TrustedChain): Promise<Wallet> => {
    const chain = chains.find((one) => one.slug === slug);
    if (chain !== undefined) await switchTo(provider, chain, chainId);
    return createClient({ account: address, transport: custom(provider) }) as unknown as Wallet;
  };

/** Asks the wallet to go to a chain, and tells it of one that it does not know. @throws What the wallet says. */
const switchTo = async (provider: EIP1193Provider, chain: ServedChain, chainId: number): Promise<void> => {
  const hex = `0x${chainId.toString(16)}` as const;
  if (Number(await provider.request({ method: 'eth_chainId' })) === chainId) return;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hex }] });
  } catch (error) {
    // 4902: the wallet does not know the chain.
    if ((error as { code?: number }).code !== 4902 || chain.rpcUrl === undefined) throw error;
    const added = {
      chainId: hex,
      chainName: chainName(chain.slug),
      rpcUrls: [chain.rpcUrl],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    };
    await provider.request({ method: 'wallet_addEthereumChain', params: [added] });
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hex }] });
  }
};

let trusted: Promise<{ trusted: Trusted; chains: ServedChain[] }> | null = null;

/** The contracts of this deployment, asked once in the life of a page. */
const known = (api: Pick<Calls, 'chains'>) => {
  trusted ??= Promise.all([readTrusted(api), api.chains()])
    .then(([all, { chains }]) => ({ trusted: all, chains }))
    .catch((error: unknown) => {
      trusted = null;
      throw error;
    });
  return trusted;
};

type Terms = Omit<ExecuteOptions, 'wallet' | 'trusted'>;

/**
 * Has the browser's wallet execute what was prepared, once every byte of it was held against what was asked.
 *
 * @throws MintageError as `execute` of the SDK does.
 */
export const executeHere = async (
  api: Calls,
  prepared: Prepared,
  wallet: ConnectedWallet,
  terms: Terms = {},
): Promise<Executed> => {
  const all = await known(api);
  return execute(prepared, { ...terms, wallet: walletOn(wallet, all.chains), trusted: all.trusted });
};

/** Holds what was prepared against what was asked, before anybody is asked to sign it. @throws MintageError BYTES_DIFFER. */
export const checkHere = async (api: Calls, prepared: Prepared, address: string) =>
  checkPrepared(prepared, address, (await known(api)).trusted);

/** Runs the steps of a plan that are not done, by the browser's wallet. */
export const runPlanHere = async (
  api: Calls,
  plan: Plan,
  wallet: ConnectedWallet,
  options: Omit<RunOptions, 'wallet' | 'trusted'>,
): Promise<Plan> => {
  const all = await known(api);
  return runPlan(api, plan, { ...options, wallet: walletOn(wallet, all.chains), trusted: all.trusted });
};
