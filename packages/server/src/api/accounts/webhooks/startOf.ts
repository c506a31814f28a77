import { invalid } from '@mintage/protocol';
import type { Subscription } from '@mintage/protocol/operations';
import type { Db } from '../../../db/serviceTables.ts';
import { oldestSeq } from './queue.ts';

/**
 * The number after which a webhook starts. A number takes precedence over a time, a time over `latest` and `earliest`;
 * the default is `latest`.
 *
 * @throws INVALID_PARAMETERS when the number is beyond the newest event, and so from another deployment.
 */
export const startOf = async (
  db: Db,
  topic: Subscription['topic'],
  { cursor, sinceTimestamp }: Pick<Subscription, 'cursor' | 'sinceTimestamp'>,
  path: string,
): Promise<number> => {
  const { last_seq: newest } = await db
    .selectFrom('stream_topic')
    .select('last_seq')
    .where('topic', '=', topic)
    .executeTakeFirstOrThrow();
  if (typeof cursor === 'number') {
    if (cursor > newest) throw invalid(path, `must be at most the newest event number, ${newest}`);
    return cursor;
  }
  if (sinceTimestamp !== undefined) {
    const { first } = await db
      .selectFrom('stream_event')
      .select((query) => query.fn.min('seq').as('first'))
      .where('topic', '=', topic)
      .where('time', '>=', new Date(sinceTimestamp))
      .executeTakeFirstOrThrow();
    return first === null ? newest : first - 1;
  }
  return cursor === 'earliest' ? (await oldestSeq(db, topic)) - 1 : newest;
};
