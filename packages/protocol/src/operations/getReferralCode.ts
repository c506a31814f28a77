import { z } from 'zod';
import { AddressText } from '../schemas/scalars.ts';
import { ReferralCode } from './createReferralCode.ts';
import { operation } from './operation.ts';

export const getReferralCode = operation({
  name: 'getReferralCode',
  summary: 'Returns whose referral code this is, and whether it can be entered.',
  description:
    'For the page that a share link leads to, before anybody signs in. A code belongs to one network; where somebody has it on ' +
    'both, both are listed. The owner is shown by the wallet that the chain pays, as every trade of those who entered the code shows it.',
  method: 'POST',
  path: '/get-referral-code',
  tag: 'Rewards',
  input: z.object({ code: ReferralCode }),
  output: z.strictObject({
    success: z.literal(true),
    referral_code: ReferralCode.meta({ description: 'The code in the spelling of its owner.' }),
    networks: z
      .array(
        z.strictObject({
          network: z.enum(['mainnet', 'testnet']).meta({ description: 'Network that the code is for.' }),
          owner_address: AddressText.nullable().meta({
            description: 'The owner’s sign-in wallet; null: an owner who has none yet.',
          }),
          active: z.boolean().meta({ description: 'False: nobody can enter it any more.' }),
        }),
      )
      .min(1)
      .meta({ description: 'Where the code exists.' }),
  }),
  errors: ['REFERRAL_CODE_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { code: 'ALICE2025' },
});
