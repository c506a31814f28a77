import type { Deployment } from '@mintage/protocol';
import type { Claims } from '../../db/intentProof.ts';
import type { Context, Lane, Tx } from '../context.ts';
import { admit, type StepReader } from '../policy/policy.ts';
import type { Outflow } from '../signingLog/signingLog.ts';
import { bytesOf, holdQueued, type Intent, type Reason, refuse, type Step, stepsOf } from './intents.ts';
import { verifyIntent } from './verifyIntent.ts';
import { whyNot } from './whyNot.ts';

/** A lane of a chain whose steps the policy reads. */
export interface JudgedLane extends Lane {
  chain: Lane['chain'] & { deployment: Deployment; reader: StepReader };
}

/** What a family adds to the decision. */
interface FamilyTerms {
  /** The user that the wallet's key is sealed for; undefined: it was not opened. */
  owner: string | undefined;
  /** Newest block of the chain. */
  head: number;
  /** What the gas of a wallet may cost in a day, native base units. */
  feesPerDay: bigint;
  /** Why the chain or its fees do not allow the steps; 'wait': not now. */
  objection(steps: readonly Step[]): Promise<Reason | 'wait' | undefined>;
}

/** An intent that may be signed. */
export interface Admitted {
  claims: Claims;
  steps: readonly Step[];
  /** Dollars with 18 decimals that it counts in the budget of its credential. */
  usd18: bigint;
  /** What leaves the wallet. */
  outflow: Outflow;
}

/**
 * Decides whether a queued intent is signed, in the transaction that records its signatures (`recordFirst`), with the
 * lane locked: the API vouches for it, the user has not paused, the family has no objection, and the policy admits it. A
 * refusal is recorded here.
 *
 * @returns 'gone': it may not be signed any more. 'wait': it stays queued, and so do the ones after it.
 */
export const decideIntent = async (
  context: Context,
  tx: Tx,
  lane: JudgedLane,
  intentId: string,
  terms: FamilyTerms,
): Promise<Admitted | 'refused' | 'gone' | 'wait'> => {
  const intent = await holdQueued(tx, lane, intentId);
  if (intent === undefined) return 'gone';
  const decision = await decide(context, tx, lane, intent, terms);
  if (decision === 'wait' || 'claims' in decision) return decision;
  await refuse(tx, lane, intentId, decision);
  context.log.info({ chain: lane.chain.slug, wallet: lane.wallet, intent: intentId, ...decision }, 'refused');
  return 'refused';
};

const decide = async (
  context: Context,
  tx: Tx,
  lane: JudgedLane,
  intent: Intent,
  { owner, head, feesPerDay, objection }: FamilyTerms,
): Promise<Admitted | Reason | 'wait'> => {
  const steps = await stepsOf(tx, intent);
  const claims = await verifyIntent(context, lane, intent, steps);
  if ('code' in claims) return claims;
  const reason = (await whyNot(tx, lane, intent, steps, owner)) ?? (await objection(steps));
  if (reason !== undefined) return reason;
  const { deployment, reader } = lane.chain;
  const { policy, signingLog } = context;
  const admission = await admit(tx, claims, steps.map(bytesOf), {
    deployment,
    reader,
    policy,
    signingLog,
    head,
    feesPerDay,
  });
  return admission === 'wait' || 'code' in admission ? admission : { claims, steps, ...admission };
};
