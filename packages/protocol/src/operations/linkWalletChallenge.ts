import { z } from 'zod';
import { AddressText, IsoTime, optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const linkWalletChallenge = operation({
  name: 'linkWalletChallenge',
  summary: 'Returns the text that a wallet signs to be linked to the account signed in.',
  description:
    'The text follows EIP-4361, and says that it links the wallet. Sign it unchanged with `personal_sign` and send it to ' +
    '`/auth/wallets/link` before `expiresAt`, signed in as the same user.',
  method: 'POST',
  path: '/auth/wallets/challenge',
  tag: 'Auth',
  input: z.strictObject({
    address: AddressText,
    chainId: optional(z.int().positive()).meta({
      description: 'Chain that the text names; absent: the first chain of this service.',
    }),
  }),
  output: z.strictObject({
    message: z.string().meta({ description: 'The text, to be signed as it is.' }),
    nonce: z.string().meta({ description: 'Part of the text; good once.' }),
    expiresAt: IsoTime.meta({ description: 'Until when the wallet can be linked with it.' }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
