import { z } from 'zod';
import { NotificationSettings } from '../schemas/notifications.ts';
import { optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const notificationSettings = operation({
  name: 'notificationSettings',
  summary: 'Reads which notifications the caller gets, and changes it.',
  description: 'What is switched off does not come; what has come stays. Without `types` it only reads.',
  method: 'POST',
  path: '/notification-settings',
  tag: 'People',
  input: z.strictObject({
    types: optional(NotificationSettings.partial()).meta({ description: 'Which to switch on or off.' }),
  }),
  output: z.object({
    success: z.literal(true),
    settings: NotificationSettings,
    push: z.strictObject({
      public_key: z
        .string()
        .meta({ description: 'For `applicationServerKey` of a browser’s `pushManager.subscribe`.' }),
      subscriptions: z.int().nonnegative().meta({ description: 'Browsers of the caller that are told.' }),
    }),
  }),
  errors: [],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  isPrivate: true,
  errorShape: 'A',
  example: { types: { vote: true } },
});
