import { requireSolanaDeployment } from '@mintage/protocol';
import { logOfChain, Provider } from '../../chain/provider.ts';
import { isSocket } from '../../chain/rpc.ts';
import { decimalsOf, type ServedChain } from '../../chain/servedChain.ts';
import { answerBytes, Wire } from '../../chain/wire.ts';
import type { CreateFollower, Follower } from '../follower.ts';
import { agreedSource } from './agreedSource.ts';
import { follow } from './follow.ts';
import { listenForSlots } from './newSlots.ts';
import { type ClusterSource, isAnswer, rpcSource } from './source.ts';

/**
 * Asks the providers over HTTP; with three independent ones, one may lie. A WebSocket address only announces slots, and HTTP
 * addresses are also tried as WebSocket.
 */
export const createSolanaFollower: CreateFollower = (served, log, heard) => {
  const { chain, rpcUrls } = served;
  const health = logOfChain(log, chain.slug);
  const lines = rpcUrls
    .filter((url) => !isSocket(url))
    .map((url) => ({ name: new URL(url).host, wire: new Wire(url, answerBytes.logs) }));
  const cluster = clusterOf(served);
  const source = agreedSource(
    lines.map(({ name, wire }) => {
      const line = cluster === anyCluster ? { ...rpcSource(wire), identity: async () => cluster } : rpcSource(wire);
      return new Provider({ name, line, identity: cluster, log: health, isAnswer });
    }),
  );
  const sockets = [...new Set(rpcUrls.map((url) => url.replace(/^http/, 'ws')))];
  const listeners = sockets.map((url) => listenForSlots(url, heard));
  return {
    ...followerOf(served, source),
    stop: async () => {
      for (const listener of listeners) listener.stop();
      await Promise.all(lines.map(({ wire }) => wire.close()));
    },
  };
};

/** Follows the chain that a source shows. */
export const followerOf = (
  served: Pick<ServedChain, 'chain' | 'deployment' | 'local'>,
  source: ClusterSource,
): Pick<Follower, 'check' | 'follow'> => {
  const { launchpad: program, usd } = requireSolanaDeployment(served.deployment);
  const decimals = decimalsOf(served);
  return {
    check: async () => {
      const identity = await source.identity();
      const cluster = clusterOf(served);
      if (cluster !== anyCluster && identity !== cluster)
        throw new Error(`the provider of ${served.chain.slug} serves the cluster ${identity}`);
    },
    follow: (position) => follow(source, position, { program, usd, decimals }),
  };
};

/** A local chain makes a genesis of its own. */
const anyCluster = 'any';

/** The first letters of its genesis' hash, by which a cluster is known: CAIP-30. */
const clusterOf = ({ chain, local }: Pick<ServedChain, 'chain' | 'local'>): string => {
  if (local) return anyCluster;
  const [, cluster] = chain.caip2?.split(':') ?? [];
  if (cluster === undefined) throw new Error(`${chain.slug} has no CAIP-2 id, by which its cluster is known.`);
  return cluster;
};
