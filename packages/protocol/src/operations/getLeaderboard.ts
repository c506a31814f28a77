import { z } from 'zod';
import { operation } from '../operation.ts';
import { Address, ChainSlug, Uuid } from '../scalars.ts';
import { limitUpTo, offsetUpTo } from './paging.ts';

export const NetworkMode = z.enum(['mainnet', 'testnet', 'both']).meta({ id: 'NetworkMode' });

export const getLeaderboard = operation({
  name: 'getLeaderboard',
  summary: 'Who earned the most fees, claimed or not, over all tokens and chains.',
  description:
    'One line per user: the wallets of one user count together and show the sign-in wallet. A wallet without an account is a line of its own. The treasury does not take part.',
  method: 'POST',
  path: '/get-leaderboard',
  tag: 'Rewards',
  input: z.object({
    limit: limitUpTo(1000, 100),
    offset: offsetUpTo(10_000),
    network_mode: NetworkMode.default('both').meta({ description: 'Only chains of this kind; absent means both.' }),
  }),
  output: z.object({
    leaderboard: z.array(
      z.object({
        rank: z.int().positive(),
        recipient_address: Address,
        user_id: Uuid.nullable(),
        username: z.string().nullable(),
        profile_picture: z.string().nullable(),
        total_earned_all_tokens: z.number().nonnegative().meta({ description: 'USD.' }),
        unique_chains_count: z.int().positive(),
        chain_balances: z.array(
          z.object({ chain: ChainSlug, balance: z.number().nonnegative().meta({ description: 'USD earned there.' }) }),
        ),
      }),
    ),
    pagination: z.object({
      limit: z.int(),
      offset: z.int(),
      total: z.int(),
      has_more: z.boolean(),
    }),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'B',
  example: { limit: 10, network_mode: 'both' },
});
