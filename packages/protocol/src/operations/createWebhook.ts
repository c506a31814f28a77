import { z } from 'zod';
import { WebhookSubscription } from '../schemas/subscription.ts';
import { Webhook, WebhookSecret } from '../schemas/webhookParts.ts';
import { operation } from './operation.ts';

export const createWebhook = operation({
  name: 'createWebhook',
  summary:
    'Creates a webhook that delivers the events of a stream to an address of the caller. The signing secret is returned only here.',
  description:
    'At most 10 webhooks per user. Events come one by one as signed POST requests, in the order of their numbers, at ' +
    'least once. The address must be public and https. `walletFees` delivers the fees of your own wallets only. How to ' +
    'receive and verify: `docs/webhooks.md`.',
  method: 'POST',
  path: '/create-webhook',
  tag: 'Streams',
  input: z.strictObject({
    url: z.string().min(1).max(2048).meta({ description: 'Where events are sent: public and https.' }),
    subscription: WebhookSubscription.meta({ description: 'Which events are sent; a misspelt filter is refused.' }),
  }),
  output: z.strictObject({ webhook: Webhook, secret: WebhookSecret }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'TOKEN_NOT_FOUND', 'TOO_MANY_WEBHOOKS'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
  example: {
    url: 'https://hooks.example.com/mintage',
    subscription: { topic: 'tokenActivity', chains: ['base-sepolia'], cursor: 'latest' },
  },
});
