import { type ErrorCode, MintageError } from '@mintage/protocol/errors';
import { wait } from '../call.ts';
import type { CallOptions } from '../callOptions.ts';
import { type ExecuteOptions, execute } from '../execute/execute.ts';
import type { Executed } from '../execute/executed.ts';
import { type Prepared, type PreparedOperation, prepare } from '../execute/prepared.ts';
import { isApproval } from '../execute/send.ts';
import { type Sent, unconfirmed } from '../execute/sent.ts';
import type { Calls } from '../generated/calls.ts';

/** One step of a plan. Plain JSON: the caller keeps it. */
export interface PlanStep {
  name: string;
  operation: PreparedOperation;
  /** Its input. A text `$name.token` stands for the token that the step `name` created. */
  asked: Record<string, unknown>;
  /** Steps that have to be done before; absent: none. */
  after?: readonly string[];
  /** `sent`: something is on its way, or it is not known. Neither a sent step nor one that a chain refused is sent again. */
  status: 'open' | 'sent' | 'done' | 'failed';
  /** Kept from before the first transaction on. */
  prepared?: Prepared;
  /** By what its transactions are found again. */
  sent: Sent[];
  /** Of `execute`, with amounts as text. */
  executed?: unknown;
  error?: { code: ErrorCode; message: string };
}

export interface Plan {
  steps: PlanStep[];
}

export type NewStep = Pick<PlanStep, 'name' | 'operation' | 'asked' | 'after'>;

export const newPlan = (steps: readonly NewStep[]): Plan => ({
  steps: steps.map((step) => ({ ...step, status: 'open', sent: [] })),
});

export interface RunOptions extends Omit<ExecuteOptions, 'sent' | 'onSent' | 'calls'> {
  /** Keeps the plan, for good before it returns: called before each transaction and after each change. */
  save(plan: Plan): void | Promise<void>;
  /** false: what can land no more is told as TRANSACTION_EXPIRED and left, as for a run that nobody asked for; absent: it begins anew. */
  again?: boolean;
  call?: CallOptions;
}

/** A client of the service; for a wallet of Solana one that also tells what became of transactions. */
export type PlanCalls = Pick<Calls, PreparedOperation> & NonNullable<ExecuteOptions['calls']>;

/**
 * Runs what is not done, step by step. A step that fails is marked and the others go on, but for those that wait for it; run it
 * again with what `save` kept, and what nothing was sent of begins anew, beyond its approval: so does what came too late, and what can
 * land no more.
 */
export const runPlan = async (calls: PlanCalls, plan: Plan, options: RunOptions): Promise<Plan> => {
  const tried = new Set<PlanStep>();
  const next = () =>
    plan.steps.find((step) => step.status !== 'done' && !tried.has(step) && !isFinal(step) && isReady(step, plan));
  for (let step = next(); step !== undefined; step = next()) {
    tried.add(step);
    await runStep(calls, plan, step, options);
  }
  return plan;
};

/** A failure after something was sent stays. */
const isFinal = ({ status, sent }: PlanStep): boolean => status === 'failed' && sent.length > 0;

const isReady = ({ after = [] }: PlanStep, { steps }: Plan): boolean =>
  after.every((name) => steps.some((step) => step.name === name && step.status === 'done'));

