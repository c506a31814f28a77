import { MintageError } from '@mintage/protocol';
import { CreatedPasskey, UsedPasskey } from '@mintage/protocol/operations';
import { z } from 'zod';
import { requestOptions, usePasskey } from '../../accounts/passkeys/login.ts';
import { oauthPages, type Place } from '../../accounts/passkeys/place.ts';
import { creationOptions, registerPasskey } from '../../accounts/passkeys/register.ts';
import type { WayIn } from '../../accounts/users.ts';
import { parseInput } from '../../wire/parseInput.ts';
import { parseJson } from '../../wire/parseJson.ts';
import type { OauthContext } from './oauth.ts';

const Purpose = z.enum(['register', 'login']);

/** Whether browsers let the pages use the passkeys of the web app. */
export const hasPasskeys = ({ config }: OauthContext): boolean => oauthPages(config, '') !== null;

/** What a browser needs on the page of this flow; to register is to make a new account. */
export const passkeyOptions = (context: OauthContext, flow: string, body: unknown) => {
  const { purpose } = parseInput(z.strictObject({ purpose: Purpose }), body);
  const place = placeOf(context, flow);
  return purpose === 'login' ? requestOptions(context, place) : creationOptions(context, place, null);
};

/**
 * The user whose passkey the form holds; created with it when it is a new one. What it signed is good for this flow alone, and
 * opens no session of the API.
 *
 * @throws MintageError AUTHENTICATION_FAILED, INVALID_PARAMETERS, INVALID_JSON.
 */
export const passkeyUser = async (context: OauthContext, flow: string, form: URLSearchParams): Promise<WayIn> => {
  const place = placeOf(context, flow);
  const { purpose } = parseInput(z.object({ purpose: Purpose }), { purpose: form.get('purpose') });
  const credential = parseJson(form.get('credential') ?? '');
  return purpose === 'login'
    ? usePasskey(context, place, parseInput(UsedPasskey, credential))
    : registerPasskey(context, place, { credential: parseInput(CreatedPasskey, credential), name: 'Passkey' }, null);
};

const placeOf = ({ config }: OauthContext, flow: string): Place => {
  const place = oauthPages(config, flow);
  if (place === null) throw new MintageError('NOT_FOUND', 'There are no passkeys on this page');
  return place;
};
