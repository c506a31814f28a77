import { z } from 'zod';
import { chainFilter, limitUpTo, offsetUpTo } from '../schemas/paging.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import { AddressText, BaseUnits, DecimalText, HashText, IsoTime, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const Claim = z.object({
  id: Uuid,
  wallet_address: AddressText.meta({ description: 'Wallet whose credit was paid out.' }),
  recipient_address: AddressText.meta({ description: 'To whom it was paid.' }),
  amount: BaseUnits.meta({ description: 'Base units of the currency.' }),
  amount_with_decimals: DecimalText.meta({ description: '`amount` in whole units.' }),
  decimals: z.int().meta({ description: 'Of the currency.' }),
  currency_address: AddressText.meta({ description: 'Currency that was paid.' }),
  currency_symbol: z.string().meta({ description: 'Symbol of the currency.' }),
  chain: z.string().meta({ description: 'Slug of the chain.' }),
  transaction_hash: HashText.meta({ description: 'Transaction that paid it.' }),
  block_number: z.int().meta({ description: 'Block that it is in.' }),
  created_at: IsoTime.meta({ description: 'Time of that block.' }),
});

export const getUserClaims = operation({
  name: 'getUserClaims',
  summary: 'Lists everything that the caller’s wallets claimed, newest first.',
  description:
    'One row for each currency of a claim. The index has a claim as soon as its block; a reorganisation of the chain ' +
    'takes it back.',
  method: 'POST',
  path: '/get-user-claims',
  tag: 'Rewards',
  input: z.object({
    chains: chainFilter,
    limit: limitUpTo(100, 50),
    offset: offsetUpTo(10_000),
  }),
  output: z.object({
    claims: z.array(Claim),
    total_count: z.int().nonnegative().meta({ description: 'Matching claims on all pages.' }),
    warnings: readWarnings,
  }),
  errors: [],
  access: 'caller',
  scope: 'read',
  errorShape: 'B',
  example: { limit: 20, offset: 0 },
});
