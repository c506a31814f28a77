import { z } from 'zod';
import { limitUpTo, offsetUpTo, TotalPage } from '../schemas/paging.ts';
import { AddressText, ChainSlug, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const NetworkMode = z.enum(['mainnet', 'testnet', 'both']).meta({ id: 'NetworkMode' });

export const getLeaderboard = operation({
  name: 'getLeaderboard',
  summary: 'Lists the users who earned the most fees, claimed or not, over all tokens and chains.',
  description:
    'One line per user: all wallets of a user count together, shown under the sign-in wallet. A wallet without an ' +
    'account has its own line. The treasury is left out.',
  method: 'POST',
  path: '/get-leaderboard',
  tag: 'Rewards',
  input: z.object({
    limit: limitUpTo(1000, 100),
    offset: offsetUpTo(10_000),
    period: z.enum(['all', '7d'], { error: 'must be all or 7d' }).default('all').meta({
      description: 'What counts: everything ever earned, or the last seven days of each chain; absent means all.',
    }),
    network_mode: NetworkMode.default('both').meta({ description: 'Only chains of this kind; absent means both.' }),
  }),
  output: z.object({
    leaderboard: z.array(
      z.object({
        rank: z.int().positive().meta({ description: 'Place in the list, from 1.' }),
        recipient_address: AddressText.meta({ description: 'The user’s sign-in wallet.' }),
        user_id: Uuid.nullable().meta({ description: 'Id of the user; null: a wallet without an account.' }),
        username: z.string().nullable().meta({ description: 'Always null: no profiles are kept.' }),
        profile_picture: z.string().nullable().meta({ description: 'Always null: no profiles are kept.' }),
        total_earned_all_tokens: z.number().nonnegative().meta({ description: 'USD, in the period.' }),
        unique_chains_count: z.int().nonnegative().meta({ description: 'Chains that it was earned on.' }),
        chain_balances: z
          .array(
            z.object({
              chain: ChainSlug.meta({ description: 'The chain.' }),
              balance: z.number().nonnegative().meta({ description: 'USD earned there.' }),
            }),
          )
          .meta({ description: 'USD earned on each chain, of all times, most first.' }),
      }),
    ),
    pagination: TotalPage,
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'B',
  example: { limit: 10, network_mode: 'both' },
});

/** The form of `/info`. */
export const getLeaderboardInfo = z.object({ success: z.literal(true), data: getLeaderboard.output });

export const leaderboardInInfo = (data: z.output<typeof getLeaderboard.output>) => ({ success: true as const, data });
