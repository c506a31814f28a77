/** The lazy part: what signs. It is loaded when somebody is about to, because it has the contracts' interfaces in it. */

import { decodeStrictly, layerZeroEndpointAbi, tokenBridgeAbi } from '@mintage/protocol';
import {
  type Calls,
  checkPrepared,
  type Executed,
  type ExecuteOptions,
  execute,
  MintageError,
  type Plan,
  type Prepared,
  type RunOptions,
  readTrusted,
  runPlan,
  type ServedChain,
  type TransactionItem,
  type Trusted,
  type TrustedChain,
  trustedOn,
  type Wallet,
} from '@mintage/sdk';
import type { EIP1193Provider } from 'mipd';
import { createClient, custom, type Hex } from 'viem';
import { getChainId, readContract, sendTransaction } from 'viem/actions';
import type { ConnectedWallet, EvmWallet } from './announced.ts';
import { chainTypeOf } from './onChain.ts';
import { isRefusal } from './refusal.ts';

/** How often a wallet is asked whether a transaction is in a block, milliseconds: most chains make one in a second or two. */
const pollingInterval = 500;

/** A wallet of EVM chains as the SDK asks it. It signs what it shows, and is also what the chain is read through. */
const walletOn =
  ({ provider, address }: EvmWallet, chains: readonly ServedChain[]) =>
  async ({ slug, chainId }: TrustedChain): Promise<Wallet> => {
    const chain = chains.find((one) => one.slug === slug);
    if (chain !== undefined) await switchTo(provider, chain, chainId);
    return createClient({ account: address, transport: custom(provider), pollingInterval }) as unknown as Wallet;
  };

/** The wallet of this browser as the SDK asks it, whichever chains it is for. */
const sdkWallet = async (
  wallet: ConnectedWallet,
  chains: readonly ServedChain[],
): Promise<ExecuteOptions['wallet']> => {
  if (wallet.type === 'evm') return walletOn(wallet, chains);
  const { payingWallet } = await import('./solanaWallets.ts');
  return payingWallet(wallet);
};

/**
 * Asks the wallet to go to a chain, and tells it of one that it does not know.
 *
 * @throws MintageError WALLET_ELSEWHERE with what the wallet says.
 */
const switchTo = async (provider: EIP1193Provider, chain: ServedChain, chainId: number): Promise<void> => {
  const hex = `0x${chainId.toString(16)}` as const;
  if (Number(await provider.request({ method: 'eth_chainId' })) === chainId) return;
  const go = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hex }] });
  try {
    await go().catch(async (error: unknown) => {
      // That it does not know the chain wallets say in many ways (4902, -32603, -32601), so only a No is none of them.
      if (isRefusal(error) || chain.rpcUrl === undefined) throw error;
      const added = {
        chainId: hex,
        chainName: chain.name,
        rpcUrls: [chain.rpcUrl],
        nativeCurrency: chain.nativeCurrency,
        ...(chain.explorerUrl === null ? {} : { blockExplorerUrls: [chain.explorerUrl] }),
      };
      await provider.request({ method: 'wallet_addEthereumChain', params: [added] });
      await go();
    });
  } catch (cause) {
    throw new MintageError('WALLET_ELSEWHERE', `Your wallet did not go to ${chain.name}.`, { cause });
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

/** Asks the browser's wallet to go to a chain. @throws What the wallet says, where it refuses. */
export const switchHere = async (api: Calls, { provider }: EvmWallet, slug: string): Promise<void> => {
  const all = await known(api);
  const chain = all.chains.find((one) => one.slug === slug);
  if (chain !== undefined) await switchTo(provider, chain, trustedOn(all.trusted, slug).chainId);
};

type Terms = Omit<ExecuteOptions, 'wallet' | 'trusted' | 'calls'>;

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
  return execute(prepared, {
    ...terms,
    wallet: await sdkWallet(wallet, all.chains),
    trusted: all.trusted,
    calls: api,
  });
};

/** Holds what was prepared against what was asked, before anybody is asked to sign it. @throws MintageError BYTES_DIFFER. */
export const checkHere = async (api: Calls, prepared: Prepared, address: string): Promise<void> => {
  const { trusted: all } = await known(api);
  if (chainTypeOf(address) === 'evm') checkPrepared(prepared, address, all);
  // It has a curve of its own in it, which nobody else needs.
  else (await import('./checkSolana.ts')).checkPreparedSolana(prepared, address, all);
};

/** Where a message may be delivered again, lower case; null: this deployment has no bridge there. */
export interface Delivery {
  tokenBridge: string | null;
  /** LayerZero's, as the bridge itself says. */
  endpoint: string | null;
}

/**
 * Holds a repeated delivery against what it may be: a message to this deployment's bridge, by its own endpoint, and no coins with it.
 *
 * @throws MintageError BYTES_DIFFER.
 */
export const requireDelivery = (
  { to, data, value }: Pick<TransactionItem, 'to' | 'data' | 'value'>,
  { tokenBridge, endpoint }: Delivery,
): void => {
  const read = decodeStrictly(layerZeroEndpointAbi, data as Hex);
  const receiver = read?.functionName === 'lzReceive' ? read.args[1].toLowerCase() : null;
  if (receiver === null || receiver !== tokenBridge || to.toLowerCase() !== endpoint || value !== '0')
    throw new MintageError('BYTES_DIFFER', 'The transaction does not only deliver a message to the bridge.');
};

/**
 * Has the browser's wallet deliver a message again. Anybody may, and it moves nothing of the wallet's own.
 *
 * @throws MintageError BYTES_DIFFER; WALLET_ELSEWHERE where the wallet stays on another chain; what it says, where it refuses.
 * @returns Hash of the transaction.
 */
export const deliverHere = async (api: Calls, item: TransactionItem, wallet: EvmWallet): Promise<string> => {
  const { trusted: all, chains } = await known(api);
  const chain = trustedOn(all, item.chainSlug);
  const client = await walletOn(wallet, chains)(chain);
  if ((await getChainId(client)) !== chain.chainId)
    throw new MintageError('WALLET_ELSEWHERE', `The wallet is not on ${chain.slug}.`);
  const { tokenBridge } = chain;
  const endpoint =
    tokenBridge === null
      ? null
      : await readContract(client, { address: tokenBridge, abi: tokenBridgeAbi, functionName: 'endpoint' });
  requireDelivery(item, { tokenBridge, endpoint: endpoint?.toLowerCase() ?? null });
  return sendTransaction(client, { chain: null, to: item.to as Hex, data: item.data as Hex, value: 0n });
};

/** Runs the steps of a plan that are not done, by the browser's wallet. */
export const runPlanHere = async (
  api: Calls,
  plan: Plan,
  wallet: ConnectedWallet,
  options: Omit<RunOptions, 'wallet' | 'trusted'>,
): Promise<Plan> => {
  const all = await known(api);
  return runPlan(api, plan, { ...options, wallet: await sdkWallet(wallet, all.chains), trusted: all.trusted });
};
