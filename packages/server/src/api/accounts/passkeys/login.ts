import { MintageError } from '@mintage/protocol';
import type { AnswerOf, UsedPasskey } from '@mintage/protocol/operations';
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { sql } from 'kysely';
import type { PasskeyTable } from '../../../db/serviceTables.ts';
import { sealed } from '../rowSeals.ts';
import { challengeMs, keepChallenge, notGenuine, type Passkeys, takeChallenge } from './challenges.ts';
import { handleOf } from './handle.ts';
import type { Place } from './place.ts';
import type { Registered } from './register.ts';

/** What a browser needs to sign in with one of the passkeys that it finds. */
export const requestOptions = async (context: Passkeys, place: Place): Promise<AnswerOf<'passkeyLoginOptions'>> => {
  const { rpId } = place;
  const { challenge } = await generateAuthenticationOptions({ rpID: rpId });
  const given = { challenge, purpose: 'login', user_id: null, is_new: false } as const;
  const expiresAt = await keepChallenge(context, place, given);
  return {
    options: { rpId, challenge, timeout: challengeMs, userVerification: 'required' },
    expiresAt: expiresAt.toISOString(),
  };
};

/**
 * Checks what a passkey signed, and counts its use.
 *
 * @throws MintageError AUTHENTICATION_FAILED.
 */
export const usePasskey = async (context: Passkeys, place: Place, credential: UsedPasskey): Promise<Registered> => {
  const { challenge } = await takeChallenge(context, place, 'login', credential.response.clientDataJSON);
  const passkey = await context.db
    .selectFrom('passkey')
    .selectAll()
    .where('credential_id', '=', credential.id)
    .executeTakeFirst();
  if (passkey === undefined || !context.seals.holds(sealed.passkey(passkey), passkey.seal)) throw unknownPasskey();
  const { newCounter, credentialBackedUp } = await verify(place, credential, challenge, passkey);
  const used = await context.db
    .updateTable('passkey')
    .set({
      counter: sql`greatest(counter, ${newCounter}::bigint)`,
      synced: credentialBackedUp,
      last_used_at: new Date(context.now()),
    })
    .where('credential_id', '=', passkey.credential_id)
    .returning('user_id')
    .executeTakeFirst();
  if (used === undefined) throw unknownPasskey();
  return { userId: used.user_id, passkeyId: passkey.credential_id, actsFrom: passkey.acts_from };
};

const verify = async (place: Place, credential: UsedPasskey, expectedChallenge: string, passkey: PasskeyTable) => {
  if (credential.response.userHandle !== Buffer.from(handleOf(passkey.user_id)).toString('base64url'))
    throw notGenuine();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: place.origins,
      expectedRPID: place.rpId,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(passkey.public_key),
        counter: passkey.counter,
      },
    });
    if (verified) return authenticationInfo;
  } catch (cause) {
    throw notGenuine(cause);
  }
  throw notGenuine();
};

const unknownPasskey = (): MintageError =>
  new MintageError('AUTHENTICATION_FAILED', 'This passkey is not known here, or was removed');
