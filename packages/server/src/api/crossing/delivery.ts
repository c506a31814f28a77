import { type Address, chainByEid, decodeRevert, type Eid, type Hash } from '@mintage/protocol';
import type { Delivery } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Reading } from '../tokens/reading.ts';
import { itemsOf } from '../trade/prepareTrade.ts';

/** A message to another chain as the index of its source knows it. */
export interface SentMessage {
  srcEid: Eid;
  dstEid: Eid;
  nonce: number;
  guid: Hash;
  token: Address;
  txHash: Hash;
  blockNumber: number;
  /** Null of an announcement, which carries no tokens. */
  carries: { recipient: Address; amount: bigint } | null;
}

/**
 * How far a message is. Its two ends meet here, by path, nonce, recipient, amount and token: after a reorganisation of the
 * source another message can have the nonce and even the guid.
 */
export const deliveryOf = async (context: Reading, message: SentMessage): Promise<Delivery> => {
  const source = servedBy(context, message.srcEid);
  const destination = servedBy(context, message.dstEid);
  const base = {
    guid: message.guid,
    nonce: message.nonce,
    fromChain: slugOf(message.srcEid),
    toChain: slugOf(message.dstEid),
    confirmationsLeft: 0,
    attempts: 0,
    reason: null,
    hash: null,
    retry: null,
  };
  const hash = await arrivalOf(context.db, message);
  if (hash !== null) return { ...base, state: 'delivered', hash };

  const alerts = await alertsOf(context.db, message);
  const told = { attempts: alerts.length, reason: reasonOf(alerts) };
  if (!(await destination?.client.bridge?.isWaiting(message))) {
    const confirmationsLeft = source === null ? 0 : await confirmationsLeftOf(context.db, message, source);
    return { ...base, ...told, state: 'sent', confirmationsLeft };
  }
  if (alerts.length === 0) return { ...base, state: 'verified' };
  return { ...base, ...told, state: 'failed', retry: await retryOf(message, source, destination) };
};

/** A message that its source has no more, although the destination has heard of it. */
export const lostDelivery = ({
  srcEid,
  dstEid,
  nonce,
  guid,
}: Pick<SentMessage, 'srcEid' | 'dstEid' | 'nonce' | 'guid'>): Delivery => ({
  state: 'lost',
  guid,
  nonce,
  fromChain: slugOf(srcEid),
  toChain: slugOf(dstEid),
  confirmationsLeft: 0,
  attempts: 0,
  reason: null,
  hash: null,
  retry: null,
});

const servedBy = ({ chains }: Reading, eid: Eid): ChainContext | null => chains.get(slugOf(eid)) ?? null;

const slugOf = (eid: Eid): string => chainByEid(eid)?.slug ?? String(eid);

/** The transaction that delivered it. */
const arrivalOf = async (db: Db, { srcEid, dstEid, nonce, token, carries }: SentMessage): Promise<Hash | null> => {
  if (carries === null) {
    const registered = db.selectFrom('remote_token').select('tx_hash').where('eid', '=', dstEid);
    return (await registered.where('address', '=', token).executeTakeFirst())?.tx_hash ?? null;
  }
  const row = await db
    .selectFrom('bridge_received')
    .select('tx_hash')
    .where('src_eid', '=', srcEid)
    .where('eid', '=', dstEid)
    .where('nonce', '=', nonce)
    .where('token', '=', token)
    .where('recipient', '=', carries.recipient)
    .where('amount', '=', carries.amount)
    .executeTakeFirst();
  return row?.tx_hash ?? null;
};

/** Newest first. */
const alertsOf = (db: Db, { srcEid, dstEid, nonce, guid }: SentMessage) =>
  db
    .selectFrom('bridge_alert')
    .select('reason')
    .where('eid', '=', dstEid)
    .where('src_eid', '=', srcEid)
    .where('nonce', '=', nonce)
    .where('guid', '=', guid)
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(mostAlerts)
    .execute();

/** Anyone can have the endpoint tell more. */
const mostAlerts = 1_000;

const reasonOf = ([newest]: readonly { reason: `0x${string}` }[]): string | null =>
  newest === undefined ? null : decodeRevert(newest.reason).message;

const confirmationsLeftOf = async (
  db: Db,
  { blockNumber, dstEid }: SentMessage,
  { chain, client }: ChainContext,
): Promise<number> => {
  const confirmations = (await client.bridge?.confirmations(dstEid)) ?? 0;
  const row = await db.selectFrom('chain').select('head').where('eid', '=', chain.eid).executeTakeFirst();
  return Math.max(0, confirmations - Math.max(0, (row?.head ?? 0) - blockNumber));
};

/** The delivery again, of the very bytes that were verified; null where the source does not show them now. */
const retryOf = async (
  message: SentMessage,
  source: ChainContext | null,
  destination: ChainContext | null,
): Promise<Delivery['retry']> => {
  const bytes = (await source?.client.bridge?.messageSent(message.txHash, message.guid)) ?? null;
  if (bytes === null || destination === null) return null;
  const step = (await destination.client.bridge?.deliver(message, message.guid, bytes)) ?? null;
  if (step === null) return null;
  const description = `Deliver message ${message.nonce} from ${slugOf(message.srcEid)}`;
  const [item] = itemsOf(destination, [{ ...step, description }], step.gasBound);
  return item ?? null;
};

/**
 * The messages that a transaction sent, or the one that has this guid, in the order of their chains.
 *
 * @param srcEid - Null: of any chain.
 */
export const findMessages = async (
  db: Db,
  srcEid: Eid | null,
  by: { txHash: Hash } | { guid: Hash },
): Promise<SentMessage[]> => {
  const [column, value] = 'txHash' in by ? (['tx_hash', by.txHash] as const) : (['guid', by.guid] as const);
  const shared = ['eid', 'dst_eid', 'nonce', 'guid', 'token', 'tx_hash', 'block_number'] as const;
  const sent = await db
    .selectFrom('bridge_sent')
    .select([...shared, 'recipient', 'amount'])
    .where(column, '=', value)
    .$if(srcEid !== null, (query) => query.where('eid', '=', srcEid as Eid))
    .execute();
  const announced = await db
    .selectFrom('bridge_announced')
    .select(shared)
    .where(column, '=', value)
    .$if(srcEid !== null, (query) => query.where('eid', '=', srcEid as Eid))
    .execute();
  const carrying = sent.map(({ recipient, amount, ...row }) => ({ ...row, carries: { recipient, amount } }));
  return [...carrying, ...announced.map((row) => ({ ...row, carries: null }))]
    .map(({ eid, dst_eid, tx_hash, block_number, ...row }) => ({
      ...row,
      srcEid: eid,
      dstEid: dst_eid,
      txHash: tx_hash,
      blockNumber: block_number,
    }))
    .toSorted((one, other) => one.dstEid - other.dstEid);
};

/** A delivery of a message that the index of its source does not have (any more). */
export const findOrphan = async (db: Db, srcEid: Eid, guid: Hash) => {
  const row = await db
    .selectFrom('bridge_received')
    .select(['eid', 'nonce'])
    .where('src_eid', '=', srcEid)
    .where('guid', '=', guid)
    .executeTakeFirst();
  return row === undefined ? null : { srcEid, dstEid: row.eid, nonce: row.nonce, guid };
};
