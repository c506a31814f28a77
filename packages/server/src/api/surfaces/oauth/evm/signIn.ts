import { createHash } from 'node:crypto';
import { type Address, MintageError } from '@mintage/protocol';
import { statements } from '@mintage/protocol/signing';
import { randomBase62 } from '../../../accounts/base62.ts';
import { recoverSigner } from '../../../accounts/evm/recoverSigner.ts';
import { firstChainId, signInMessage } from '../../../accounts/evm/signInMessage.ts';
import { sealed } from '../../../accounts/rowSeals.ts';
import { userOfWallet, type WayIn } from '../../../accounts/users.ts';
import { nonceOf } from '../../../accounts/walletTexts/walletText.ts';
import type { OauthContext } from '../oauth.ts';

const challengeMs = 5 * 60_000;
const model = 'SignInText';

/**
 * Kept apart from the texts of `/auth/challenge`: a signature for an application opens no session of the API, nor the
 * other way round.
 */
const itemOf = (nonce: string) => ({ model, id_hash: createHash('sha256').update(nonce).digest('hex') });

/** A text to sign, valid for this interaction only; it names the application that is being authorized. */
export const newSignInText = async (
  { config, db, seals, chains, oauth, now }: OauthContext,
  interaction: string,
  address: Address,
  redirectHost: string,
): Promise<string> => {
  const nonce = randomBase62(24);
  const expiresAt = new Date(now() + challengeMs);
  const message = signInMessage({
    appUrl: oauth.addresses.issuer,
    statement: statements.decide(config.platformName, redirectHost),
    address,
    chainId: firstChainId(chains),
    nonce,
    issuedAt: new Date(now()),
    expiresAt,
  });
  const item = { ...itemOf(nonce), payload: { interaction, address, message }, grant_id: null };
  await db
    .insertInto('oauth_item')
    .values({
      ...item,
      payload: JSON.stringify(item.payload),
      consumed_at: null,
      expires_at: expiresAt,
      seal: seals.of(sealed.oauthItem(item)),
    })
    .execute();
  return message;
};

/**
 * The user whose wallet signed a text of this interaction; created when there is none. The text can be used once.
 *
 * @throws MintageError AUTHENTICATION_FAILED.
 */
export const signedInUser = async (
  { db, seals, now }: OauthContext,
  interaction: string,
  message: string,
  signature: string,
): Promise<WayIn> => {
  const nonce = nonceOf(message);
  const taken =
    nonce === null
      ? undefined
      : await db
          .deleteFrom('oauth_item')
          .where('model', '=', model)
          .where('id_hash', '=', itemOf(nonce).id_hash)
          .returningAll()
          .executeTakeFirst();
  const text = taken?.payload as { interaction: string; address: Address; message: string } | undefined;
  const isSealed = taken !== undefined && seals.holds(sealed.oauthItem(taken), taken.seal);
  const isOurs = isSealed && text?.message === message && text.interaction === interaction;
  if (!isOurs || (taken?.expires_at?.getTime() ?? 0) <= now()) {
    throw new MintageError('AUTHENTICATION_FAILED', 'The text is not of this sign-in, has expired, or was used before');
  }
  const signer = recoverSigner(message, signature);
  if (signer === null || signer !== text.address) {
    throw new MintageError('AUTHENTICATION_FAILED', 'The signature is not by the wallet that asked for this text');
  }
  return userOfWallet({ db, seals }, signer);
};
