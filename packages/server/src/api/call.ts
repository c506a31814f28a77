import { inputSchemaOf, isWrite, MintageError, type Operation } from '@mintage/protocol';
import type { Readers } from '../db/readers.ts';
import type { ServiceDatabase } from '../db/serviceTables.ts';
import { describeSpan } from '../tracing.ts';
import type { Caller } from './accounts/caller.ts';
import { requireAccess } from './accounts/requireAccess.ts';
import { requireVoice } from './accounts/requireVoice.ts';
import { once } from './execution/idempotency.ts';
import type { Call, Context, Perform } from './handlers/context.ts';
import { handlers } from './handlers/generated/handlers.ts';
import type { Handler } from './handlers/handler.ts';
import { requireAllowedText } from './people/blockedText.ts';
import { parseInput } from './wire/parseInput.ts';
import { createTimeLimit } from './wire/timeLimit.ts';

/** A call as a surface takes it in. */
export interface Asked extends Pick<Call, 'caller' | 'requestId' | 'address' | 'http' | 'countAs'> {
  operation: Operation;
  /** As it was sent. */
  input: unknown;
  /** The caller's own name for it: a write under one is done once. */
  key?: string | undefined;
  /** Takes from the allowance of writes, where the call was counted as a read when it came. */
  countWrite?(): Promise<void>;
  /** Aborts when nobody waits for the answer any more, at the latest at `untilMs`; made when asked for. */
  gone(untilMs: number): AbortSignal;
}

export interface Answered {
  output: unknown;
  /** Whether it is the answer of an earlier call with the same key. */
  replayed: boolean;
  /** When the time of the call is over, on the clock of `performance.now()`. */
  untilMs: number;
}

export type Calling = (asked: Asked) => Promise<Answered>;

/** What a call is made with, beside what its handler uses. */
export interface CallingContext extends Context {
  /** Where the database has standbys. */
  readers: Readers | null;
  metrics: Context['metrics'] & {
    /** Counts a read that a standby could answer, by who did: `failed` is one that then went to the primary. */
    countRead(by: 'standby' | 'primary' | 'failed'): void;
  };
}

/**
 * The one way to call an operation, whatever the surface: access and scope, input, allowance, once under a key, within the
 * time limit, handler, and a check of what it answers.
 */
export const createCall = (context: CallingContext): Calling => {
  const { db, offLoop, config } = context;
  const answer = spread(context);
  const inTime = createTimeLimit(config.handlerTimeoutMs);
  return async (asked) => {
    const { operation, caller, requestId, address, http, countAs, key } = asked;
    await requireAccess(context, operation, caller);
    const input = parseInput(inputSchemaOf(operation, asked.input), asked.input);
    describeSpan({ 'mintage.chain': (input as { chainSlug?: string }).chainSlug });
    const writes = isWrite(operation, input);
    if (writes && operation.limit !== 'write') await asked.countWrite?.();
    await requireVoice(context, operation, asked);
    requireAllowedText(context, operation, input);
    const untilMs = performance.now() + config.handlerTimeoutMs;
    const idempotencyKey = writes && caller !== null ? key : undefined;
    const call: Call = {
      caller,
      requestId,
      address,
      http,
      countAs,
      idempotencyKey,
      untilMs,
      gone: () => asked.gone(untilMs),
    };
    const work = async (): Promise<unknown> => {
      const output = await answer(operation, input, call);
      if (config.checkOutputs) operation.output.parse(output);
      return output;
    };
    if (caller === null || idempotencyKey === undefined) {
      return { output: await inTime(work()), replayed: false, untilMs };
    }
    const named = { operation, userId: caller.userId, address, key: idempotencyKey, input: asked.input };
    return { ...(await inTime(once({ db, offLoop, ...named }, work))), untilMs };
  };
};

/** An operation within the call of another, which has read the input, was counted, and has its answer checked. */
export const perform = async (context: Context, ...[shown, input, call]: Parameters<Perform>): Promise<object> => {
  await requireAccess(context, shown.operation, call.caller);
  await requireVoice(context, shown.operation, call);
  requireAllowedText(context, shown.operation, input);
  return answerBy(context, shown.operation, input, call, shown.view);
};

type Answer = (operation: Operation, input: unknown, call: Call) => Promise<object>;

/**
 * Reads go to a standby that shows all that was committed before they came. What fails there for another reason than the caller's,
 * because the standby went away or would have to write, is asked again of the server that takes writes.
 */
const spread = (context: CallingContext): Answer => {
  const { readers, metrics } = context;
  const atPrimary: Answer = (operation, input, call) => answerBy(context, operation, input, call);
  if (readers === null) return atPrimary;
  const elsewhere = new Map(readers.all.map((db) => [db, { ...context, db: db.withTables<ServiceDatabase>() }]));
  return async (operation, input, call) => {
    if (!onlyReads(operation)) return atPrimary(operation, input, call);
    const db = await readers.next();
    const reading = db === null ? undefined : elsewhere.get(db);
    metrics.countRead(reading === undefined ? 'primary' : 'standby');
    if (reading === undefined) return atPrimary(operation, input, call);
    try {
      return await answerBy(reading, operation, input, call);
    } catch (error) {
      if (error instanceof MintageError) throw error;
      metrics.countRead('failed');
      return atPrimary(operation, input, call);
    }
  };
};

/** `me` has a wallet made; what the service says of itself, its streams and sign-ins are not of the tables. */
const onlyReads = ({ name, tag, scope, limit }: Operation): boolean =>
  scope === 'read' &&
  limit === undefined &&
  name !== 'me' &&
  (tag === 'Tokens' || tag === 'Trading' || tag === 'Rewards' || tag === 'Account');

const answerBy = async (
  context: Context,
  operation: Operation,
  input: unknown,
  call: Call,
  view = operation.view,
): Promise<object> => {
  const facts = await handlerOf(operation).handle(context, input, call as Call<Caller>);
  return (view === undefined ? facts : view(facts)) as object;
};

/** Who answers whom is checked by the types of the list. */
const byName: Readonly<Record<string, Handler>> = handlers;
const handlerOf = ({ name }: Operation): Handler => {
  const found = byName[name];
  if (found === undefined) throw new MintageError('INTERNAL_ERROR', `${name} has no handler`);
  return found;
};
