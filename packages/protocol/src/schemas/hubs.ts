import { z } from 'zod';
import { UserCard } from './people.ts';
import { DecimalText, IsoTime, Uuid } from './scalars.ts';
import { TokenCard } from './tokenCard.ts';

/** Where people speak of a token, and who they are there. Source: social wire contract, section 2. */

export type Hub = z.output<typeof Hub>;
export type HubMember = z.output<typeof HubMember>;

export const HubRole = z.enum(['owner', 'moderator', 'member']);
export const PostRule = z.enum(['anyone', 'members', 'holders']);

const count = z.int().nonnegative();

export const Hub = z
  .strictObject({
    id: Uuid.meta({ description: 'That of the token.' }),
    token: TokenCard,
    url: z.string().meta({ description: 'Page of the token.' }),
    name: z.string().meta({ description: 'Name of the token.' }),
    description: z.string().meta({ description: 'Text of a stranger: the owner’s, else the token’s.' }),
    rules: z.string().nullable().meta({ description: 'Text of a stranger; null: the owner gave none.' }),
    banner_url: z.string().nullable().meta({ description: 'Wide picture: the owner’s, else the token’s.' }),
    invite_only: z.boolean().meta({ description: 'Whether joining takes an invite.' }),
    post_rule: PostRule.meta({ description: 'Who may post, beside the owner and moderators.' }),
    min_holding: DecimalText.nullable().meta({
      description: 'Whole tokens that it takes where holders post; null: any amount.',
    }),
    members_count: count.meta({ description: 'Users who joined; the owner is not one of them.' }),
    holders_count: count.meta({ description: 'Wallets that hold the token.' }),
    posts_count: count.meta({ description: 'Posts and comments.' }),
    launch_post_id: Uuid.nullable().meta({ description: 'The post of the token’s launch; null: there is none.' }),
    pinned_post_id: Uuid.nullable().meta({ description: 'The post that stays on top; null: there is none.' }),
    owner: UserCard.nullable().meta({
      description: 'Who created the token; null: they never signed in here, or hide their wallets.',
    }),
    my: z
      .strictObject({
        is_member: z.boolean().meta({ description: 'Whether the caller joined or owns it.' }),
        role: HubRole.nullable().meta({ description: 'Null: none.' }),
        banned_until: IsoTime.nullable().meta({ description: 'Null: not banned, or for good.' }),
        may_post: z.boolean().meta({ description: 'Whether the caller may post in it now.' }),
        may_not_because: z
          .enum(['HUB_BANNED', 'HUB_MEMBERS_ONLY', 'HUB_HOLDERS_ONLY'])
          .nullable()
          .meta({ description: 'Code of the error that posting would be answered with; null: none.' }),
      })
      .optional()
      .meta({ description: 'What the hub is to the caller; only with a credential that may read.' }),
  })
  .meta({ id: 'Hub', description: 'Where people speak of a token.' });

export const HubMember = z
  .strictObject({
    user: UserCard,
    role: HubRole.meta({ description: 'The owner is whoever created the token.' }),
    order_no: count.meta({
      description: 'Owner 0, moderator 10, member 100: a lower number commands the higher ones.',
    }),
    joined_at: IsoTime.meta({ description: 'Of the owner: when the token was created.' }),
    holding: DecimalText.nullable().meta({
      description: 'Whole tokens in all wallets on all chains; null where the user does not show them.',
    }),
  })
  .meta({ id: 'HubMember' });
