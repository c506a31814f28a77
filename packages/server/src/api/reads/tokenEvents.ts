import { type ActivityChain, tokenDecimals } from '@mintage/protocol';
import { platformIdKeys } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { type Identified, shownPlatformId } from '../tokens/identity.ts';
import type { Reading } from '../tokens/reading.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { amountKeys, marketCap18 } from '../wire/decimals.ts';

/** A trade's venue in the words of the wire. */
export const venueWords = { curve: 'launchpad', pool: 'uniswap_v4' } as const;

interface Paging {
  limit: number;
  offset: number;
}

/** Newest first, along the key. */
export const newestTrades = (db: Db, token: KnownToken, { limit, offset }: Paging): Promise<Row<'trade'>[]> =>
  db
    .selectFrom('trade')
    .selectAll()
    .where('eid', '=', token.eid)
    .where('token', '=', token.address)
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

/** Between wallets, newest first. */
export const newestTransfers = (db: Db, token: KnownToken, { limit, offset }: Paging): Promise<Row<'transfer'>[]> =>
  db
    .selectFrom('transfer')
    .selectAll()
    .where('eid', '=', token.eid)
    .where('token', '=', token.address)
    .where('is_leg', '=', false)
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

/** What records of activity say about a chain. */
export const activityChain = ({ chain, deployment }: ChainContext): ActivityChain => ({
  slug: chain.slug,
  usd: deployment.usd,
  usd_decimals: deployment.usdDecimals,
  launchpad: deployment.launchpad,
});

type Traded = Pick<KnownToken, 'address' | keyof Identified | 'pool_id'>;

/** Wire contract 6.4, Trade. */
export const tradeRecord = (context: Reading, served: ChainContext, token: Traded, trade: Row<'trade'>) => ({
  ...placeKeys(context, served, token, trade),
  venue: venueWords[trade.venue],
  trade_type: trade.side,
  wallet: trade.trader,
  router: trade.foreign_router ? trade.recipient : null,
  pool: trade.venue === 'pool' ? token.pool_id : null,
  ...amountKeys('token_amount', trade.tokens, tokenDecimals),
  ...amountKeys('usd_amount', trade.gross_usd, served.deployment.usdDecimals),
  ...amountKeys('price_usd', trade.price_usd18, 18),
  ...amountKeys('market_cap_usd', marketCap18(trade.price_usd18), 18),
  token_decimals: String(tokenDecimals),
  quote_decimals: String(served.deployment.usdDecimals),
  token_decimals_source: 'launchpad',
  quote_decimals_source: 'deployment',
});

/** Wire contract 6.4, Transfer. */
export const transferRecord = (
  context: Reading,
  served: ChainContext,
  token: KnownToken,
  transfer: Row<'transfer'>,
) => ({
  ...placeKeys(context, served, token, transfer),
  transfer_type: 'local' as const,
  ...amountKeys('amount', transfer.amount, tokenDecimals),
  from_address: transfer.sender,
  to_address: transfer.recipient,
  amount_received_ld: null,
  amount_received_ld_raw: null,
  guid: null,
  src_eid: null,
  dst_eid: null,
});

const placeKeys = (
  { config }: Reading,
  { chain }: ChainContext,
  token: Pick<KnownToken, 'address' | keyof Identified>,
  row: Row<'trade'> | Row<'transfer'>,
) => ({
  chain: chain.slug,
  evt_tx_hash: row.tx_hash,
  token_address: token.address,
  ...platformIdKeys(config.platformName, shownPlatformId(config, token)),
  evt_block_number: row.block_number,
  evt_index: row.log_index,
  evt_block_time: row.time.toISOString(),
});
