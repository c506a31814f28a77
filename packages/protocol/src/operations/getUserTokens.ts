import { z } from 'zod';
import { limitUpTo, offsetUpTo, Page } from '../schemas/paging.ts';
import { AddressText, optional, Uuid } from '../schemas/scalars.ts';
import { TokenRecord } from '../schemas/tokenRecord.ts';
import { operation } from './operation.ts';

export const getUserTokens = operation({
  name: 'getUserTokens',
  summary: 'Lists the tokens that a user created or holds.',
  description:
    'Of a user: by all wallets of theirs; others see none that the user created while the wallets are hidden, and what they hold ' +
    'only if they show both. Of an address: what the chains say of it, whoever has it. Created tokens come newest first, held ones by value.',
  method: 'POST',
  path: '/get-user-tokens',
  tag: 'People',
  input: z.object({
    user_id: optional(Uuid).meta({ description: 'Id of the user; without it and an address: the caller.' }),
    address: optional(AddressText).meta({ description: 'A wallet, instead of a user.' }),
    kind: z.enum(['created', 'held']).default('created').meta({ description: 'Absent means created.' }),
    limit: limitUpTo(100, 20),
    offset: offsetUpTo(10_000),
  }),
  output: z.object({ success: z.literal(true), tokens: z.array(TokenRecord), pagination: Page }),
  errors: ['USER_NOT_FOUND', 'HOLDINGS_PRIVATE', 'AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { user_id: '056d006a-2c1e-4f7b-9d3a-8e5f60718293', kind: 'created' },
});
