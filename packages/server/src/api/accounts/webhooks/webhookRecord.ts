import { MintageError } from '@mintage/protocol';
import type { Selectable } from 'kysely';
import type { Db, WebhookAttemptTable } from '../../../db/serviceTables.ts';
import type { Caller } from '../caller.ts';
import { messageIdOf } from './message.ts';

interface Clocked {
  db: Db;
  now: () => number;
}

/** The caller's webhooks as answers show them, newest first. */
export const webhookRecords = async ({ db, now }: Clocked, caller: Caller, id?: string) => {
  const rows = await db
    .selectFrom('webhook')
    .innerJoin('webhook_secret', 'webhook_secret.webhook_id', 'webhook.id')
    .innerJoin('stream_topic', 'stream_topic.topic', 'webhook.topic')
    .selectAll('webhook')
    .select(['webhook_secret.previous_until', 'stream_topic.last_seq'])
    .where('webhook.user_id', '=', caller.userId)
    .$if(id !== undefined, (query) => query.where('webhook.id', '=', id as string))
    .orderBy('webhook.created_at', 'desc')
    .orderBy('webhook.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    subscription: row.filter,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    cursor: row.cursor,
    watermark: row.last_seq,
    failures: row.failures,
    failingSince: iso(row.failing_since),
    nextAttemptAt: row.failures === 0 || row.status === 'disabled' ? null : row.next_attempt_at.toISOString(),
    lastSuccessAt: iso(row.last_success_at),
    lastError: row.last_error,
    previousSecretUntil:
      row.previous_until !== null && row.previous_until.getTime() > now() ? iso(row.previous_until) : null,
  }));
};

/** @throws WEBHOOK_NOT_FOUND when the caller has no such webhook, also when it exists for another user (W5). */
export const ownWebhookRecord = async (context: Clocked, caller: Caller, id: string) => {
  const [record] = await webhookRecords(context, caller, id);
  if (record === undefined) throw webhookNotFound();
  return record;
};

export const webhookNotFound = (): MintageError => new MintageError('WEBHOOK_NOT_FOUND', 'You have no such webhook');

export const attemptRecord = (row: Selectable<WebhookAttemptTable>) => ({
  number: row.number,
  webhookId: row.webhook_id,
  messageId: messageIdOf(row.webhook_id, row.seq),
  seq: row.seq,
  attempt: row.attempt,
  cause: row.cause,
  status: row.error === null ? ('delivered' as const) : ('failed' as const),
  responseCode: row.response_code,
  error: row.error,
  durationMs: row.duration_ms,
  at: row.at.toISOString(),
  nextAttemptAt: iso(row.next_attempt_at),
});

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
