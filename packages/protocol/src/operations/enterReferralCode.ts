import { z } from 'zod';
import { ReferralCode, ReferralNetworkMode } from './createReferralCode.ts';
import { operation } from './operation.ts';

export const enterReferralCode = operation({
  name: 'enterReferralCode',
  summary:
    'Makes the owner of a referral code the caller’s referrer, permanently. The caller gets 4 % of their trading fees back.',
  description:
    'One code per user and network; entering the same code again succeeds. The next transaction that is prepared for ' +
    'your own wallet on each chain registers the referrer on that chain within the same call, so that this trade or ' +
    'creation already gets the cashback.',
  method: 'POST',
  path: '/enter-referral-code',
  tag: 'Rewards',
  input: z.object({ referral_code: ReferralCode, network_mode: ReferralNetworkMode }),
  output: z.strictObject({
    success: z.literal(true),
    referrer_code: ReferralCode.meta({ description: 'The code in the spelling of its owner.' }),
    message: z.string().min(1).meta({ description: 'What happened, in a sentence for the user.' }),
  }),
  errors: [
    'AUTHENTICATION_FAILED',
    'SCOPE_MISSING',
    'REFERRAL_CODE_NOT_FOUND',
    'REFERRAL_SELF',
    'REFERRAL_CODE_INACTIVE',
    'REFERRAL_ALREADY_SET',
  ],
  access: 'caller',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
  example: { referral_code: 'alice2025', network_mode: 'mainnet' },
});
