import type { CreatedPasskey, UsedPasskey } from '@mintage/sdk';
import type { Api } from './api.ts';
import { keepSignedIn } from './session.ts';

/** Passkeys by the browser's own Web Authentication. */

export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Signs in with a passkey that this browser finds. @throws DOMException where the person refuses; MintageError. */
export const signInWithPasskey = async (api: Pick<Api, 'passkeyLoginOptions' | 'passkeyLogin'>): Promise<void> => {
  const { options } = await api.passkeyLoginOptions();
  const found = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
  });
  keepSignedIn({ ...(await api.passkeyLogin({ credential: jsonOf<UsedPasskey>(found) })), by: 'passkey' });
};

/**
 * Creates a passkey: of a new account, or a further one of the account signed in, whose session goes on.
 *
 * @throws DOMException where the person refuses, or the device has a passkey of this account already; MintageError.
 */
export const createPasskey = async (
  api: Pick<Api, 'passkeyRegisterOptions' | 'passkeyRegister'>,
  { isNew, name }: { isNew: boolean; name?: string },
): Promise<void> => {
  const { options } = await api.passkeyRegisterOptions();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  const credential = jsonOf<CreatedPasskey>(await navigator.credentials.create({ publicKey }));
  const session = await api.passkeyRegister({ credential, ...(name && { name }) });
  if (isNew) keepSignedIn({ ...session, by: 'passkey' });
};

const jsonOf = <Credential>(credential: unknown): Credential => {
  if (credential === null) throw new DOMException('No passkey was chosen.', 'NotAllowedError');
  return (credential as PublicKeyCredential).toJSON() as Credential;
};
