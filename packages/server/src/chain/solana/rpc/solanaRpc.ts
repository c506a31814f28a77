import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '@mintage/protocol';
import { createRpc, type Node, type Rpc, type RpcOptions } from '../../rpc.ts';
import { type RpcCall, RpcError } from '../../wire.ts';
import { getGenesisHash } from './calls.ts';

interface SolanaRpcOptions extends Omit<RpcOptions, 'family' | 'identity' | 'blockTimeMs' | 'slug'> {
  chain: Pick<Chain, 'slug' | 'caip2'>;
  /** The chain is one of this process tree, in the place of the cluster: anything but a public cluster is it. */
  isLocal: boolean;
}

/** A slot's, as the cluster aims at it. */
export const slotMs = 400;

/** Chains are named by the beginning of their genesis hash (CAIP-2). */
const publicClusters = new Set([
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  '4uhcVJyU9pJkvQyS88uRDiswHXSGkY3z',
]);
const localName = 'a local chain';

/** A client of a Solana chain. */
export const createSolanaRpc = ({ chain: { slug, caip2 }, isLocal, ...options }: SolanaRpcOptions): Rpc =>
  createRpc({
    ...options,
    slug,
    blockTimeMs: slotMs,
    identity: isLocal ? localName : referenceOf(caip2),
    family: {
      identity: () => ({
        ...getGenesisHash(),
        parse(answer) {
          const reference = String(getGenesisHash().parse?.(answer)).slice(0, 32);
          return isLocal && !publicClusters.has(reference) ? localName : reference;
        },
      }),
      revertOf: (error) => (error.code === trialFailed ? JSON.stringify(trialErrorOf(error)) : undefined),
      hasOnlyHead: true,
    },
  });

const referenceOf = (caip2 = ''): string => caip2.slice(caip2.indexOf(':') + 1);

/** JSON-RPC: what was sent failed in its trial. */
const trialFailed = -32002;
/** JSON-RPC: the provider is not where the question begins. */
const isBehind = -32016;

/** Why the trial of what was sent failed, as the cluster writes it; undefined for other refusals. */
export const trialErrorOf = ({ code, data }: RpcError): unknown =>
  code === trialFailed && typeof data === 'object' && data !== null
    ? ((data as { err?: unknown }).err ?? null)
    : undefined;

/** An honest provider comes to a slot that another one shows within this time, milliseconds. */
const patienceMs = 2_000;
const lookAgainMs = 150;

/** Asks, and waits for a provider that is a little behind. @throws Error when it stays behind. */
export const askPatiently = async <Result>(node: Pick<Node, 'request'>, call: RpcCall<Result>): Promise<Result> => {
  for (let waitedMs = 0; ; waitedMs += lookAgainMs) {
    try {
      return await node.request(call);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== isBehind) throw error;
      if (waitedMs >= patienceMs) throw new Error('the provider is behind the others', { cause: error });
      await sleep(lookAgainMs);
    }
  }
};
