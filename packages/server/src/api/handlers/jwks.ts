import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

export const jwks = handler(definitions.jwks, async ({ auth }) => ({ keys: await auth.publicKeys() }));
