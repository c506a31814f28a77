import { z } from 'zod';
import { WalletText, walletTextFields } from '../schemas/walletText.ts';
import { operation } from './operation.ts';

export const authChallenge = operation({
  name: 'authChallenge',
  summary: 'Returns the text that a wallet signs to sign in.',
  description:
    'The text follows EIP-4361, or Sign in with Solana for a base58 address. Sign it unchanged, an EVM wallet with ' +
    '`personal_sign`, a Solana wallet as a message, and send it to `/auth/login` before `expiresAt`. ' +
    'Each text is valid for one sign-in.',
  method: 'POST',
  path: '/auth/challenge',
  tag: 'Auth',
  input: z.object(walletTextFields),
  output: WalletText,
  errors: [],
  access: 'public',
  scope: 'read',
  limit: 'signIn',
  errorShape: 'A',
  example: { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A' },
});
