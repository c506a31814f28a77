import { MintageError, type Plan, type PlanStep, type Prepared } from '@mintage/sdk';
import type { ConnectedWallet } from './announced.ts';
import type { Api } from './api.ts';

/**
 * Several steps that this browser carries through, whatever happens in between: what is kept of them is enough to go on after a
 * reload, and nothing is sent twice. A step of a wallet of this browser is a step of the SDK's plans; one of the embedded wallet is
 * a call with a key by which the service does it once.
 */
export interface JobStep extends PlanStep {
  /** Who signs it, as `keyOf`; null: the embedded wallet, by the service. */
  wallet: string | null;
  /** Of the call that executes it; kept from before it is made, until it was refused for certain. */
  key?: string;
  /** What the service is doing about it; null: there was nothing to do. */
  intent?: string | null;
}

/** Plain data: it is kept in the browser's database. */
export interface Job<About> {
  /** By which one that was discarded is told from the one after it; absent before it begins. */
  id?: string;
  userId: string;
  about: About;
  steps: JobStep[];
}

/** By what a step is told apart, and what it does; who signs it is the same for all that one person does at once. */
export const newStep = (
  step: Pick<JobStep, 'name' | 'operation' | 'asked' | 'wallet'> & { after?: readonly string[] },
): JobStep => ({ ...step, status: 'open', sent: [] });

/** A chain took back what was sent: only a new job can do it again. */
export const isOver = ({ status, sent }: PlanStep): boolean => status === 'failed' && sent.length > 0;

/** The wallet is being asked, and has sent nothing yet. */
export const isAsked = ({ wallet, sent }: JobStep): boolean =>
  wallet !== null && sent.every(({ hash }) => hash === null);

/** It may have been sent, and nobody could say so far. Looking again sends nothing. */
export const isUnconfirmed = ({ status, error }: PlanStep): boolean =>
  status === 'sent' && error?.code === 'SENT_UNCONFIRMED';

export const isJobDone = ({ steps }: Pick<Job<unknown>, 'steps'>): boolean =>
  steps.every(({ status }) => status === 'done');

interface Running {
  wallet: ConnectedWallet | null;
  /** Whether what can land no more begins anew: somebody pressed. */
  again: boolean;
  /** Keeps the job, for good before it resolves. */
  save(): Promise<void>;
  /** What has to be waited for before a step begins. */
  before?(step: JobStep): Promise<void>;
  /** Other steps are left as they are; absent: none is. */
  only?(step: JobStep): boolean;
}

/** Runs the steps that are not done, one after the other. One that fails is marked, and those that do not wait for it go on. */
export const runJob = async <About>(api: Api, { steps }: Job<About>, running: Running): Promise<void> => {
  for (const step of steps) {
    const isWaiting = (step.after ?? []).some(
      (name) => !steps.some((one) => one.name === name && one.status === 'done'),
    );
    if (step.status === 'done' || isOver(step) || isWaiting || running.only?.(step) === false) continue;
    await running.before?.(step);
    if (step.wallet === null) await runByService(api, steps, step, running.save);
    else if (step.wallet === running.wallet?.address) await runByWallet(api, steps, step, running.wallet, running);
  }
};

/** The plan sees the other steps as done: which of them wait is decided here. */
const runByWallet = async (
  api: Api,
  steps: readonly JobStep[],
  step: JobStep,
  wallet: ConnectedWallet,
  { again, save }: Running,
): Promise<void> => {
  const plan: Plan = { steps: steps.map((one) => (one === step ? one : { ...one, status: 'done' })) };
  const { runPlanHere } = await import('./signing.ts');
  await runPlanHere(api, plan, wallet, { again, save });
};

const runByService = async (
  api: Api,
  steps: readonly JobStep[],
  step: JobStep,
  save: Running['save'],
): Promise<void> => {
  const key = step.key ?? crypto.randomUUID();
  step.key = key;
  step.status = 'sent';
  delete step.error;
  await save();
  try {
    if (step.intent === undefined) {
      const asked = { ...filledIn(step.asked, steps), execute: true };
      const call = api[step.operation] as (input: unknown, options: object) => Promise<Prepared['answer']>;
      const answer = await call(asked, { idempotencyKey: key });
      // The operation is the step's own, whichever it is.
      step.prepared = { operation: step.operation, asked, answer } as Prepared;
      step.intent = answer.intentId;
      await save();
    }
    const hash = step.intent === null ? null : await minedOf(api, step.intent);
    step.executed = { token: tokenOf(step), transactions: hash === null ? [] : [{ hash }] };
    step.status = 'done';
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    step.error = { code: error.code, message: error.message };
    // Without an answer it may have been done: the same key finds out. What was refused begins anew under another.
    const isUnsure = error.kind.status === 0 || error.kind.status >= 500;
    step.status = isUnsure ? 'sent' : 'failed';
    if (!isUnsure) {
      delete step.key;
      delete step.intent;
    }
  }
  await save();
};

/** Resolves with the hash once it is in a block. @throws MintageError When it failed or was taken back. */
const minedOf = async (api: Api, intentId: string): Promise<string> => {
  for (;;) {
    const { status, hash, error } = await api.transactionStatus({ intentId });
    if (status === 'mined' || status === 'final') return hash;
    if (status === 'failed' || status === 'reverted')
      throw new MintageError('TRANSACTION_FAILED', error ?? `The transaction was ${status}.`);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
};

/** The token that a step of creation makes, as its prepared answer fixes it; null: it creates none. */
const tokenOf = ({ prepared }: PlanStep): string | null =>
  prepared?.operation === 'createTokenTransaction' ? addressIn(prepared.answer.metadata.addresses) : null;

/** A token that is just created has one address, that of its chain's family. */
export const addressIn = ({ evm, solana }: { evm: string; solana: string }): string => evm || solana;

/** `$name.token` stands for the token that the step `name` created. */
const filledIn = (asked: Record<string, unknown>, steps: readonly JobStep[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(asked).map(([field, value]) => {
      const named = typeof value === 'string' ? /^\$(.+)\.token$/.exec(value)?.[1] : undefined;
      const made = steps.find(({ name }) => name === named);
      return [field, made === undefined ? value : tokenOf(made)];
    }),
  );
