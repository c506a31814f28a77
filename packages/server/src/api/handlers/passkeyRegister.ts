import { definitions } from '@mintage/protocol/operations';
import { ownerOf } from '../accounts/passkeys/owner.ts';
import { webApp } from '../accounts/passkeys/place.ts';
import { registerPasskey } from '../accounts/passkeys/register.ts';
import { signedIn } from '../accounts/signedIn.ts';
import { handler } from './handler.ts';

export const passkeyRegister = handler(definitions.passkeyRegister, async (context, { credential, name }, call) => {
  const owner = await ownerOf(context, call);
  const passkey = { credential, name: name ?? 'Passkey' };
  return signedIn(context, call, () => registerPasskey(context, webApp(context.config), passkey, owner));
});
