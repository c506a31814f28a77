import { z } from 'zod';
import { AddressText } from '../schemas/scalars.ts';
import { signedTextFields } from '../schemas/walletText.ts';
import { operation } from './operation.ts';

export const linkWallet = operation({
  name: 'linkWallet',
  summary: 'Links a wallet of the user’s own to the account signed in: it signs in to it from then on.',
  description: [
    'The account keeps its id, its embedded wallet and all it has; what the wallet earned and earns counts for it too. A wallet',
    'is linked for good, and to one account: one that signed in before has an account already. At most 10 wallets per account.',
  ].join('\n'),
  method: 'POST',
  path: '/auth/wallets/link',
  tag: 'Auth',
  input: z.strictObject(signedTextFields('/auth/wallets/challenge')),
  output: z.strictObject({
    success: z.literal(true),
    address: AddressText.meta({ description: 'The wallet that is linked.' }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'WALLET_TAKEN', 'TOO_MANY_WALLETS'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  usesUp: true,
  errorShape: 'A',
});
