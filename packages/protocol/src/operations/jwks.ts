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
        kty: z.literal('OKP').meta({ description: 'Kind of the key (RFC 8037).' }),
        crv: z.literal('Ed25519').meta({ description: 'Its curve.' }),
        x: z.string().meta({ description: 'The public key, base64url.' }),
        kid: z.string().meta({ description: 'Id of the key, as in the header of a token that it signed.' }),
        alg: z.literal('EdDSA').meta({ description: 'How it signs.' }),
        use: z.literal('sig').meta({ description: 'It signs, and does not encrypt.' }),
      }),
    ),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  atRoot: true,
  errorShape: 'A',
});
