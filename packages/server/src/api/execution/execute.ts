import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, errorCatalogue, MintageError } from '@mintage/protocol';
import type { Acknowledge, TransactionItem } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { PreparedCall } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { ProvenIntent } from '../../db/intentProof.ts';
import type { Tx } from '../../db/serviceTables.ts';
import { type Premise, signerChannel } from '../../db/signerTables.ts';
import { currentTrace, describeSpan } from '../../tracing.ts';
import { budgetOf, withinFirstDays } from '../accounts/budgets.ts';
import { sealedWallets } from '../accounts/users.ts';
import type { CallTerms, Executing } from './executing.ts';
import { holdKey } from './idempotency.ts';
import { type ExecutingSender, leftMs } from './sender.ts';

/** A transaction as the caller is told of it, with its call as it was prepared; `value` and `gasLimit` are decimal. */
export type PlannedTransaction = Pick<PreparedCall, 'to' | 'data'> &
  Pick<TransactionItem, 'value' | 'gasLimit' | 'description'>;

/** One or more transactions of one embedded wallet on one chain, all signed together or none. */
export interface Wish {
  served: ChainContext;
  sender: ExecutingSender;
  transactions: readonly PlannedTransaction[];
  /** Unix seconds after which nothing is signed. */
  deadline: number;
  /** Acknowledged figures, as the input has them. */
  acknowledge?: Acknowledge | undefined;
  /** Newest block by which the transactions were prepared or simulated. */
  seenBlock: number;
  /** The chain state that the transactions were prepared from; absent where they depend on none. */
  premise?: Premise | null | undefined;
}

/** The request with the Idempotency-Key of its call. */
interface KeyedWish extends Wish {
  idempotencyKey: string | null;
}

/** What an answer says of an execution (`executionAnswer`). */
export interface Execution {
  /** False: only prepared. */
  executed: boolean;
  /** Of the last transaction; empty when nothing was executed. */
  transactionHash: string;
  /** Null when nothing was executed. */
  intentId: string | null;
}

export const notExecuted: Execution = { executed: false, transactionHash: '', intentId: null };

/**
 * Has the signer sign and send the transactions, and returns once they are signed. When no signer signs in time, the
 * request is withdrawn, so that the outcome is certain: signed, or never to be signed.
 *
 * @throws MintageError SERVICE_UNAVAILABLE when it was withdrawn: nothing happened, nothing will. OUTCOME_UNKNOWN when
 * the database failed during the withdrawal. Else the reason for which the signer refused.
 */
export const execute = async (context: Executing, given: Wish, call: CallTerms): Promise<Execution> => {
  const wish: KeyedWish = { ...given, idempotencyKey: call.idempotencyKey ?? null };
  const restMs = leftMs(call) - takingBackMs;
  if (restMs < leastPatienceMs) {
    throw new MintageError('SERVICE_UNAVAILABLE', 'Preparing took too long, so nothing was executed');
  }
  const patienceMs = Math.min(context.patience.signatureMs, restMs);
  const intentId = randomUUID();
  describeSpan({ 'mintage.intent': intentId });
  const signed = async (): Promise<Outcome | null> => {
    await enqueue(context, wish, intentId);
    return context.signerNews.wait(intentId, () => outcomeOf(context, wish, intentId), patienceMs);
  };
  try {
    const outcome = await within(patienceMs + lastMomentMs, signed());
    if (outcome !== null) return answerOf(outcome, intentId);
  } catch (err) {
    if (err instanceof MintageError) throw err;
    // The request may be queued, or even signed; the steps below find out.
    context.log.warn({ err, intentId }, 'The database failed while a signature was waited for.');
  }
  return takeBack(context, wish, intentId);
};

/**
 * Time reserved for withdrawing an unsigned request, milliseconds: even a hanging database must not delay the answer.
 */
const takingBackMs = 9_000;
/** The part of `takingBackMs` in which a signature that arrives at the last moment is still noticed, milliseconds. */
const lastMomentMs = 1_500;
const leastPatienceMs = 1_000;

/**
 * @throws MintageError SERVICE_UNAVAILABLE when the request is certainly not queued; after any other error it may be.
 */
const enqueue = async (context: Executing, wish: KeyedWish, intentId: string): Promise<void> => {
  const { db, intentSigning } = context;
  const { served, sender, transactions, deadline } = wish;
  const steps = transactions.map(({ to, data, value, gasLimit, description }, step) => ({
    eid: served.chain.eid,
    intent_id: intentId,
    step,
    wallet: sender.address,
    to_address: to,
    value: BigInt(value),
    data,
    gas_limit: Number(gasLimit),
    description,
  }));
  let committing = false;
  try {
    await db.transaction().execute(async (tx) => {
      if (wish.idempotencyKey !== null) await holdKey(tx, sender.caller.userId, wish.idempotencyKey);
      const proof = await intentSigning.prove(await provenIntent(context, tx, wish, intentId), deadline);
      await tx
        .insertInto('intent')
        .values({ ...intentRow(wish, intentId), proof })
        .execute();
      await tx.insertInto('intent_step').values(steps).execute();
      await sql`select pg_notify(${signerChannel}, '')`.execute(tx);
      committing = true;
    });
  } catch (cause) {
    if (committing || cause instanceof MintageError) throw cause;
    throw new MintageError('SERVICE_UNAVAILABLE', 'The database does not answer now: nothing was executed', { cause });
  }
};

