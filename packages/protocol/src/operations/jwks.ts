import { z } from 'zod';
import { operation } from './operation.ts';

export const jwks = operation({
  name: 'jwks',
  summary: 'Returns the public keys that verify access tokens (JWK Set).',
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag: 'Auth',
  input: z.object({}),
  output: z.strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  atRoot: true,
  errorShape: 'A',
});
