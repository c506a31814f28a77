import { z } from 'zod';
import { UserCard } from './people.ts';
import { DecimalText, IsoTime, SentHash, Uuid } from './scalars.ts';
import { StreamSeq } from './subscription.ts';
import { TokenCard } from './tokenCard.ts';

/** What users are told of what concerns them. Source: social wire contract, sections 2 and 6. */

/** Every type, when it comes, and whether it does before the user says anything. */
export const notificationTypes = {
  comment: { isOn: true, when: 'Somebody commented on a post or comment of yours.' },
  mention: { isOn: true, when: 'Somebody mentioned you.' },
  vote: { isOn: false, when: 'Others voted on a post of yours: one an hour and post.' },
  follow: { isOn: true, when: 'Somebody follows you.' },
  hub_joined: { isOn: false, when: 'Somebody joined the hub of a token of yours.' },
  hub_role: { isOn: true, when: 'You were made a moderator of a hub, or are none any more.' },
  token_bought: {
    isOn: true,
    when: 'Somebody bought a token of yours for 10 dollars or more: one a minute and token.',
  },
  token_graduated: { isOn: true, when: 'A token that you created or hold graduated.' },
  fee_earned: { isOn: true, when: 'What your wallets earned on a day that is over, in UTC.' },
  referral_joined: { isOn: true, when: 'Somebody entered a referral code of yours.' },
  transaction_final: { isOn: true, when: 'A transaction of your embedded wallet is final.' },
  transaction_failed: { isOn: true, when: 'A transaction of your embedded wallet failed.' },
  transfer_received: {
    isOn: true,
    when: 'A wallet of yours received a token from somebody else: one an hour and token.',
  },
  moderation: { isOn: true, when: 'Something was decided about you or a post of yours.' },
  security: { isOn: true, when: 'A way into your account was added or removed; it cannot be switched off.' },
} as const satisfies Record<string, { isOn: boolean; when: string }>;

export type NotificationType = keyof typeof notificationTypes;
const types = Object.keys(notificationTypes) as [NotificationType, ...NotificationType[]];
export const NotificationType = z
  .enum(types, { error: `must be one of ${types.join(', ')}` })
  .meta({ id: 'NotificationType' });

export type Notification = z.output<typeof Notification>;
export const Notification = z
  .strictObject({
    id: Uuid.meta({ description: 'Id of the notification; one that grows, as of several purchases, keeps it.' }),
    seq: StreamSeq.meta({ description: 'Number of its newest event in the stream `notifications`.' }),
    type: NotificationType.meta({ description: 'What it is about.' }),
    created_at: IsoTime.meta({ description: 'When it came.' }),
    read_at: IsoTime.nullable().meta({ description: 'When it was marked as read; null: it is not.' }),
    actor: UserCard.nullable().meta({
      description: 'Who did it; null: nobody in particular, or nobody who may be named, as with money.',
    }),
    token: TokenCard.nullable().meta({ description: 'The token that it is about; null: none.' }),
    post_id: Uuid.nullable().meta({ description: 'Id of the post or comment to look at; null: none.' }),
    amount_usd: DecimalText.nullable().meta({ description: 'Dollars that it is about; null: none.' }),
    tx_hash: SentHash.nullable().meta({ description: 'The newest transaction that it is about; null: none.' }),
    chain: z.string().nullable().meta({ description: 'Slug of the chain of the transaction; null: there is none.' }),
    text: z.string().meta({ description: 'One sentence of ours: no text of strangers is in it.' }),
  })
  .meta({ id: 'Notification', description: 'Something that concerns the caller.' });

export const NotificationSettings = z
  .strictObject(
    Object.fromEntries(
      types.map((type) => [type, z.boolean().meta({ description: notificationTypes[type].when })]),
    ) as Record<NotificationType, z.ZodBoolean>,
  )
  .meta({ id: 'NotificationSettings', description: 'Which notifications come.' });
