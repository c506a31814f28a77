import { type ErrorCode, MintageError } from '@mintage/protocol/errors';
import type { CallOptions } from '../callOptions.ts';
import { type Executed, type ExecuteOptions, execute } from '../execute/execute.ts';
import { type Prepared, type PreparedOperation, prepare } from '../execute/prepared.ts';
import type { Sent } from '../execute/send.ts';
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

export interface RunOptions extends Omit<ExecuteOptions, 'sent' | 'onSent'> {
  /** Keeps the plan, for good before it returns: called before each transaction and after each change. */
  save(plan: Plan): void | Promise<void>;
  call?: CallOptions;
}

/**
 * Runs what is not done, step by step. A step that fails is marked and the others go on, but for those that wait for it; run it
 * again with what `save` kept, and only what is open begins anew.
 */
export const runPlan = async (
  calls: Pick<Calls, PreparedOperation>,
  plan: Plan,
  options: RunOptions,
): Promise<Plan> => {
  for (const step of plan.steps) {
    if (step.status === 'done' || isFinal(step) || !isReady(step, plan)) continue;
    await runStep(calls, plan, step, options);
  }
  return plan;
};

/** A failure after something was sent stays. */
const isFinal = ({ status, sent }: PlanStep): boolean => status === 'failed' && sent.length > 0;

const isReady = ({ after = [] }: PlanStep, { steps }: Plan): boolean =>
  after.every((name) => steps.some((step) => step.name === name && step.status === 'done'));

const runStep = async (
  calls: Pick<Calls, PreparedOperation>,
  plan: Plan,
  step: PlanStep,
  { save, call, ...options }: RunOptions,
): Promise<void> => {
  try {
    if (step.prepared === undefined || step.sent.length === 0) {
      const asked = filledIn(step.asked, plan);
      // The input's own type is checked by the service, which reads it.
      step.prepared = (await prepare(calls, step.operation, asked as never, call)) as Prepared;
    }
    const executed = await execute(step.prepared, {
      ...options,
      sent: step.sent,
      async onSent(sent) {
        step.status = 'sent';
        step.sent = [...step.sent.filter(({ key }) => key !== sent.key), sent];
        await save(plan);
      },
    });
    step.executed = storable(executed);
    step.status = 'done';
    delete step.error;
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    const isRefused = error.code === 'WALLET_REFUSED' || error.code === 'INSUFFICIENT_BALANCE';
    step.error = { code: error.code, message: error.message };
    // What the wallet refused was told before it was asked, and never sent.
    if (isRefused) step.sent = step.sent.filter(({ hash }) => hash !== null);
    step.status = error.code === 'SENT_UNCONFIRMED' ? 'sent' : 'failed';
  }
  await save(plan);
};

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
