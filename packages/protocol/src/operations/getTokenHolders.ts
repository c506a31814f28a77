import { z } from 'zod';
import { TotalPage } from '../schemas/paging.ts';
import { AddressText, BaseUnits, ChainSlug, DecimalText, IsoTime } from '../schemas/scalars.ts';
import { tokenPage } from '../schemas/tokenHistory.ts';
import { operation } from './operation.ts';

const Holder = z
  .strictObject({
    rank: z.int().positive().meta({ description: 'Place in the list, from 1.' }),
    chain: ChainSlug.meta({
      description: 'Where the balance is; a wallet that holds some on two chains has two rows.',
    }),
    wallet: AddressText.meta({ description: 'The holder.' }),
    balance: DecimalText.meta({ description: 'Tokens that it holds there.' }),
    balance_raw: BaseUnits.meta({ description: '`balance`, in the token’s base units.' }),
    share_pct: DecimalText.meta({ description: 'Percent of the whole supply, rounded down.' }),
    value_usd: DecimalText.meta({ description: 'USD at the price of the last trade; a sale yields less.' }),
    first_acquired: IsoTime.meta({ description: 'When it first held some.' }),
    is_creator: z.boolean().meta({ description: 'Whether it created the token.' }),
    cost_usd: DecimalText.nullable().meta({
      description:
        "USD. Average cost of the balance, for the caller's own wallets only; null for all others, and if the cost of a part is unknown.",
    }),
  })
  .meta({ id: 'Holder' });

export const getTokenHolders = operation({
  name: 'getTokenHolders',
  summary: 'Lists the holders of a token on all chains, largest balance first.',
  description: 'The curve, the pool and other contracts of this service are left out.',
  method: 'POST',
  path: '/get-token-holders',
  tag: 'Tokens',
  input: z.object(tokenPage),
  output: z.strictObject({
    success: z.literal(true),
    holders: z.array(Holder),
    pagination: TotalPage,
  }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token', limit: 20 },
});
