import { decodeRevert, invalid, MintageError } from '@mintage/protocol';
import { type AnswerOf, definitions, type KeyedIntent } from '@mintage/protocol/operations';
import { call, getTransaction, getTransactionReceipt, type Receipt, type Transaction } from '../../chain/evm/calls.ts';
import { revertDataOf } from '../../chain/evm/revert.ts';
import type { Node } from '../../chain/rpc.ts';
import type { ChainContext } from '../../chain/servedChain.ts';
import { RpcError } from '../../chain/wire.ts';
import { unsureSentence } from '../../db/signerTables.ts';
import type { Caller } from '../accounts/caller.ts';
import { withMadeWallet } from '../execution/embeddedWallet.ts';
import { order, statusOfStep, statusOfSteps, stepsOf } from '../execution/intentStatus.ts';
import { intentsOfKey } from '../execution/intentsOfKey.ts';
import { chainOf } from '../trade/chainOf.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

type Status = Omit<AnswerOf<'transactionStatus'>, 'success'>;

export const transactionStatus = handler(definitions.transactionStatus, async (context, input, { caller }) => {
  const served = input.chainSlug === undefined ? null : chainOf(context, input.chainSlug);
  const hash = input.hash?.toLowerCase();
  const { intentId, idempotencyKey } = input;
  if ([hash, intentId, idempotencyKey].filter((one) => one !== undefined).length !== 1) {
    throw invalid('', 'send one of hash, intentId and idempotencyKey');
  }
  const find = async (): Promise<Status | null> => {
    if (intentId !== undefined) return ofIntent(context, caller, served, intentId);
    if (idempotencyKey !== undefined) return ofKey(context, caller, served, idempotencyKey);
    const status = await ofAttempt(context, caller, served, hash as string);
    return status ?? (served && onChain(context, caller, served, hash as string));
  };
  const status = await find();
  if (status === null) throw new MintageError('TRANSACTION_NOT_FOUND', 'No transaction of yours is known by this');
  return { success: true, ...status };
});

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
  hash: string,
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

interface OnChain {
  transaction: Transaction;
  /** Null while no block holds it. */
  receipt: { reverted: boolean; blockNumber: number; blockHash: string } | null;
}

const unsure = (hash: string): Status => ({
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
  served: ChainContext,
  hash: string,
): Promise<Status | null> => {
  const { rpc, chain } = served;
  const { wallets } = await withMadeWallet(context, caller);
  /** Whether some provider shows the transaction as sent by one of the caller's wallets. */
  let isShown = false;
  const isOwn = ({ from }: Transaction): boolean => wallets.includes(from);
  const look = async (node: Node): Promise<OnChain | null> => {
    const [transaction, receipt] = await Promise.all([
      node.request(getTransaction(hash)).then((one) => {
        isShown ||= one !== null && isOwn(one);
        return one;
      }),
      node.request(getTransactionReceipt(hash)),
    ]);
    if (transaction === null || !isOwn(transaction)) return null;
    return { transaction, receipt: receipt && receiptOf(receipt) };
  };
  let found: OnChain | null;
  try {
    const { answer, isAlone } = await rpc.agreed(look, { aloneWillDo: true });
    if (isAlone) {
      if (answer !== null || isShown) return unsure(hash);
      throw new MintageError(
        'NETWORK_ERROR',
        `Only one provider of ${chain.slug} answers now, and does not know it: try again.`,
      );
    }
    found = answer;
  } catch (error) {
    if (isShown && error instanceof MintageError && error.code === 'NETWORK_ERROR') return unsure(hash);
    throw error;
  }
  if (found === null) return null;
  const { transaction, receipt } = found;
  if (receipt === null) return { status: 'sent', hash, blockNumber: null, error: null };
  const { blockNumber } = receipt;
  const row = await context.db.selectFrom('chain').select('finalized').where('eid', '=', chain.eid).executeTakeFirst();
  const isFinal = row !== undefined && blockNumber <= row.finalized;
  if (receipt.reverted) {
    const error = await whyReverted(served, transaction, blockNumber);
    return { status: isFinal ? 'failed' : 'reverted', hash, blockNumber, error };
  }
  return { status: isFinal ? 'final' : 'mined', hash, blockNumber, error: null };
};

/** What providers say alike: they price a receipt's gas and list its logs each in their own way. */
const receiptOf = ({ reverted, blockNumber, blockHash }: Receipt): OnChain['receipt'] => ({
  reverted,
  blockNumber,
  blockHash,
});

/**
 * Simulates the transaction again on the state before its block to learn why it reverted, as two providers agree. Other
 * transactions of the same block are not taken into account.
 */
const whyReverted = async (
  { rpc }: ChainContext,
  { from, to, input, value, gas }: Transaction,
  blockNumber: number,
): Promise<string> => {
  try {
    await rpc.agreed(async (node) => {
      await node.request(call({ from, to, data: input, value, gas }, blockNumber - 1));
      return true; // the return value of a successful call does not matter
    });
  } catch (error) {
    const data = error instanceof RpcError ? revertDataOf(error) : undefined;
    if (data !== undefined) return decodeRevert(data).message;
  }
  return 'The transaction was reverted.';
};
