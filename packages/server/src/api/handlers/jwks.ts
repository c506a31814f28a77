import type { HandlerOf } from './context.ts';

export const jwks: HandlerOf<'jwks'> = async ({ auth }) => ({ keys: await auth.publicKeys() });