const provenIntent = async (
  context: Executing,
  tx: Tx,
  { served, sender, transactions, acknowledge, seenBlock, premise }: KeyedWish,
  intentId: string,
): Promise<ProvenIntent> => {
  const { seals } = context;
  const { userId, credential, session } = sender.caller;
  return {
    eid: served.chain.eid,
    intentId,
    userId,
    wallet: sender.address,
    credential,
    budget:
      credential === null
        ? null
        : withinFirstDays(await budgetOf(tx, seals, credential), sender.caller, context.config, context.now()),
    ownWallets: await sealedWallets({ db: tx, seals }, userId, context.now()),
    acknowledged: acknowledge ?? null,
    premise: premise ?? null,
    seenBlock,
    session: session !== null && 'sessionId' in session ? session.sessionId : null,
    steps: transactions.map(({ to, data, value, gasLimit }) => ({
      to,
      value: BigInt(value),
      data,
      gasLimit: Number(gasLimit),
    })),
  };
};

const intentRow = (
  { served, sender, deadline, acknowledge, seenBlock, premise, idempotencyKey }: KeyedWish,
  intentId: string,
) => ({
  eid: served.chain.eid,
  intent_id: intentId,
  user_id: sender.caller.userId,
  wallet: sender.address,
  credential: sender.caller.credential,
  premise: premise ? JSON.stringify(premise) : null,
  idempotency_key: idempotencyKey,
  expires_at: new Date(deadline * 1000),
  acknowledged: acknowledge === undefined ? null : JSON.stringify(acknowledge),
  seen_block: seenBlock,
  traceparent: currentTrace(),
});

type Outcome = { hash: string } | { refusal: MintageError };

/** The outcome of the intent; null while it is undecided. */
const outcomeOf = async ({ db }: Executing, { served }: Wish, intentId: string): Promise<Outcome | null> => {
  const intent = await db
    .selectFrom('intent')
    .leftJoin('intent_step', (join) =>
      join.onRef('intent_step.eid', '=', 'intent.eid').onRef('intent_step.intent_id', '=', 'intent.intent_id'),
    )
    .select(['intent.status', 'intent.error_code', 'intent.error', 'intent_step.hash'])
    .where('intent.eid', '=', served.chain.eid)
    .where('intent.intent_id', '=', intentId)
    .orderBy('intent_step.step', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  switch (intent.status) {
    case 'queued':
      return null;
    case 'refused':
      return { refusal: refusalOf(intent) };
    case 'signed':
    case 'done':
    case 'failed':
      if (intent.hash === null) throw new Error(`the intent ${intentId} is ${intent.status} and has no hash`);
      return { hash: intent.hash };
  }
};

/** The signer's refusal as an error. */
export const refusalOf = (intent: { error_code: string | null; error: string | null }): MintageError => {
  const code = intent.error_code ?? '';
  return new MintageError(
    code in errorCatalogue ? (code as ErrorCode) : 'TRANSACTION_FAILED',
    intent.error ?? 'The signer refused the transaction',
  );
};

const answerOf = (outcome: Outcome, intentId: string): Execution => {
  if ('refusal' in outcome) throw outcome.refusal;
  return { executed: true, transactionHash: outcome.hash, intentId };
};

const nobodySigned = 'No signer answered in time: nothing was executed, and nothing will be';

/** Withdraws the request, or returns its outcome if it was decided before: one statement settles which. */
const takeBack = async (context: Executing, wish: KeyedWish, intentId: string): Promise<Execution> => {
  const untilMs = performance.now() + takingBackMs - 2 * lastMomentMs;
  const inTime = <T>(work: Promise<T>): Promise<T> => within(Math.max(0, untilMs - performance.now()), work);
  for (;;) {
    try {
      if (await inTime(refuse(context, wish, intentId))) throw new MintageError('SERVICE_UNAVAILABLE', nobodySigned);
      const outcome = await inTime(outcomeOf(context, wish, intentId));
      if (outcome !== null) return answerOf(outcome, intentId);
    } catch (error) {
      if (error instanceof MintageError) throw error;
      if (performance.now() < untilMs) {
        await sleep(tryAgainMs);
        continue;
      }
      const message = 'The database does not answer: whether this was executed is not known';
      throw new MintageError('OUTCOME_UNKNOWN', message, { details: { intentId }, cause: error });
    }
  }
};

const tryAgainMs = 200;

/** @throws Error when the work takes longer than the limit; the work itself continues. */
const within = async <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  const ended = new AbortController();
  const tooLate = sleep(limitMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`the database did not answer within ${limitMs} ms`);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    ended.abort();
  }
};

/**
 * Replaces the queued intent by a refused one. This also covers an intent whose insertion is still in progress or was
 * lost: the statement waits for the insertion, and a later insertion finds the row taken.
 */
const refuse = async ({ db }: Executing, wish: KeyedWish, intentId: string): Promise<boolean> => {
  const refusal = { status: 'refused', error_code: 'SERVICE_UNAVAILABLE', error: nobodySigned } as const;
  const ended_at = sql<Date>`now()`;
  const row = await db
    .insertInto('intent')
    .values({ ...intentRow(wish, intentId), ...refusal, ended_at })
    .onConflict((conflict) =>
      conflict
        .columns(['eid', 'intent_id'])
        .doUpdateSet({ ...refusal, ended_at })
        .where('intent.status', '=', 'queued'),
    )
    .returning('intent_id')
    .executeTakeFirst();
  return row !== undefined;
};
