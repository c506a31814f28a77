import { requireEvmDeployment } from '@mintage/protocol';
import { finalityBlocksOf } from '../../chain/evm/finalityBlocks.ts';
import { listenForHeads } from '../../chain/evm/newHeads.ts';
import { logOfChain, Provider } from '../../chain/provider.ts';
import { isSocket } from '../../chain/rpc.ts';
import type { ServedChain } from '../../chain/servedChain.ts';
import { answerBytes, Wire } from '../../chain/wire.ts';
import type { CreateFollower, Follower } from '../follower.ts';
import { agreedSource } from './agreedSource.ts';
import { type Doubts, follow } from './follow.ts';
import { type ChainSource, isAnswer, rpcSource } from './source.ts';

/**
 * Asks the providers over HTTP; with three independent ones, one may lie. A WebSocket address only announces blocks, and
 * HTTP addresses are also tried as WebSocket.
 */
export const createEvmFollower: CreateFollower = (served, log, heard) => {
  const { chain, rpcUrls } = served;
  const { chainId } = requireEvmDeployment(served.deployment);
  const hasBlooms = chain.family !== 'eravm'; // its block headers have empty bloom filters
  const health = logOfChain(log, chain.slug);
  const lines = rpcUrls
    .filter((url) => !isSocket(url))
    .map((url) => ({ name: new URL(url).host, wire: new Wire(url, answerBytes.logs) }));
  const source = agreedSource(
    lines.map(
      ({ name, wire }) =>
        new Provider({ name, line: rpcSource(wire, { hasBlooms }), identity: chainId, log: health, isAnswer }),
    ),
  );
  const listeners = socketUrls(rpcUrls).map((url) => listenForHeads(url, heard));
  return {
    ...followerOf(served, source),
    stop: async () => {
      for (const listener of listeners) listener.stop();
      await Promise.all(lines.map(({ wire }) => wire.close()));
    },
  };
};

const socketUrls = (urls: readonly string[]): string[] => [...new Set(urls.map((url) => url.replace(/^http/, 'ws')))];

/** Follows the chain that a source shows. */
export const followerOf = (
  { chain, deployment, finalityBlocks }: Pick<ServedChain, 'chain' | 'deployment' | 'finalityBlocks'>,
  source: ChainSource,
): Pick<Follower, 'check' | 'follow'> => {
  const contracts = requireEvmDeployment(deployment);
  const doubts: Doubts = { ranges: false };
  return {
    check: async () => {
      const identity = await source.identity();
      if (identity !== contracts.chainId) throw new Error(`the provider of ${chain.slug} serves chain ${identity}`);
    },
    follow: (position) =>
      follow(source, position, {
        contracts,
        finalityBlocks: finalityBlocksOf({ chain, finalityBlocks }, 'index'),
        doubts,
      }),
  };
};
