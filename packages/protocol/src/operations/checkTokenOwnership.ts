import { z } from 'zod';
import { AddressText, BaseUnits, TokenRef } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const checkTokenOwnership = operation({
  name: 'checkTokenOwnership',
  summary: 'Returns whether any given wallet holds a token, and how much on all chains together.',
  method: 'POST',
  path: '/check-token-ownership',
  tag: 'Tokens',
  input: z.object({ token_id: TokenRef, user_address: AddressText }),
  output: z.object({
    success: z.literal(true),
    is_holder: z.boolean().meta({ description: 'Whether the wallet holds any of it.' }),
    balance: z.number().nonnegative().meta({ description: 'Whole tokens; the exact amount is balance_raw.' }),
    balance_raw: BaseUnits,
    cached: z.literal(false).meta({ description: 'Always false: read at the newest indexed block.' }),
  }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token', user_address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
});
