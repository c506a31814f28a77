import { type EvmDeployment, readCalls, readEvents, requireHex, type SentLog } from '@mintage/protocol';
import type { Hex } from 'viem';
import { unknownToOne } from '../agreement.ts';
import type { ChainClient } from '../chainClient.ts';
import type { Node } from '../rpc.ts';
import { addressOf, arrayOf, fieldsOf, hashOf, hexOf, quantityOf } from './answers.ts';
import { getBlockByHash, getTransaction, getTransactionReceipt, type Transaction } from './calls.ts';
import { type Explaining, whyReverted } from './findTransaction.ts';

interface Seen {
  transaction: Transaction;
  /** Null while no block holds it. */
  mined: { block: number; blockHash: Hex; time: number; reverted: boolean; gasPaid: bigint; logs: SentLog[] } | null;
}

/** `ChainClient.readTransaction`. */
export const readTransaction = async (
  { rpc, slug }: { rpc: Explaining['rpc']; slug: string },
  deployment: EvmDeployment,
  ...[asked]: Parameters<ChainClient['readTransaction']>
): ReturnType<ChainClient['readTransaction']> => {
  const hash = requireHex(asked);
  const { answer, isAlone } = await rpc.agreed((node) => look(node, hash), { same: isSame, aloneWillDo: true });
  if (answer === null && isAlone) throw unknownToOne(slug);
  if (answer === null) return null;
  const { transaction, mined } = answer;
  const { from, to, input, value } = transaction;
  const { events, others } = readEvents(deployment, mined?.logs ?? []);
  return {
    block: mined && { number: mined.block, hash: mined.blockHash, time: mined.time },
    from,
    to,
    value,
    feePaid: mined && mined.gasPaid,
    whyReverted: mined?.reverted ? () => whyReverted({ rpc, deployment }, transaction, mined.block) : null,
    calls: to === null || input === '0x' ? [] : readCalls(deployment, to, input),
    events,
    otherEvents: others,
    isAlone,
  };
};

const look = async (node: Node, hash: Hex): Promise<Seen | null> => {
  const [transaction, receipt] = await node.batch([getTransaction(hash), getTransactionReceipt(hash)]);
  if (transaction === null) return null;
  if (receipt === null) return { transaction, mined: null };
  const { blockNumber, blockHash, reverted, gasPaid, logs } = receipt;
  const block = await node.request(getBlockByHash(blockHash));
  // A block that a reorganisation took between the two questions holds nothing any more.
  if (block === null) return { transaction, mined: null };
  return {
    transaction,
    mined: { block: blockNumber, blockHash, time: block.timestamp, reverted, gasPaid, logs: logs.map(logOf) },
  };
};

/** Providers price a receipt's gas each in their own way. */
const isSame = (one: Seen | null, other: Seen | null): boolean =>
  one === null || other === null
    ? one === other
    : one.mined?.blockHash === other.mined?.blockHash &&
      one.mined?.reverted === other.mined?.reverted &&
      words(one) === words(other);

const words = ({ transaction: { from, to, input, value }, mined }: Seen): string =>
  JSON.stringify([from, to, input, value.toString(), mined?.logs ?? []]);

const logOf = (log: unknown): SentLog => {
  const { address, topics, data, logIndex } = fieldsOf(log);
  return {
    address: addressOf(address),
    topics: arrayOf(topics).map(hashOf),
    data: hexOf(data),
    logIndex: quantityOf(logIndex),
  };
};
