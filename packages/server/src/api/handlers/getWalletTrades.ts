import type { Address, Eid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { eachPart, inParts, newestRows } from '../reads/newestRows.ts';
import { tradeRecord } from '../reads/tokenEvents.ts';
import { anyAddress } from '../tokens/addresses.ts';
import { chainWarnings, servedChains } from '../tokens/servedChains.ts';
import { tokenLines } from '../tokens/tokenLines.ts';
import { placeKey } from '../tokens/tokenPlace.ts';
import { handler } from './handler.ts';

export const getWalletTrades = handler(definitions.getWalletTrades, async (context, input) => {
  const chains = servedChains(context, input.chains);
  const wallet = anyAddress(context, input.wallet, 'wallet');
  const trades = await newestTrades(context.db, [...chains.keys()], wallet, input);
  const tokens = await tokenLines(context.db, trades);
  return {
    success: true,
    ...chainWarnings(context, input.chains),
    activities: trades.flatMap((trade) => {
      const served = chains.get(trade.eid);
      const token = tokens.get(placeKey(trade));
      // A reorg between the two queries may have removed a row.
      if (!served || !token) return [];
      const { token_id: id, name, symbol, slug, logo } = token;
      return [{ ...tradeRecord(context, served, token, trade), token: { id, name, symbol, slug, logo } }];
    }),
  };
});

/** Finds the page in each chain's index alone, so the cost grows with the depth of the page only; then reads its rows. */
const newestTrades = (
  db: Db,
  eids: readonly Eid[],
  wallet: Address,
  { limit, offset }: { limit: number; offset: number },
): Promise<Row<'trade'>[]> =>
  newestRows({ from: null, until: null }, limit, (parts) => {
    const places = db
      .selectFrom(sql<{ eid: Eid }>`unnest(${eids}::bigint[])`.as<'of'>(sql`of(eid)`))
      .innerJoinLateral(
        ({ selectFrom }) =>
          eachPart(parts, (isWithin) =>
            selectFrom('trade')
              .select(['trade.eid', 'time', 'block_number', 'log_index'])
              .whereRef('trade.eid', '=', 'of.eid')
              .where('trade.trader', '=', wallet)
              .where(isWithin)
              .orderBy('time', 'desc')
              .orderBy('block_number', 'desc')
              .orderBy('log_index', 'desc')
              .limit(offset + limit),
          ).as<'newest'>(sql`newest`),
        (join) => join.onTrue(),
      )
      .selectAll('newest')
      .orderBy('newest.time', 'desc')
      .orderBy('newest.eid')
      .orderBy('newest.block_number', 'desc')
      .orderBy('newest.log_index', 'desc')
      .limit(limit)
      .offset(offset)
      .as('place');
    return db
      .selectFrom(places)
      .innerJoin('trade', (join) =>
        join
          .onRef('trade.eid', '=', 'place.eid')
          .onRef('trade.time', '=', 'place.time')
          .onRef('trade.block_number', '=', 'place.block_number')
          .onRef('trade.log_index', '=', 'place.log_index')
          .on('trade.trader', '=', wallet)
          .on(inParts('trade.time', parts)),
      )
      .selectAll('trade')
      .orderBy('place.time', 'desc')
      .orderBy('place.eid')
      .orderBy('place.block_number', 'desc')
      .orderBy('place.log_index', 'desc')
      .execute();
  });
