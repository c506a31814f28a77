import type { Eid } from '@mintage/protocol';
import type { StreamTopic } from '@mintage/protocol/operations';
import type { News } from '../../db/outbox.ts';

/** An event of what happens in the service, in no block of a chain. */
export const newsOf = (topic: StreamTopic, time: Date, rest: Partial<News> & Pick<News, 'data'>): News => ({
  topic,
  time,
  eid: 0 as Eid,
  block_number: 0,
  platform_id: null,
  wallet: null,
  retracts: null,
  ...rest,
});
