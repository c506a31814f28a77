import { z } from 'zod';
import { IsoTime } from './scalars.ts';
import { StreamFilter, StreamSeq } from './subscription.ts';

export const WebhookId = z
  .string()
  .regex(/^[0-9A-Za-z]{16}$/, 'must be the id of a webhook: 16 letters and digits')
  .meta({
    id: 'WebhookId',
    description: 'Id of a webhook: 16 letters and digits; `/list-webhooks` has those of the caller.',
  });

export const Webhook = z
  .strictObject({
    id: WebhookId,
    url: z.string().meta({ description: 'Where events are sent.' }),
    subscription: StreamFilter.meta({ description: 'Which events are sent.' }),
    status: z.enum(['active', 'failing', 'disabled']).meta({
      description:
        'failing: no success for 24 hours, still retried. disabled: no longer retried; `/redeliver-webhook` enables it again.',
    }),
    createdAt: IsoTime.meta({ description: 'When it was made.' }),
    cursor: StreamSeq.meta({ description: 'Number of the last event that was delivered or did not match.' }),
    watermark: StreamSeq.meta({ description: 'Newest event number of the topic.' }),
    failures: z.int().nonnegative().meta({ description: 'Failed attempts since the last success.' }),
    failingSince: IsoTime.nullable().meta({
      description: 'When the first attempt since the last success failed; null: none did.',
    }),
    nextAttemptAt: IsoTime.nullable().meta({
      description: 'When the failed event is sent again; null when nothing failed.',
    }),
    lastSuccessAt: IsoTime.nullable().meta({ description: 'When an event was last delivered; null: never.' }),
    lastError: z.string().nullable().meta({ description: 'Error of the last attempt; null when it succeeded.' }),
    previousSecretUntil: IsoTime.nullable().meta({
      description: 'Until when the previous secret is valid too; null: there is none.',
    }),
  })
  .meta({ id: 'Webhook' });

/** One attempt to deliver one event. */
export const WebhookAttempt = z
  .strictObject({
    number: z.int().positive().meta({ description: 'Number of the attempt among all of the webhook.' }),
    webhookId: WebhookId,
    messageId: z.string().meta({ description: 'Value of the header `webhook-id`.' }),
    seq: StreamSeq.meta({ description: 'Number of the event.' }),
    attempt: z
      .int()
      .positive()
      .meta({ description: 'Number of the attempt for this event; 1 for a single redelivery.' }),
    cause: z
      .enum(['stream', 'redelivery'])
      .meta({ description: 'stream: it was the event’s turn. redelivery: it was asked for.' }),
    status: z.enum(['delivered', 'failed']).meta({ description: 'delivered: answered with 2xx.' }),
    responseCode: z.int().nullable().meta({ description: 'HTTP status of the answer; null when there was none.' }),
    error: z.string().nullable().meta({ description: 'Why it failed; null when it did not.' }),
    durationMs: z.int().nonnegative().meta({ description: 'How long the receiver took.' }),
    at: IsoTime.meta({ description: 'When it was sent.' }),
    nextAttemptAt: IsoTime.nullable().meta({ description: 'When a failed event is sent again; null when it is not.' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const WebhookSecret = z.string().meta({ description: '`whsec_` and the key in base64. Returned only here.' });
