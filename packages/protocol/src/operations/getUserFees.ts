import { z } from 'zod';
import { chainFilter } from '../schemas/paging.ts';
import { Address, BaseUnits, DecimalText, IsoTime, optional, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const FeeBalance = z.object({
  currency_address: Address,
  chain: z.string(),
  total_earned: BaseUnits.meta({ description: 'Everything ever credited, base units of the currency.' }),
  claimable_amount: BaseUnits.meta({ description: 'What a claim pays now, base units of the currency.' }),
  total_earned_with_decimals: DecimalText,
  claimable_amount_with_decimals: DecimalText,
  decimals: z.int(),
  last_distribution_at: IsoTime.nullable().meta({ description: 'Null when nothing was distributed yet.' }),
});

const FeeSummary = z.object({
  total_traders_referred: z.int().nonnegative().meta({
    description: 'Different traders who have one of the wallets as protocol referrer and traded at least once.',
  }),
  total_rewards_earned_usd: DecimalText,
  total_claimable_usd: DecimalText,
});

export const getUserFees = operation({
  name: 'getUserFees',
  summary: 'Returns the caller’s fee balances by currency and chain, summed over all of the caller’s wallets.',
  method: 'POST',
  path: '/get-user-fees',
  tag: 'Rewards',
  input: z.object({
    user_id: optional(Uuid).meta({ description: "The caller's own id; any other is 401." }),
    chains: chainFilter,
  }),
  output: z.object({
    balances: z.array(FeeBalance),
    summary: FeeSummary,
    wallets: z
      .array(z.object({ address: Address, claimable: DecimalText.meta({ description: 'USD.' }) }))
      .meta({ description: "Each of the caller's wallets, the sign-in wallet first: a claim is made per wallet." }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'B',
  example: { chains: ['base-sepolia'] },
});

const FeeBalanceView = z
  // Loose for the deployment's own name of the platform id.
  .looseObject({
    account: Address,
    token_key: z.string().meta({ description: 'The same for one currency on all chains: its symbol.' }),
    platform_id: z.null().meta({ description: 'Fees are paid in dollars, which are no token of this service.' }),
    token_name: z.string(),
    token_symbol: z.string(),
    balance: DecimalText.meta({ description: 'Claimable, all chains together.' }),
    total_received: DecimalText,
    last_updated_at: IsoTime.nullable(),
    per_chain_balances: z.record(
      z.string(),
      z.strictObject({
        currency: Address,
        token_decimals: z.int(),
        balance: DecimalText,
        balance_raw: BaseUnits,
        total_received: DecimalText,
        total_received_raw: BaseUnits,
        last_updated_at: IsoTime.nullable(),
      }),
    ),
  })
  .meta({ id: 'FeeBalanceView' });

/** The form of `/info`: a row per wallet and currency, with its chains. */
export const getUserFeesInfo = z.object({
  success: z.literal(true),
  data: z.object({ balances: z.array(FeeBalanceView), summary: FeeSummary }),
});
