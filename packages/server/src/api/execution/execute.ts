import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, errorCatalogue, MintageError } from '@mintage/protocol';
import type { Acknowledge, TransactionItem } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { ChainContext } from '../../chain/servedChain.ts';
import { type Premise, signerChannel } from '../../db/signerTables.ts';
import type { CallTerms, Executing } from './executing.ts';
import { holdKey } from './idempotency.ts';
import { type ExecutingSender, leftMs } from './sender.ts';

/** A transaction as the caller is told of it; `value` and `gasLimit` are decimal. */
export type PlannedTransaction = Pick<TransactionItem, 'to' | 'data' | 'value' | 'gasLimit' | 'description'>;

/** One to some transactions of one embedded wallet on one chain, signed all together or not at all. */
export interface Wish {
  served: ChainContext;
  sender: ExecutingSender;
  transactions: readonly PlannedTransaction[];
  /** Unix seconds: later nothing is signed. */
  deadline: number;
  /** As the input has it. */
  acknowledge?: Acknowledge | undefined;
  /** Newest block by which it was prepared or tried. */
  seenBlock: number;
  /** The state that the transactions were made from; absent where they were not made from any. */
  premise?: Premise | undefined;
}

/** With the Idempotency-Key of its call. */
interface KeyedWish extends Wish {
  idempotencyKey: string | null;
}

/** What an answer says of an execution (`executionAnswer`). */
export interface Execution {
  executed: boolean;
  transactionHash: string;
  intentId: string | null;
}

export const notExecuted: Execution = { executed: false, transactionHash: '', intentId: null };

/**
 * Has the signer sign and send the transactions, and returns once they are signed. When nobody signs in time the wish is
 * taken back, so that it is either known to be signed or known never to be.
 *
 * @throws MintageError SERVICE_UNAVAILABLE when it was taken back: nothing happened, nothing will. OUTCOME_UNKNOWN when the
 * database did not let it be taken back. What the signer refused it for.
 */
export const execute = async (context: Executing, given: Wish, call: CallTerms): Promise<Execution> => {
  const wish: KeyedWish = { ...given, idempotencyKey: call.idempotencyKey ?? null };
  const restMs = leftMs(call) - takingBackMs;
  if (restMs < leastPatienceMs) {
    throw new MintageError('SERVICE_UNAVAILABLE', 'Preparing took too long, so nothing was executed');
  }
  const patienceMs = Math.min(context.patience.signatureMs, restMs);
  const intentId = randomUUID();
  const signed = async (): Promise<Outcome | null> => {
    await enqueue(context, wish, intentId);
    return context.signerNews.wait(intentId, () => outcomeOf(context, wish, intentId), patienceMs);
  };
  try {
    const outcome = await within(patienceMs + lastMomentMs, signed());
    if (outcome !== null) return answerOf(outcome, intentId);
  } catch (err) {
    if (err instanceof MintageError) throw err;
    // Whether it is queued, or even signed, is unknown now; what follows finds out.
    context.log.warn({ err, intentId }, 'The database failed while a signature was waited for.');
  }
  return takeBack(context, wish, intentId);
};

/** Kept free for a wish that nobody signed: a database that hangs must not make the answer late. */
const takingBackMs = 9_000;
/** Of that, for a signature that comes in the last moment. */
const lastMomentMs = 1_500;
const leastPatienceMs = 1_000;

/** @throws MintageError SERVICE_UNAVAILABLE: it is not queued. Any other error: it may be. */
const enqueue = async ({ db }: Executing, wish: KeyedWish, intentId: string): Promise<void> => {
  const { served, sender, transactions } = wish;
  const steps = transactions.map(({ to, data, value, gasLimit, description }, step) => ({
    chain_id: served.chain.chainId,
    intent_id: intentId,
    step,
    wallet: sender.address,
    to_address: to.toLowerCase(),
    value: BigInt(value),
    data: data.toLowerCase(),
    gas_limit: Number(gasLimit),
    description,
  }));
  let committing = false;
  try {
    await db.transaction().execute(async (tx) => {
      if (wish.idempotencyKey !== null) await holdKey(tx, sender.caller.userId, wish.idempotencyKey);
      await tx.insertInto('intent').values(intentRow(wish, intentId)).execute();
      await tx.insertInto('intent_step').values(steps).execute();
      await sql`select pg_notify(${signerChannel}, '')`.execute(tx);
      committing = true;
    });
  } catch (cause) {
    if (committing || cause instanceof MintageError) throw cause;
    throw new MintageError('SERVICE_UNAVAILABLE', 'The database does not answer now: nothing was executed', { cause });
  }
};

const intentRow = (
  { served, sender, deadline, acknowledge, seenBlock, premise, idempotencyKey }: KeyedWish,
  intentId: string,
) => ({
  chain_id: served.chain.chainId,
  intent_id: intentId,
  user_id: sender.caller.userId,
  wallet: sender.address,
  credential: sender.caller.credential,
  premise: premise === undefined ? null : JSON.stringify(premise),
  idempotency_key: idempotencyKey,
  expires_at: new Date(deadline * 1000),
  acknowledged: acknowledge === undefined ? null : JSON.stringify(acknowledge),
  seen_block: seenBlock,
});

type Outcome = { hash: string } | { refusal: MintageError };

/** Null while nothing is decided. */
const outcomeOf = async ({ db }: Executing, { served }: Wish, intentId: string): Promise<Outcome | null> => {
  const intent = await db
    .selectFrom('intent')
    .leftJoin('intent_step', (join) =>
      join
        .onRef('intent_step.chain_id', '=', 'intent.chain_id')
        .onRef('intent_step.intent_id', '=', 'intent.intent_id'),
    )
    .select(['intent.status', 'intent.error_code', 'intent.error', 'intent_step.hash'])
    .where('intent.chain_id', '=', served.chain.chainId)
    .where('intent.intent_id', '=', intentId)
    .orderBy('intent_step.step', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  switch (intent.status) {
    case 'queued':
      return null;
    case 'refused':
      return { refusal: refusalOf(intent) };
  }
  if (intent.hash === null) throw new Error(`the intent ${intentId} is ${intent.status} and has no hash`);
  return { hash: intent.hash };
};

/** Why the signer signed nothing. */
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

/** Either the wish is refused from now on, or its outcome is known: one statement decides. */
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

/** @throws Error when it takes longer; what it does goes on. */
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
 * Puts a refused intent in the place of the queued one. Of one whose insertion is still under way, or was lost, too: the
 * statement waits for that insertion, and later ones find the place taken.
 */
const refuse = async ({ db }: Executing, wish: KeyedWish, intentId: string): Promise<boolean> => {
  const refusal = { status: 'refused', error_code: 'SERVICE_UNAVAILABLE', error: nobodySigned } as const;
  const ended_at = sql<Date>`now()`;
  const row = await db
    .insertInto('intent')
    .values({ ...intentRow(wish, intentId), ...refusal, ended_at })
    .onConflict((conflict) =>
      conflict
        .columns(['chain_id', 'intent_id'])
        .doUpdateSet({ ...refusal, ended_at })
        .where('intent.status', '=', 'queued'),
    )
    .returning('intent_id')
    .executeTakeFirst();
  return row !== undefined;
};
