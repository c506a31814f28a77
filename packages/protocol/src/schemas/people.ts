import { z } from 'zod';
import { AddressText, DecimalText, IsoTime, Uuid } from './scalars.ts';

/** Users as other people see them. Source: social wire contract, section 2. */

/** As it is taken; what it may not be (reserved, like another) only the service knows. */
export const Username = z
  .string()
  .regex(/^[a-z0-9_]{3,20}$/, 'must be 3 to 20 small letters, digits and _')
  .meta({ id: 'Username', description: '3 to 20 small letters, digits and `_`.' });

export type UserCard = z.output<typeof UserCard>;
export type UserProfile = z.output<typeof UserProfile>;

export const UserCard = z
  .strictObject({
    id: Uuid.meta({ description: 'Id of the user.' }),
    username: z.string().nullable().meta({ description: 'Null: none is chosen.' }),
    display_name: z.string().nullable().meta({ description: 'Text of a stranger. Null: none is given.' }),
    profile_picture: z.string().nullable().meta({ description: 'Address of the picture; null: none is given.' }),
    address: AddressText.nullable().meta({
      description: 'The wallet that signs in; null: there is none, or the user hides it.',
    }),
  })
  .meta({ id: 'UserCard', description: 'A user in a list. Without a picture, `/avatar/<id>.svg` draws one.' });

/** Input of what somebody does to another. */
export const NamedUser = z.strictObject({ user_id: Uuid.meta({ description: 'Id of the user.' }) });

const count = z.int().nonnegative();

export const UserSettings = z.strictObject({
  show_wallet: z.boolean().meta({
    description:
      'Whether others see which wallets are the user’s, at first true. While they do not, votes of the user weigh nothing.',
  }),
  show_holdings: z.boolean().meta({ description: 'Whether others see what the user holds. At first they do not.' }),
});

export const UserProfile = UserCard.extend({
  bio: z.string().nullable().meta({ description: 'Text of a stranger. Null: none is given.' }),
  banner_url: z.string().nullable().meta({ description: 'Address of the wide picture; null: none is given.' }),
  links: z.record(z.string(), z.string()).meta({ description: 'Links by name, as the user gave them.' }),
  created_at: IsoTime.meta({ description: 'When the account was made.' }),
  posts_count: count.meta({ description: 'Posts, without comments.' }),
  followers_count: count.meta({ description: 'Users who follow them.' }),
  following_count: count.meta({ description: 'Users whom they follow.' }),
  is_following: z
    .boolean()
    .meta({ description: 'Whether the caller follows them; false when nobody is signed in, as the next two.' }),
  is_followed_by: z.boolean().meta({ description: 'Whether they follow the caller.' }),
  is_blocked: z.boolean().meta({ description: 'Whether the caller blocked them.' }),
  tokens_created_count: count
    .nullable()
    .meta({ description: 'Tokens that wallets of the user created; null where they are hidden.' }),
  total_earned_usd: DecimalText.nullable().meta({
    description: 'Fees that wallets of the user earned on all chains, claimed or not; null where they are hidden.',
  }),
  settings: UserSettings.optional().meta({ description: 'Only the user sees them.' }),
}).meta({ id: 'UserProfile' });
