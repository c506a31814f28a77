import { type Address, type Base58, requireBase58 } from '@mintage/protocol';
import { tokenAccountOf } from '@mintage/protocol/solana';
import type { World } from './world.ts';

/** The local Solana cluster of a world, as the chain itself answers. Amounts are base units. */
export interface OnSolana {
  rpcUrl: string;
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  dollars(wallet: Address): Promise<bigint>;
  tokens(wallet: Address, mint: Address): Promise<bigint>;
  /** Gives a wallet a coin for fees, and dollars. */
  fill(wallet: Address, usd: bigint): Promise<void>;
}

export const onSolana = (world: World): OnSolana => {
  const [cluster] = world.system.solana;
  if (cluster === undefined) throw new Error('This world has no Solana cluster.');
  const { rpcUrl, deployment, fill } = cluster;
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  /** Of an account that is not opened yet, none. */
  const held = async (account: Base58): Promise<bigint> => {
    const { value } = (await ask('getMultipleAccounts', [account], {
      commitment: 'confirmed',
      encoding: 'base64',
    })) as {
      value: [{ data: [string, string] } | null];
    };
    const [found] = value;
    // An account of either token program begins with mint and owner, 32 bytes each, and then the amount.
    return found === null ? 0n : Buffer.from(found.data[0], 'base64').readBigUInt64LE(64);
  };
  return {
    rpcUrl,
    ask,
    fill,
    dollars: (wallet) => held(tokenAccountOf(requireBase58(wallet), requireBase58(deployment.usd as Address), 'token')),
    tokens: (wallet, mint) => held(tokenAccountOf(requireBase58(wallet), requireBase58(mint), 'token2022')),
  };
};
