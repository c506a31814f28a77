import { z } from 'zod';
import { IsoTime, optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

/** Codes are compared without regard to case. */
export const ReferralCode = z
  .string()
  .regex(/^[a-zA-Z0-9]{4,20}$/, 'must be 4 to 20 letters and digits')
  .meta({ id: 'ReferralCode', description: 'A referral code: 4 to 20 letters and digits, in any case.' });

export const ReferralNetworkMode = optional(
  z.enum(['mainnet', 'testnet'], { error: 'must be mainnet or testnet: a code belongs to one of them' }),
).meta({
  description:
    'Network that the code is for. Absent: the kind of chains that this service serves; `mainnet` where it serves both kinds.',
});

export const createReferralCode = operation({
  name: 'createReferralCode',
  summary:
    'Creates the caller’s referral code. Users who enter it get cashback, and the caller earns a share of their fees.',
  description:
    'One active code per user and network, for users who traded at least 10,000 USD through this service on the ' +
    'chains of that network. Only trades in final blocks count, and trades on test chains count only for `testnet`. ' +
    'The referrer gets 0.10 % of every trade of the users who entered the code. It is paid on chain within the trade, ' +
    'out of the protocol’s part of the fee.',
  method: 'POST',
  path: '/create-referral-code',
  tag: 'Rewards',
  input: z.object({ code: ReferralCode, network_mode: ReferralNetworkMode }),
  output: z.strictObject({
    success: z.literal(true),
    referral_code: ReferralCode,
    created_at: IsoTime,
    share_link: z.url().meta({ description: 'Where the web app lets a new user enter the code.' }),
  }),
  errors: [
    'AUTHENTICATION_FAILED',
    'SCOPE_MISSING',
    'REFERRAL_CODE_EXISTS',
    'REFERRAL_VOLUME_TOO_LOW',
    'REFERRAL_CODE_TAKEN',
  ],
  access: 'caller',
  scope: 'execute',
  limit: 'write',
  texts: ({ code }) => ({ code }),
  errorShape: 'A',
  example: { code: 'ALICE2025', network_mode: 'mainnet' },
});
