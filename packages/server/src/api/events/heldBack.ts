import { tokenIdOf } from '@mintage/protocol';
import type { StreamEvent } from '../reads/events/streamEvent.ts';
import { oneOf } from '../reads/oneOf.ts';
import type { Reading } from '../tokens/reading.ts';

/**
 * Events as clients get them: without the platform id of a token while that is held back (`VERIFIED_AT`). The event
 * itself keeps it, so that filters still match.
 */
export const withoutHeldBack = async (
  { db, config }: Pick<Reading, 'db' | 'config'>,
  events: readonly StreamEvent[],
): Promise<readonly StreamEvent[]> => {
  if (config.verifiedAt === 'confirmation' || events.length === 0) return events;
  const ids = new Set(events.map((event) => event.platform_id).filter((id) => id !== null));
  const shown = await db
    .selectFrom('token')
    .select('platform_id')
    .where(oneOf('token_id', [...ids].map(tokenIdOf)))
    .where('graduated_at', 'is not', null)
    .execute();
  for (const { platform_id: id } of shown) ids.delete(id);
  return events.map((event) =>
    event.platform_id !== null && ids.has(event.platform_id) ? { ...event, data: withoutId(event.data) } : event,
  );
};

const withoutId = (data: StreamEvent['data']): StreamEvent['data'] =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, key === 'platform_id' || key === 'tracking_id' ? null : value]),
  );
