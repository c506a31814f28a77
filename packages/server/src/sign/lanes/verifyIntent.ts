import { areProven, type Claims } from '../../db/intentProof.ts';
import { keeperUser } from '../../db/keeperWallet.ts';
import type { Context, Lane } from '../context.ts';
import { revoked, type StepReader } from '../policy/policy.ts';
import { dayOf, type LogPlace } from '../signingLog/signingLog.ts';
import { bytesOf, type Intent, type Reason, type Step } from './intents.ts';

/** Where the signing log has the intent of a proof. */
export const placeOf = ({
  issuedAt,
  userId,
  intentId,
}: Pick<Claims, 'issuedAt' | 'userId' | 'intentId'>): LogPlace => ({
  day: dayOf(issuedAt),
  userId,
  intentId,
});

/**
 * What the API vouches for of an intent, or why nothing of it may be signed. The rows of the database are believed as
 * far as the proof covers them.
 *
 * The keeper's intents have no proof. Its wallet signs calls that move nothing, such as a graduation, and no others.
 */
export const verifyIntent = async (
  { intents, signingLog, log }: Pick<Context, 'intents' | 'signingLog' | 'log'>,
  { chain, wallet }: Lane & { chain: { reader: StepReader } },
  intent: Intent,
  steps: readonly Step[],
): Promise<Claims | Reason> => {
  if (intent.user_id === keeperUser) return keeperClaims(intent, steps, chain.reader);
  const claims = await intents.verify(intent.proof);
  const isOfRows =
    claims !== null &&
    claims.intentId === intent.intent_id &&
    claims.eid === chain.eid &&
    claims.userId === intent.user_id &&
    claims.wallet === wallet &&
    steps.every(({ step }, at) => step === at) &&
    areProven(
      steps.map((step) => ({ ...bytesOf(step), gasLimit: step.gas_limit })),
      claims,
    );
  if (!isOfRows) {
    log.error({ chain: chain.slug, wallet, intent: intent.intent_id }, 'an intent has no valid proof of the API');
    return { code: 'AUTHENTICATION_FAILED', message: 'The API did not request this transaction: nothing was signed.' };
  }
  if (claims.isExpired || claims.issuedAt < signingLog.since)
    return { code: 'DEADLINE_PASSED', message: 'The request is too old: nothing was signed.' };
  for (const credential of [claims.credential, claims.session]) {
    if (credential !== null && (await signingLog.isRevoked(credential))) return revoked;
  }
  return claims;
};

const keeperClaims = (intent: Intent, steps: readonly Step[], reader: StepReader): Claims | Reason => {
  const moves = steps.some(
    (step) => step.value !== 0n || reader.actions(bytesOf(step)).some(({ does }) => does !== 'nothing'),
  );
  if (moves)
    return { code: 'RECIPIENT_NOT_ALLOWED', message: 'The wallet of the keeper signs only calls that move nothing.' };
  const { eid, intent_id: intentId, user_id: userId, wallet, created_at } = intent;
  return {
    eid,
    intentId,
    userId,
    wallet,
    credential: null,
    budget: null,
    ownWallets: [wallet],
    acknowledged: null,
    premise: null,
    seenBlock: null,
    session: null,
    isExpired: false,
    stepsHash: '',
    issuedAt: Math.floor(created_at.getTime() / 1000),
  };
};
