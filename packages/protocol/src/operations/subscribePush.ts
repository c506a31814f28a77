import { z } from 'zod';
import { operation } from './operation.ts';

/** Text of base64url. */
const base64url = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3);
  return z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${length}}={0,2}$`), `must be ${bytes} bytes as base64url`);
};

export const PushEndpoint = z
  .string()
  .min(1)
  .max(1_000)
  .meta({ description: '`endpoint` of the browser’s subscription.' });

export const subscribePush = operation({
  name: 'subscribePush',
  summary: 'Has a browser of the caller told of notifications, also while the web app is closed.',
  description:
    'Takes what `pushManager.subscribe` made with `push.public_key` of `/notification-settings` (Web Push, RFC 8030 and 8291). ' +
    'At most 10 browsers a user: a further one takes the place of the oldest. A browser belongs to the user who subscribed last.',
  method: 'POST',
  path: '/subscribe-push',
  tag: 'People',
  input: z.strictObject({
    endpoint: PushEndpoint,
    keys: z
      .strictObject({
        p256dh: base64url(65).meta({ description: 'Public key of the browser.' }),
        auth: base64url(16).meta({ description: 'Secret of the browser.' }),
      })
      .meta({ description: '`keys` of the browser’s subscription.' }),
  }),
  output: z.object({
    success: z.literal(true),
    subscribed: z.literal(true).meta({ description: 'It is told from now on.' }),
  }),
  errors: [],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  isPrivate: true,
  errorShape: 'A',
});
