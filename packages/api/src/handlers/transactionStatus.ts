import { decodeRevert, invalid, MintageError } from '@mintage/protocol';
import type { StepStatus } from '@mintage/signer/db';
import { numberToHex } from 'viem';
import { RpcError } from '../chains/rpc.ts';
import type { Address, Caller, ChainContext, Context, HandlerOf } from '../context.ts';
import { withMadeWallet } from '../execution/embeddedWallet.ts';
import { chainOf } from '../trade/chainOf.ts';

type Status = Omit<Awaited<ReturnType<HandlerOf<'transactionStatus'>>>, 'success'>;

export const transactionStatus: HandlerOf<'transactionStatus'> = async (context, input, { caller }) => {
  const served = input.chainSlug === undefined ? null : chainOf(context, input.chainSlug);
  const hash = input.hash?.toLowerCase();
  const { intentId } = input;
  if ((hash === undefined) === (intentId === undefined)) throw invalid('', 'send either hash or intentId');
  const status =
    intentId !== undefined
      ? await ofIntent(context, caller, served, intentId)
      : ((await ofAttempt(context, caller, served, hash as string)) ??
        (served && (await onChain(context, caller, served, hash as string))));
  if (status === null) throw new MintageError('TRANSACTION_NOT_FOUND', 'No transaction of yours is known by this');
  return { success: true, ...status };
};

/** The caller's intents, one row per step, in their order. */
const ownSteps = ({ db }: Context, { userId }: Caller, served: ChainContext | null) =>
  db
    .selectFrom('intent')
    .innerJoin('intent_step as step', (join) =>
      join.onRef('step.chain_id', '=', 'intent.chain_id').onRef('step.intent_id', '=', 'intent.intent_id'),
    )
    .select(['intent.status as intent_status', 'intent.error as intent_error'])
    .select(['step.status', 'step.hash', 'step.block_number', 'step.error'])
    .where('intent.user_id', '=', userId)
    .$if(served !== null, (query) => query.where('intent.chain_id', '=', (served as ChainContext).chain.chainId))
    .orderBy('step.step');

type StepRow = Awaited<ReturnType<ReturnType<typeof ownSteps>['execute']>>[number];

const ofIntent = async (
  context: Context,
  caller: Caller,
  served: ChainContext | null,
  intentId: string,
): Promise<Status | null> => {
  const steps = await ownSteps(context, caller, served).where('intent.intent_id', '=', intentId).execute();
  const last = steps.at(-1);
  if (last === undefined) return null;
  const failed = steps.find(({ status }) => status === 'failed');
  const hindmost = order.find((status) => steps.some((step) => step.status === status)) ?? 'queued';
  return { ...statusOf(failed ?? { ...last, status: hindmost }), hash: last.hash ?? '' };
};

/** Of several steps that goes well the hindmost says how far they are. */
const order: readonly StepStatus[] = ['queued', 'sent', 'mined', 'final'];

const ofAttempt = async (
  context: Context,
  caller: Caller,
  served: ChainContext | null,
  hash: string,
): Promise<Status | null> => {
  const step = await ownSteps(context, caller, served)
    .innerJoin('attempt', (join) =>
      join
        .onRef('attempt.chain_id', '=', 'step.chain_id')
        .onRef('attempt.intent_id', '=', 'step.intent_id')
        .onRef('attempt.step', '=', 'step.step'),
    )
    .where('attempt.hash', '=', hash)
    .executeTakeFirst();
  return step === undefined ? null : statusOf(step);
};

const statusOf = (step: StepRow): Status => {
  const { status, error } =
    step.intent_status === 'refused' ? { status: 'failed' as const, error: step.intent_error } : step;
  return {
    status,
    hash: step.hash ?? '',
    blockNumber: step.block_number,
    // A reverted one fails when its block is final.
    error: status === 'failed' ? (error ?? step.intent_error ?? 'The transaction failed.') : error,
  };
};

interface ChainTransaction {
  from: Address;
  to: Address | null;
  input: `0x${string}`;
  value: `0x${string}`;
  gas: `0x${string}`;
}

/** A transaction that one of the caller's wallets sent without us. */
const onChain = async (
  context: Context,
  caller: Caller,
  served: ChainContext,
  hash: string,
): Promise<Status | null> => {
  const { rpc, chain } = served;
  const transaction = await rpc.request<ChainTransaction | null>('eth_getTransactionByHash', [hash]);
  const { wallets } = await withMadeWallet(context, caller);
  if (transaction === null || !wallets.includes(transaction.from.toLowerCase() as Address)) return null;
  const receipt = await rpc.request<{ status: string; blockNumber: string } | null>('eth_getTransactionReceipt', [
    hash,
  ]);
  if (receipt === null) return { status: 'sent', hash, blockNumber: null, error: null };
  const blockNumber = Number(receipt.blockNumber);
  if (BigInt(receipt.status) === 0n) {
    return { status: 'failed', hash, blockNumber, error: await reasonOf(served, transaction, blockNumber) };
  }
  const row = await context.db
    .selectFrom('chain')
    .select('finalized')
    .where('chain_id', '=', chain.chainId)
    .executeTakeFirst();
  const isFinal = row !== undefined && blockNumber <= row.finalized;
  return { status: isFinal ? 'final' : 'mined', hash, blockNumber, error: null };
};

/** Runs it again on the state before its block; what other transactions of the block did is not seen. */
const reasonOf = async (
  { rpc }: ChainContext,
  { from, to, input, value, gas }: ChainTransaction,
  blockNumber: number,
): Promise<string> => {
  try {
    await rpc.request('eth_call', [{ from, to, data: input, value, gas }, numberToHex(blockNumber - 1)]);
  } catch (error) {
    if (error instanceof RpcError && typeof error.data === 'string') {
      return decodeRevert(error.data as `0x${string}`).message;
    }
  }
  return 'The transaction was reverted.';
};
