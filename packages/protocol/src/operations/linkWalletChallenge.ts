import { z } from 'zod';
import { WalletText, walletTextFields } from '../schemas/walletText.ts';
import { operation } from './operation.ts';

export const linkWalletChallenge = operation({
  name: 'linkWalletChallenge',
  summary: 'Returns the text that a wallet signs to be linked to the account signed in.',
  description:
    'As `/auth/challenge`, and says that it links the wallet. Sign it unchanged and send it to `/auth/wallets/link` before ' +
    '`expiresAt`, signed in as the same user.',
  method: 'POST',
  path: '/auth/wallets/challenge',
  tag: 'Auth',
  input: z.strictObject(walletTextFields),
  output: WalletText,
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
