import { z } from 'zod';
import { IsoTime } from './scalars.ts';
import { StreamFilter, StreamSeq } from './subscription.ts';

export const WebhookId = z
  .string()
  .regex(/^[0-9A-Za-z]{16}$/, 'must be the id of a webhook: 16 letters and digits')
  .meta({ id: 'WebhookId' });

export const Webhook = z
  .strictObject({
    id: WebhookId,
    url: z.string(),
    subscription: StreamFilter,
    status: z.enum(['active', 'failing', 'disabled']).meta({
      description:
        'failing: 24 hours without a success, still tried. disabled: given up; `/redeliver-webhook` resumes.',
    }),
    createdAt: IsoTime,
    cursor: StreamSeq.meta({ description: 'Everything up to this event number is delivered or does not match.' }),
    watermark: StreamSeq.meta({ description: 'Newest event number of the topic.' }),
    failures: z.int().nonnegative().meta({ description: 'Failed attempts since the last success.' }),
    failingSince: IsoTime.nullable(),
    nextAttemptAt: IsoTime.nullable().meta({ description: 'Of the event that failed; null when nothing failed.' }),
    lastSuccessAt: IsoTime.nullable(),
    lastError: z.string().nullable().meta({ description: 'Of the last attempt; null when it succeeded.' }),
    previousSecretUntil: IsoTime.nullable().meta({ description: 'Until then the previous secret signs too.' }),
  })
  .meta({ id: 'Webhook' });

/** One attempt to deliver one event. */
export const WebhookAttempt = z
  .strictObject({
    number: z.int().positive().meta({ description: 'Counts the attempts of the webhook.' }),
    webhookId: WebhookId,
    messageId: z.string().meta({ description: 'What `webhook-id` said.' }),
    seq: StreamSeq.meta({ description: 'The event.' }),
    attempt: z
      .int()
      .positive()
      .meta({ description: 'Counts the attempts of this event; 1 for one redelivered alone.' }),
    cause: z.enum(['stream', 'redelivery']),
    status: z.enum(['delivered', 'failed']),
    responseCode: z.int().nullable().meta({ description: 'Null when there was no answer.' }),
    error: z.string().nullable(),
    durationMs: z.int().nonnegative(),
    at: IsoTime,
    nextAttemptAt: IsoTime.nullable().meta({ description: 'When this failure is tried again; null when it is not.' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const WebhookSecret = z.string().meta({ description: '`whsec_` and the key in base64. Shown this once.' });
