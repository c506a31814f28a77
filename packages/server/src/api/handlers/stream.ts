import { definitions, Subscription } from '@mintage/protocol/operations';
import { parseInput } from '../wire/parseInput.ts';
import { handler } from './handler.ts';

export const stream = handler(definitions.stream, async ({ streams }, input, { caller, address, http }) => {
  const { topic, cursor, sinceTimestamp, batchSize, activityIds, distributionTypes, ...lists } = input;
  const subscription = parseInput(Subscription, {
    topic,
    ...Object.fromEntries(Object.entries(lists).map(([name, value]) => [name, listOf(value)])),
    activityIds: listOf(activityIds)?.map(numberOr),
    distributionTypes: listOf(distributionTypes)?.map(numberOr),
    cursor: numberOr(http?.headers['last-event-id']?.toString() ?? cursor),
    sinceTimestamp,
    batchSize: numberOr(batchSize),
  });
  const authorization = http?.headers.authorization;
  return {
    body: await streams.openEvents(subscription, { caller, authorization, address }),
    // Tells proxies not to buffer, which would hold the events back; the connection closes with the answer.
    headers: {
      connection: 'close',
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  };
});

const listOf = (value: string | string[] | undefined): string[] | undefined =>
  value === undefined ? undefined : [value].flat().flatMap((text) => text.split(','));

/** Converts digits to a number and leaves other text as it is, so that the schema reports what is wrong. */
const numberOr = (text: string | undefined): number | string | undefined =>
  text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : text;
