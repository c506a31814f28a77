import { MintageError } from '@mintage/protocol';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import type { PasskeyChallengeTable } from '../../../db/serviceTables.ts';
import { type Accounts, sealed } from '../rowSeals.ts';
import type { Place } from './place.ts';

export const challengeMs = 5 * 60_000;

type Purpose = PasskeyChallengeTable['purpose'];

export interface Passkeys extends Accounts {
  now: () => number;
}

/** Keeps a challenge for any process to take. @returns When it expires. */
export const keepChallenge = async (
  { db, seals, now }: Passkeys,
  { flow }: Place,
  given: Pick<PasskeyChallengeTable, 'challenge' | 'purpose' | 'user_id' | 'is_new'>,
): Promise<Date> => {
  const expires_at = new Date(now() + challengeMs);
  const row = { ...given, flow, expires_at };
  await db.deleteFrom('passkey_challenge').where('expires_at', '<=', new Date(now())).execute();
  await db
    .insertInto('passkey_challenge')
    .values({ ...row, seal: seals.of(sealed.passkeyChallenge(row)) })
    .execute();
  return expires_at;
};

/**
 * The challenge that an authenticator signed, taken out: it works once, also when what was signed is no good.
 *
 * @throws MintageError AUTHENTICATION_FAILED.
 */
export const takeChallenge = async (
  { db, seals, now }: Passkeys,
  { flow }: Place,
  purpose: Purpose,
  clientDataJSON: string,
): Promise<PasskeyChallengeTable> => {
  const challenge = challengeIn(clientDataJSON);
  const taken =
    challenge === null
      ? undefined
      : await db
          .deleteFrom('passkey_challenge')
          .where('challenge', '=', challenge)
          .where('purpose', '=', purpose)
          .where('flow', 'is not distinct from', flow)
          .returningAll()
          .executeTakeFirst();
  const isOurs = taken !== undefined && seals.holds(sealed.passkeyChallenge(taken), taken.seal);
  if (!isOurs || taken.expires_at.getTime() <= now()) {
    throw new MintageError(
      'AUTHENTICATION_FAILED',
      'The challenge is not one of ours, has expired, or was used before: ask for new options',
    );
  }
  return taken;
};

/** Null when the text is no such JSON. */
const challengeIn = (clientDataJSON: string): string | null => {
  try {
    const { challenge } = decodeClientDataJSON(clientDataJSON) as { challenge?: unknown };
    return typeof challenge === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(challenge) ? challenge : null;
  } catch {
    return null;
  }
};

export const notGenuine = (cause?: unknown): MintageError =>
  new MintageError(
    'AUTHENTICATION_FAILED',
    'This is not by a passkey for this service, on one of its pages, with the user verified',
    { cause },
  );
