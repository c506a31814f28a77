import { definitions } from '@mintage/protocol/operations';
import { usePasskey } from '../accounts/passkeys/login.ts';
import { webApp } from '../accounts/passkeys/place.ts';
import { signedIn } from '../accounts/signedIn.ts';
import { handler } from './handler.ts';

export const passkeyLogin = handler(definitions.passkeyLogin, (context, { credential }, call) =>
  signedIn(context, call, () => usePasskey(context, webApp(context.config), credential)),
);