const runStep = async (
  calls: PlanCalls,
  plan: Plan,
  step: PlanStep,
  { save, again = true, call, ...options }: RunOptions,
): Promise<void> => {
  const isResumed = step.sent.length > 0;
  const carryOut = (prepared: Prepared): Promise<Executed> =>
    execute(prepared, {
      ...options,
      again,
      calls,
      sent: step.sent,
      others: hashesBeside(step, plan),
      async onSent(sent) {
        step.status = 'sent';
        step.sent = [...step.sent.filter(({ key }) => key !== sent.key), sent];
        await save(plan);
      },
    });
  try {
    if (step.prepared === undefined || step.sent.length === 0) {
      step.prepared = await prepareStep(calls, plan, step, call);
    }
    const before = step.prepared;
    const executed = await carryOut(before).catch(async (error: unknown) => {
      if (!isResumed || !again || !hasCode(error, 'TRANSACTION_EXPIRED')) throw error;
      // On Solana the height is asked by something that takes nothing from what may still land.
      if (lastValidBlockHeight(before) !== null)
        await outlive(before, () => prepareStep(calls, plan, { ...step, prepared: undefined }, call), step.sent);
      // Nothing of it is on its way, whatever becomes of the next.
      step.sent = [];
      step.prepared = await prepareStep(calls, plan, step, call);
      return carryOut(step.prepared);
    });
    step.executed = storable(executed);
    step.status = 'done';
    delete step.error;
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    step.error = { code: error.code, message: error.message };
    const isOpen = error.code === 'SENT_UNCONFIRMED' || error.code === 'TRANSACTION_EXPIRED';
    const refused = (error.details as { sent?: Sent } | null)?.sent?.key;
    // What the wallet refused was told before it was asked, and never sent.
    if (!isOpen) step.sent = step.sent.filter(({ key }) => key !== refused);
    // A wallet that is not on the chain, or has another account, says nothing of what was sent before.
    const isUnasked = error.code === 'WALLET_ELSEWHERE' && !step.sent.every(isApproval);
    step.status = (isOpen && step.sent.length > 0) || isUnasked ? 'sent' : 'failed';
    // An approval alone does nothing: what it was for begins anew, and finds it on the chain.
    if (step.status === 'failed' && step.sent.every(isApproval)) step.sent = [];
    if (error.code === 'DEADLINE_PASSED' && isResumed && step.sent.length === 0) {
      await save(plan);
      return runStep(calls, plan, step, { save, again, call, ...options });
    }
  }
  await save(plan);
};

const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof MintageError && error.code === code;

/** For so many blocks a transaction of Solana is good. */
const lifetimeBlocks = 150;

/**
 * A transaction that has expired by the clock is over once the chain's height says so too: a cluster may have stood still meanwhile.
 *
 * @throws MintageError SENT_UNCONFIRMED where it is not.
 */
const outlive = async (before: Prepared, ask: () => Promise<Prepared>, [sent]: readonly Sent[]): Promise<void> => {
  const next = await ask().catch((error: unknown) => {
    throw sent === undefined ? error : unconfirmed(sent, error);
  });
  const [dead, good] = [before, next].map((one) => lastValidBlockHeight(one) ?? Number.NaN) as [number, number];
  if (sent !== undefined && !(good - lifetimeBlocks > dead)) throw unconfirmed(sent);
};

/** Null on EVM chains, where the deadline says it, by the chain's own clock. */
const lastValidBlockHeight = ({ answer }: Prepared): number | null => {
  const [item] = 'transactions' in answer ? answer.transactions : [answer.transaction];
  return item?.lastValidBlockHeight ?? null;
};

const hashesBeside = (step: PlanStep, { steps }: Plan): string[] =>
  steps.flatMap(({ sent }) => (sent === step.sent ? [] : sent.flatMap(({ hash }) => hash ?? [])));

/** A token that the plan has just created is there for the service a block or two later. */
const prepareStep = async (
  calls: PlanCalls,
  plan: Plan,
  { operation, asked: written, prepared: before }: PlanStep,
  call?: CallOptions,
): Promise<Prepared> => {
  const filled = filledIn(written, plan);
  const isNew = Object.keys(filled).some((field) => filled[field] !== written[field]);
  // A token that nothing was sent of is never made: the one that is prepared instead gets its slug.
  const asked =
    before?.operation === 'createTokenTransaction' ? { ...filled, replaces: before.answer.metadata.tokenId } : filled;
  for (let waitedMs = 0; ; waitedMs += indexedEveryMs) {
    try {
      // The input's own type is checked by the service, which reads it.
      return (await prepare(calls, operation, asked as never, call)) as Prepared;
    } catch (error) {
      const isMissing = error instanceof MintageError && error.code === 'TOKEN_NOT_FOUND';
      if (!isMissing || !isNew || waitedMs >= longestIndexMs) throw error;
      await wait(indexedEveryMs, call?.signal);
    }
  }
};

const [indexedEveryMs, longestIndexMs] = [500, 30_000];

const storable = (executed: Executed): unknown =>
  JSON.parse(JSON.stringify(executed, (_, value) => (typeof value === 'bigint' ? value.toString() : value)));

const filledIn = (asked: Record<string, unknown>, { steps }: Plan): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(asked).map(([field, value]) => {
      const named = typeof value === 'string' ? /^\$(.+)\.token$/.exec(value)?.[1] : undefined;
      const made = steps.find(({ name }) => name === named)?.executed as { token?: string | null } | undefined;
      return [field, named === undefined ? value : (made?.token ?? value)];
    }),
  );
