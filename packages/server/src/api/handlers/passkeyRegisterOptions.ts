import { definitions } from '@mintage/protocol/operations';
import { ownerOf } from '../accounts/passkeys/owner.ts';
import { webApp } from '../accounts/passkeys/place.ts';
import { creationOptions } from '../accounts/passkeys/register.ts';
import { handler } from './handler.ts';

export const passkeyRegisterOptions = handler(definitions.passkeyRegisterOptions, async (context, _input, call) =>
  creationOptions(context, webApp(context.config), await ownerOf(context, call)),
);
