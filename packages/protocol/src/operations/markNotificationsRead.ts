import { z } from 'zod';
import { optional, Uuid } from '../schemas/scalars.ts';
import { StreamSeq } from '../schemas/subscription.ts';
import { operation } from './operation.ts';

export const markNotificationsRead = operation({
  name: 'markNotificationsRead',
  summary: 'Marks notifications of the caller as read.',
  description: 'Takes exactly one of `ids`, `up_to` and `all`. What is read already, or not there, is no error.',
  method: 'POST',
  path: '/mark-notifications-read',
  tag: 'People',
  input: z.strictObject({
    ids: optional(z.array(Uuid).min(1).max(100)).meta({ description: 'Ids of up to 100 notifications.' }),
    up_to: optional(StreamSeq).meta({ description: 'All whose `seq` is not greater.' }),
    all: optional(z.literal(true)).meta({ description: 'All.' }),
  }),
  output: z.object({
    success: z.literal(true),
    unread_count: z.int().nonnegative().meta({ description: 'How many are left.' }),
  }),
  errors: [],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  isPrivate: true,
  errorShape: 'A',
  example: { all: true },
});
