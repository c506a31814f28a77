import { z } from 'zod';
import { AddressText } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const unlinkWallet = operation({
  name: 'unlinkWallet',
  summary: 'Unlinks a wallet from the account signed in: it signs in no more, and its sessions end.',
  description: [
    'What the wallet earned and earns goes on counting for the account, so only this account can link it again. A wallet that was',
    'linked a moment ago and does not act yet is unlinked by any sign-in that acts; another one needs a fresh sign-in with a',
    'passkey or wallet. The last way into an account cannot be removed.',
  ].join('\n'),
  method: 'POST',
  path: '/auth/wallets/unlink',
  tag: 'Auth',
  input: z.strictObject({ address: AddressText.meta({ description: 'The wallet, as `/me` lists it.' }) }),
  output: z.strictObject({ success: z.literal(true) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'CONFIRMATION_NEEDED', 'ACCESS_TOO_NEW', 'LAST_WAY_IN'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
