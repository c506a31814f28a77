import type { Kysely } from 'kysely';
import type { Database } from '../db/chainTables.ts';
import type { SignerDatabase } from '../db/signerTables.ts';
import type { Log } from '../log.ts';
import { isTracing, recordSpan } from '../tracing.ts';
import type { ChainContext } from './chainContext.ts';
import type { BlockChange } from './sync/changes.ts';

interface Tracing {
  db: Kysely<Database>;
  chain: ChainContext;
  log: Log;
}

/** Records that blocks with events are in the tables. At the head it is linked to the requests whose transactions are in them. */
export const tracePage = async (tracing: Tracing, change: BlockChange, startedMs: number): Promise<void> => {
  const { from, to, events, pace } = change;
  if (!isTracing() || events.length === 0) return;
  const attributes = {
    'mintage.chain': tracing.chain.slug,
    'mintage.from': from,
    'mintage.to': to.number,
    'mintage.events': events.length,
  };
  recordSpan({ name: 'index', startedMs, attributes, links: pace === null ? await requestsOf(tracing, change) : [] });
};

/** Without them the span says less, which harms nothing. */
const requestsOf = async ({ db, chain, log }: Tracing, { events }: BlockChange): Promise<string[]> => {
  try {
    const rows = await db
      .withTables<SignerDatabase>()
      .selectFrom('attempt')
      .innerJoin('intent', (join) =>
        join.onRef('intent.eid', '=', 'attempt.eid').onRef('intent.intent_id', '=', 'attempt.intent_id'),
      )
      .select('intent.traceparent')
      .distinct()
      .where('attempt.eid', '=', chain.eid)
      .where('attempt.hash', 'in', [...new Set(events.map(({ at }) => at.txHash))])
      .execute();
    return rows.flatMap(({ traceparent }) => traceparent ?? []);
  } catch (err) {
    log.warn({ err, chain: chain.slug }, 'the requests behind a page could not be read');
    return [];
  }
};
