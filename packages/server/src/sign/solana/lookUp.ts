import { isDeepStrictEqual } from 'node:util';
import type { Hash } from '@mintage/protocol';
import { votesNeeded } from '../../chain/agreement.ts';
import { ChainDownError, type Node } from '../../chain/rpc.ts';
import {
  getBlockHeight,
  getBlockhash,
  getFinalBlockHeight,
  getSignatureStatuses,
  getTransaction,
} from '../../chain/solana/rpc/calls.ts';
import type { SolanaLane } from './chainAccess.ts';

/** A transaction in a confirmed block. */
export interface Landed {
  blockNumber: number;
  blockHash: Hash;
  /** No fork undoes it any more. */
  isFinal: boolean;
  /** As the cluster writes it; null: it succeeded. */
  error: unknown;
  /** Lamports. */
  gasPaid: bigint;
}

/**
 * Where two providers say that the transaction is; undefined when they agree that no confirmed block holds it; 'unsure' while no two
 * agree.
 */
export const lookUp = async ({ chain }: SolanaLane, hash: Hash): Promise<Landed | undefined | 'unsure'> => {
  try {
    const { answer, answers } = await chain.rpc.agreed((node) => landedOn(node, hash), { same: areSame });
    return answer && { ...answer, isFinal: answers.every((one) => one?.isFinal) };
  } catch (error) {
    if (error instanceof ChainDownError) return 'unsure';
    throw error;
  }
};

/** One provider may be a little behind in what is final. */
const areSame = (one: Landed | undefined, other: Landed | undefined): boolean =>
  isDeepStrictEqual(one && { ...one, isFinal: false }, other && { ...other, isFinal: false });

const landedOn = async (node: Node, hash: Hash): Promise<Landed | undefined> => {
  const [status] = await node.request(getSignatureStatuses([hash]));
  if (!status?.isConfirmed) return undefined;
  const [sent, blockHash] = await node.batch([getTransaction(hash), getBlockhash(status.slot)]);
  if (sent === null || blockHash === null) return undefined;
  if (sent.slot !== status.slot) throw new Error('the chain moved while a transaction was looked up');
  return { blockNumber: sent.slot, blockHash, isFinal: status.isFinal, error: sent.error, gasPaid: sent.fee };
};

/** Highest block height that a provider has confirmed. @throws ChainDownError when none answers. */
export const newestHeight = async ({ chain: { rpc, slug } }: SolanaLane): Promise<number> => {
  const answers = await Promise.allSettled(rpc.everyone((node) => node.request(getBlockHeight())));
  const heights = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (heights.length === 0) throw new ChainDownError(`The chain ${slug} is down: none of its providers answers.`);
  return Math.max(...heights);
};

/**
 * Whether the transaction can never land any more (threat S112): enough providers have a final block above its last one and do not know
 * it, and none knows it. Each is asked for its height first, so that it had all blocks in question when it was asked for the transaction.
 */
export const isGoneForGood = async (
  { chain: { rpc, configured } }: SolanaLane,
  { hash, validUntil }: { hash: Hash; validUntil: number },
): Promise<boolean> => {
  const answers = await Promise.allSettled(
    rpc.everyone(async (node): Promise<'known' | 'behind' | 'gone'> => {
      const height = await node.request(getFinalBlockHeight());
      const [status] = await node.request(getSignatureStatuses([hash]));
      if (status != null) return 'known';
      return height > validUntil ? 'gone' : 'behind';
    }),
  );
  const said = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return !said.includes('known') && said.filter((one) => one === 'gone').length >= votesNeeded(configured);
};
