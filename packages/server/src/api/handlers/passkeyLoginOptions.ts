import { definitions } from '@mintage/protocol/operations';
import { requestOptions } from '../accounts/passkeys/login.ts';
import { webApp } from '../accounts/passkeys/place.ts';
import { handler } from './handler.ts';

export const passkeyLoginOptions = handler(definitions.passkeyLoginOptions, async (context) =>
  requestOptions(context, webApp(context.config)),
);
