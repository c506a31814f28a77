import { z } from 'zod';
import { operation } from './operation.ts';
import { PushEndpoint } from './subscribePush.ts';

export const unsubscribePush = operation({
  name: 'unsubscribePush',
  summary: 'Tells a browser of the caller no more.',
  description: 'One that is not subscribed is no error.',
  method: 'POST',
  path: '/unsubscribe-push',
  tag: 'People',
  input: z.strictObject({ endpoint: PushEndpoint }),
  output: z.object({
    success: z.literal(true),
    subscribed: z.literal(false).meta({ description: 'It is told no more.' }),
  }),
  errors: [],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  isPrivate: true,
  errorShape: 'A',
});
