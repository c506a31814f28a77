import { z } from 'zod';
import { AddressText, IsoTime } from '../schemas/scalars.ts';
import { signedTextFields } from '../schemas/walletText.ts';
import { operation } from './operation.ts';

export const linkWallet = operation({
  name: 'linkWallet',
  summary: 'Links a wallet of the user’s own to the account signed in: it signs in to it from then on.',
  description: [
    'The account keeps its id, its embedded wallet and all it has; what the wallet earned and earns counts for it too. A wallet',
    'is linked to one account: one that signed in before has an account already. At most 10 wallets per account.',
    '',
    'Needs a sign-in of the last 5 minutes with a passkey or wallet, if the account has one. Until `actsFrom` the wallet only reads and',
    'prepares, and `/auth/wallets/unlink` undoes it.',
  ].join('\n'),
  method: 'POST',
  path: '/auth/wallets/link',
  tag: 'Auth',
  input: z.strictObject(signedTextFields('/auth/wallets/challenge')),
  output: z.strictObject({
    success: z.literal(true),
    address: AddressText.meta({ description: 'The wallet that is linked.' }),
    actsFrom: IsoTime.nullable().meta({ description: 'From when it withdraws and signs; null: at once.' }),
  }),
  errors: [
    'AUTHENTICATION_FAILED',
    'SCOPE_MISSING',
    'CONFIRMATION_NEEDED',
    'ACCESS_TOO_NEW',
    'WALLET_TAKEN',
    'TOO_MANY_WALLETS',
  ],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  usesUp: true,
  errorShape: 'A',
});
