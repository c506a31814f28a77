import { randomUUID } from 'node:crypto';
import { MintageError } from '@mintage/protocol';
import type { AnswerOf, CreatedPasskey } from '@mintage/protocol/operations';
import {
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import type { Config } from '../../../config.ts';
import type { Tx } from '../../../db/serviceTables.ts';
import type { Caller } from '../caller.ts';
import { tellAccess } from '../newAccess.ts';
import { sealed } from '../rowSeals.ts';
import { holdSession } from '../sessions.ts';
import { lockUser } from '../users.ts';
import { challengeMs, keepChallenge, notGenuine, type Passkeys, takeChallenge } from './challenges.ts';
import { accountName, handleOf } from './handle.ts';
import type { Place } from './place.ts';

export const mostPasskeys = 20;

/** EdDSA, ES256, RS256: those that authenticators have and that are no experiment in Node; the best one first. */
const algorithms = [-8, -7, -257];

/** Who gets a passkey, and from when it acts; null: a new account. */
export type Owner = (Pick<Caller, 'userId' | 'session'> & { actsFrom: Date | null }) | null;

/**
 * What a browser needs to create a passkey.
 *
 * @throws MintageError TOO_MANY_PASSKEYS.
 */
export const creationOptions = async (
  context: Passkeys & { config: Pick<Config, 'platformName'> },
  place: Place,
  owner: Owner,
): Promise<AnswerOf<'passkeyRegisterOptions'>> => {
  const { platformName } = context.config;
  const userId = owner?.userId ?? randomUUID();
  const known = owner === null ? [] : await passkeysOf(context.db, userId);
  if (known.length >= mostPasskeys) throw tooMany();
  const name = accountName(platformName, userId);
  const made = await generateRegistrationOptions({
    rpName: platformName,
    rpID: place.rpId,
    userID: handleOf(userId),
    userName: name,
    userDisplayName: name,
    timeout: challengeMs,
    supportedAlgorithmIDs: algorithms,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { challenge, user, pubKeyCredParams, timeout = challengeMs } = made;
  const expiresAt = await keepChallenge(context, place, {
    challenge,
    purpose: 'register',
    user_id: userId,
    is_new: owner === null,
  });
  return {
    options: {
      rp: { id: place.rpId, name: platformName },
      user,
      challenge,
      pubKeyCredParams,
      timeout,
      excludeCredentials: known.map(({ credential_id, transports }) => ({
        id: credential_id,
        type: 'public-key',
        transports,
      })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    },
    expiresAt: expiresAt.toISOString(),
  };
};

export interface Registered {
  userId: string;
  passkeyId: string;
  /** From when it acts; null: it does not wait. */
  actsFrom: Date | null;
}

/**
 * Checks a created passkey and keeps it; makes the account when it is for a new one.
 *
 * @param owner - Who sends it: the same as asked for the options.
 * @throws MintageError AUTHENTICATION_FAILED, TOO_MANY_PASSKEYS.
 */
export const registerPasskey = async (
  context: Passkeys,
  place: Place,
  { credential, name }: { credential: CreatedPasskey; name: string },
  owner: Owner,
): Promise<Registered> => {
  const challenge = await takeChallenge(context, place, 'register', credential.response.clientDataJSON);
  const userId = challenge.user_id as string; // set for this purpose
  if (challenge.is_new ? owner !== null : owner?.userId !== userId) {
    throw new MintageError('AUTHENTICATION_FAILED', 'The options were made for another account: ask for new ones');
  }
  const verified = await verify(place, credential, challenge.challenge);
  if (!verified.verified) throw notGenuine();
  const { credential: made, credentialBackedUp } = verified.registrationInfo;
  const actsFrom = owner?.actsFrom ?? null;
  await context.db.transaction().execute(async (tx) => {
    if (owner === null) await tx.insertInto('app_user').values({ user_id: userId }).execute();
    else await holdPlace(tx, owner, context.now());
    const row = {
      credential_id: made.id,
      user_id: userId,
      public_key: Buffer.from(made.publicKey),
      acts_from: actsFrom,
    };
    const kept = await tx
      .insertInto('passkey')
      .values({
        ...row,
        seal: context.seals.of(sealed.passkey(row)),
        name,
        counter: made.counter,
        transports: credential.response.transports ?? [],
        synced: credentialBackedUp,
        created_at: new Date(context.now()),
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('credential_id')
      .executeTakeFirst();
    if (kept === undefined) throw new MintageError('AUTHENTICATION_FAILED', 'This passkey is registered already');
    if (owner !== null) await tellAccess(tx, userId, 'passkey_added', made.id, context.now());
  });
  return { userId, passkeyId: made.id, actsFrom };
};

/** Keeps one more place for a passkey of a signed-in user, until the transaction ends. */
const holdPlace = async (tx: Tx, owner: NonNullable<Owner>, nowMs: number): Promise<void> => {
  await lockUser(tx, owner.userId);
  await holdSession(tx, owner, nowMs);
  if ((await passkeysOf(tx, owner.userId)).length >= mostPasskeys) throw tooMany();
};

const passkeysOf = (db: Passkeys['db'], userId: string) =>
  db.selectFrom('passkey').select(['credential_id', 'transports']).where('user_id', '=', userId).execute();

const verify = async (
  place: Place,
  credential: CreatedPasskey,
  expectedChallenge: string,
): Promise<VerifiedRegistrationResponse> => {
  try {
    requireNoCertificates(credential);
    return await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: place.origins,
      expectedRPID: place.rpId,
      supportedAlgorithmIDs: algorithms,
    });
  } catch (cause) {
    throw notGenuine(cause);
  }
};

/**
 * We ask for no attestation, and browsers send none. One with certificates would have the library fetch the revocation lists
 * that a stranger's certificates name (M1).
 */
const requireNoCertificates = ({ response }: CreatedPasskey): void => {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format: string = attestation.get('fmt');
  const isSelfMade = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isSelfMade) throw new Error('the attestation is made with certificates');
};

const tooMany = (): MintageError => new MintageError('TOO_MANY_PASSKEYS', `There are ${mostPasskeys} passkeys already`);
