import { chainTypeOf, type Eid, type Hash, invalid, MintageError } from '@mintage/protocol';
import { type AnswerOf, type Delivery, definitions, type KeyedIntent } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { unsureSentence } from '../../db/signerTables.ts';
import type { Caller } from '../accounts/caller.ts';
import { deliveryOf, findMessages, findOrphan, lostDelivery } from '../crossing/delivery.ts';
import { withMadeWallets } from '../execution/embeddedWallet.ts';
import { order, statusOfStep, statusOfSteps, stepsOf } from '../execution/intentStatus.ts';
import { intentsOfKey } from '../execution/intentsOfKey.ts';
import { hashOn } from '../tokens/addresses.ts';
import { chainOf } from '../trade/chainOf.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

type Status = Omit<AnswerOf<'transactionStatus'>, 'success'>;

export const transactionStatus = handler(definitions.transactionStatus, async (context, input, { caller }) => {
  const served = input.chainSlug === undefined ? null : chainOf(context, input.chainSlug);
  const hash = input.hash === undefined ? undefined : hashOn(context, served?.chain ?? null, input.hash, 'hash');
  const { guid, intentId, idempotencyKey } = input;
  if ([hash, guid, intentId, idempotencyKey].filter((one) => one !== undefined).length !== 1) {
    throw invalid('', 'send one of hash, guid, intentId and idempotencyKey');
  }
  if (guid !== undefined) return { success: true, ...(await ofMessage(context, served, guid as Hash)) };
  const find = async (): Promise<Status | null> => {
    if (intentId !== undefined) return ofIntent(context, caller, served, intentId);
    if (idempotencyKey !== undefined) return ofKey(context, caller, served, idempotencyKey);
    const status = await ofAttempt(context, caller, served, hash as Hash);
    return status ?? (served && onChain(context, caller, served, hash as Hash));
  };
  const status = await find();
  if (status === null) throw new MintageError('TRANSACTION_NOT_FOUND', 'No transaction of yours is known by this');
  return { success: true, ...(await withDelivery(context, served, status)) };
});

/** With how far the messages are that the transaction sent to other chains, if it did. */
const withDelivery = async (context: Context, served: ChainContext | null, status: Status): Promise<Status> => {
  const { hash } = status;
  if (hash === '') return status;
  const messages = await findMessages(context.db, served?.chain.eid ?? null, { txHash: hash as Hash });
  const deliveries = await Promise.all(messages.map((message) => deliveryOf(context, message)));
  const delivery = leastAdvanced.flatMap((state) => deliveries.filter((one) => one.state === state)).at(0);
  return delivery === undefined ? status : { ...status, delivery, deliveries };
};

const leastAdvanced: readonly Delivery['state'][] = ['failed', 'lost', 'sent', 'verified', 'delivered'];

/** Of anybody's message: what it carries is public. */
const ofMessage = async (context: Context, served: ChainContext | null, guid: Hash): Promise<Status> => {
  if (served === null) throw invalid('chainSlug', 'must name the chain that sent the message');
  const { eid } = served.chain;
  const [message] = await findMessages(context.db, eid, { guid: guid.toLowerCase() as Hash });
  if (message !== undefined) {
    const delivery = await deliveryOf(context, message);
    return { ...(await inBlock(context, eid, message.blockNumber)), hash: message.txHash, error: null, delivery };
  }
  const orphan = await findOrphan(context.db, eid, guid.toLowerCase() as Hash);
  if (orphan === null) throw new MintageError('TRANSACTION_NOT_FOUND', 'No message is known by this');
  const error = 'The block that sent it is gone.';
  return { status: 'failed', hash: '', blockNumber: null, error, delivery: lostDelivery(orphan) };
};

const inBlock = async ({ db }: Context, eid: Eid, blockNumber: number) => {
  const row = await db.selectFrom('chain').select('finalized').where('eid', '=', eid).executeTakeFirst();
  const isFinal = row !== undefined && blockNumber <= row.finalized;
  return { status: isFinal ? ('final' as const) : ('mined' as const), blockNumber };
};

/** The caller's intents on these chains, one row per step. */
const ownSteps = ({ db }: Context, { userId }: Caller, served: ChainContext | null) =>
  stepsOf(db, userId).$if(served !== null, (query) =>
    query.where('intent.eid', '=', (served as ChainContext).chain.eid),
  );

const ofIntent = async (
  context: Context,
  caller: Caller,
  served: ChainContext | null,
  intentId: string,
): Promise<Status | null> =>
  statusOfSteps(await ownSteps(context, caller, served).where('intent.intent_id', '=', intentId).execute());

/** All intents of a call, by its idempotency key, also of a call that was cut off before it could answer. */
const ofKey = async (
  context: Context,
  caller: Caller,
  served: ChainContext | null,
  key: string,
): Promise<Status | null> => {
  const intents: KeyedIntent[] = [];
  const statuses: Status[] = [];
  for (const intent of await intentsOfKey(context.db, caller.userId, key)) {
    const status = await ofIntent(context, caller, served, intent.intentId);
    if (status === null) continue; // the intent is on another chain than the query
    const { blockNumber: _, intents: __, ...told } = status;
    intents.push({ ...intent, ...told });
    statuses.push(status);
  }
  const first = (status: Status['status']) => statuses.find((one) => one.status === status);
  const worst = first('failed') ?? first('reverted') ?? statuses.find(({ unsure }) => unsure);
  const told = worst ?? order.map(first).find(Boolean);
  return told === undefined ? null : { ...told, intents };
};

const ofAttempt = async (
  context: Context,
  caller: Caller,
  served: ChainContext | null,
  hash: Hash,
): Promise<Status | null> => {
  const step = await ownSteps(context, caller, served)
    .innerJoin('attempt', (join) =>
      join
        .onRef('attempt.eid', '=', 'step.eid')
        .onRef('attempt.intent_id', '=', 'step.intent_id')
        .onRef('attempt.step', '=', 'step.step'),
    )
    .where('attempt.hash', '=', hash)
    .executeTakeFirst();
  return step === undefined ? null : statusOfStep(step);
};

const unsure = (hash: Hash): Status => ({
  status: 'sent',
  hash,
  blockNumber: null,
  unsure: true,
  error: unsureSentence,
});

/** A transaction that one of the caller's own wallets sent. It is reported once two providers agree on it. */
const onChain = async (
  context: Context,
  caller: Caller,
  { chain, client }: ChainContext,
  hash: Hash,
): Promise<Status | null> => {
  const { wallets } = await withMadeWallets(context, caller, [chainTypeOf(chain)]);
  const found = await client.findTransaction(hash, wallets);
  if (found === null) return null;
  if (found === 'unsure') return unsure(hash);
  const { blockNumber, whyReverted } = found;
  if (blockNumber === null) return { status: 'sent', hash, blockNumber, error: null };
  const row = await context.db.selectFrom('chain').select('finalized').where('eid', '=', chain.eid).executeTakeFirst();
  const isFinal = row !== undefined && blockNumber <= row.finalized;
  if (whyReverted !== null)
    return { status: isFinal ? 'failed' : 'reverted', hash, blockNumber, error: await whyReverted() };
  return { status: isFinal ? 'final' : 'mined', hash, blockNumber, error: null };
};
