import { z } from 'zod';
import { limitUpTo, offsetUpTo, TotalPage } from '../schemas/paging.ts';
import { AddressText, ChainSlug, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const NetworkMode = z.enum(['mainnet', 'testnet', 'both']).meta({ id: 'NetworkMode' });

/** A user with all of their wallets, or a wallet without an account. */
const Line = z.object({
  rank: z.int().positive().meta({ description: 'Place in the list, from 1.' }),
  recipient_address: AddressText.meta({ description: 'The user’s sign-in wallet.' }),
  user_id: Uuid.nullable().meta({
    description: 'Id of the user; null: the wallet has no account, or its user hides it.',
  }),
  username: z.string().nullable().meta({ description: 'Null: none is chosen.' }),
  profile_picture: z.string().nullable().meta({ description: 'Address of the picture; null: none is given.' }),
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
});

/** What is found for a page of the list. */
export interface Leaders {
  leaderboard: z.output<typeof Line>[];
  pagination: z.output<typeof TotalPage>;
  /** Address of drawn pictures: the id of a user or a wallet and `.svg` belong behind it. */
  avatars: string;
}

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
      Line.extend({
        username: z.string().meta({ description: 'As chosen; a short form of the address where none is.' }),
        profile_picture: z
          .string()
          .meta({ description: 'Address of the picture; of a drawn one where none is given.' }),
      }),
    ),
    pagination: TotalPage,
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'B',
  view: ({ leaderboard, pagination, avatars }: Leaders) => ({
    leaderboard: leaderboard.map((line) => ({
      ...line,
      username: line.username ?? shortAddress(line.recipient_address),
      profile_picture: line.profile_picture ?? `${avatars}${line.user_id ?? line.recipient_address}.svg`,
    })),
    pagination,
  }),
  example: { limit: 10, network_mode: 'both' },
});

/** The form of `/info`. */
export const getLeaderboardInfo = z.object({
  success: z.literal(true),
  data: z.object({ leaderboard: z.array(Line), pagination: TotalPage }),
});

export const leaderboardInInfo = ({ leaderboard, pagination }: Leaders): z.output<typeof getLeaderboardInfo> => ({
  success: true,
  data: { leaderboard, pagination },
});

const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
