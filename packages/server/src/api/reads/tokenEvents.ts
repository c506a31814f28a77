import { type ActivityChain, type Chain, tokenDecimalsOf } from '@mintage/protocol';
import { platformIdKeys } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { type Identified, shownPlatformId } from '../tokens/identity.ts';
import type { Reading } from '../tokens/reading.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { amountKeys, marketCap18 } from '../wire/decimals.ts';
import { venueWord } from '../wire/venueWord.ts';
import { eachPart, inParts, newestRows } from './newestRows.ts';

export interface Paging {
  limit: number;
  offset: number;
}

/** Newest first, along the key; of a token that is traded no more, in the months in which it was. */
export const newestTrades = async (db: Db, token: KnownToken, { limit, offset }: Paging): Promise<Row<'trade'>[]> => {
  const { created_at: from, last_trade_at: until } = token;
  if (until === null) return [];
  return newestRows({ from, until }, limit, (parts) => {
    const places = db
      .selectFrom(
        eachPart(parts, (isWithin) =>
          db
            .selectFrom('trade')
            .select(['time', 'block_number', 'log_index'])
            .where('eid', '=', token.eid)
            .where('token', '=', token.address)
            .where(isWithin)
            .orderBy('time', 'desc')
            .orderBy('block_number', 'desc')
            .orderBy('log_index', 'desc')
            .limit(offset + limit),
        ).as<'newest'>(sql`newest`),
      )
      .selectAll()
      .orderBy('time', 'desc')
      .orderBy('block_number', 'desc')
      .orderBy('log_index', 'desc')
      .limit(limit)
      .offset(offset)
      .as('place');
    return db
      .selectFrom(places)
      .innerJoin('trade', (join) =>
        join
          .on('trade.eid', '=', token.eid)
          .on('trade.token', '=', token.address)
          .onRef('trade.time', '=', 'place.time')
          .onRef('trade.block_number', '=', 'place.block_number')
          .onRef('trade.log_index', '=', 'place.log_index')
          .on(inParts('trade.time', parts)),
      )
      .selectAll('trade')
      .orderBy('place.time', 'desc')
      .orderBy('place.block_number', 'desc')
      .orderBy('place.log_index', 'desc')
      .execute();
  });
};

/** What records of activity say about a chain. */
export const activityChain = ({ chain, deployment }: ChainContext): ActivityChain => ({
  slug: chain.slug,
  usd: deployment.usd,
  usd_decimals: deployment.usdDecimals,
  token_decimals: tokenDecimalsOf(chain),
  launchpad: deployment.launchpad,
});

type Traded = Pick<KnownToken, 'address' | keyof Identified | 'pool_id'>;

/** Wire contract 6.4, Trade. */
export const tradeRecord = (context: Reading, served: ChainContext, token: Traded, trade: Row<'trade'>) => ({
  ...placeKeys(context, served, token, trade),
  venue: venueWord(trade.venue, served.deployment),
  trade_type: trade.side,
  wallet: trade.trader,
  router: trade.foreign_router ? trade.recipient : null,
  pool: trade.venue === 'pool' ? token.pool_id : null,
  ...amountKeys('token_amount', trade.tokens, tokenDecimalsOf(served.chain)),
  ...amountKeys('usd_amount', trade.gross_usd, served.deployment.usdDecimals),
  ...amountKeys('price_usd', trade.price_usd18, 18),
  ...amountKeys('market_cap_usd', marketCap18(trade.price_usd18), 18),
  token_decimals: String(tokenDecimalsOf(served.chain)),
  quote_decimals: String(served.deployment.usdDecimals),
  token_decimals_source: 'launchpad',
  quote_decimals_source: 'deployment',
});

/** Wire contract 6.4, Transfer: between wallets of a chain, or one end of a message between two. */
export const transferRecord = (
  context: Reading,
  served: ChainContext,
  token: KnownToken,
  transfer: Row<'transfer'> | Row<'bridge_sent'> | Row<'bridge_received'>,
) => ({
  ...placeKeys(context, served, token, transfer),
  ...amountKeys('amount', transfer.amount, tokenDecimalsOf(served.chain)),
  from_address: 'sender' in transfer ? transfer.sender : null,
  to_address: transfer.recipient,
  ...crossingKeys(served.chain, transfer),
});

const crossingKeys = (here: Chain, transfer: Row<'transfer'> | Row<'bridge_sent'> | Row<'bridge_received'>) => {
  if (!('guid' in transfer)) {
    const none = { amount_received_ld: null, amount_received_ld_raw: null, guid: null, src_eid: null, dst_eid: null };
    return { transfer_type: 'local' as const, ...none };
  }
  const isSent = 'dst_eid' in transfer;
  return {
    transfer_type: isSent ? ('oft_sent' as const) : ('oft_received' as const),
    ...amountKeys('amount_received_ld', transfer.amount, tokenDecimalsOf(here)),
    guid: transfer.guid,
    src_eid: String(isSent ? here.eid : transfer.src_eid),
    dst_eid: String(isSent ? transfer.dst_eid : here.eid),
  };
};

const placeKeys = (
  { config }: Reading,
  { chain }: ChainContext,
  token: Pick<KnownToken, 'address' | keyof Identified>,
  row: Pick<Row<'trade'>, 'tx_hash' | 'block_number' | 'log_index' | 'time'>,
) => ({
  chain: chain.slug,
  evt_tx_hash: row.tx_hash,
  token_address: token.address,
  ...platformIdKeys(config.platformName, shownPlatformId(config, token)),
  evt_block_number: row.block_number,
  evt_index: row.log_index,
  evt_block_time: row.time.toISOString(),
});
