import { type Address, chainByEid, curveOf, type Eid, MintageError, poolTypeById } from '@mintage/protocol';
import { type Market, usdOf } from '../../chain/market.ts';
import type { Pulse } from '../../chain/pulse.ts';
import { decimalsOf, type ServedChain } from '../../chain/servedChain.ts';
import { type Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { venueOf } from '../../db/venueOf.ts';
import { oneOf } from '../reads/oneOf.ts';
import { addressOfRef, findToken, mayBeSlug, tokenNotFound } from '../tokens/tokenRef.ts';
import { type HotValues, hotValues } from './hotValues.ts';

type Served = Pick<ServedChain, 'chain' | 'deployment'> & { indexPulse?: Pulse };

/**
 * In-memory state of the traded tokens, taken from the index: a quote from it needs no query and no call. While
 * requests come, a background check every 100 ms at most finds out whether the index has advanced; only after a pause
 * does a request wait for that check. So an answer is at most a second behind the index, and names its block.
 */
export interface Markets {
  /**
   * The state of the token that `tokenRef` refers to on this chain.
   *
   * @throws TOKEN_NOT_FOUND when the chain's index does not have it, NO_VENUE_ON_CHAIN when it trades on another chain.
   */
  require(served: Served, tokenRef: string): Promise<Market>;
  /** Protocol referrer of a trader, null for none. */
  referrerOf(served: Served, trader: Address): Promise<Address | null>;
  /** Resolves once what is in memory is new enough to answer from; null when it is. */
  current(): Promise<void> | null;
  /** Loads what the index has when this is called. */
  follow(): Promise<void>;
}

interface ChainMarkets {
  served: Served;
  version: number;
  markets: HotValues<Market>;
  referrers: HotValues<Address | 'none'>;
}

/** The token that a reference resolves to. */
interface Meaning {
  eid: Eid;
  address: Address;
}

/**
 * A reference resolves to the same token as long as the index has it, so the result is cached. The cache is bounded,
 * because callers choose the references.
 */
const mostRefs = 50_000;
const lookEveryMs = 100;
const trustForMs = 1_000;

export interface MarketsOptions {
  db: Db;
  chains: Iterable<Served>;
  /** Called with errors of the background check, for which no request waits. */
  onError: (error: unknown) => void;
}

export const createMarkets = ({ db, chains, onError }: MarketsOptions): Markets => {
  const meanings = new Map<string, Meaning>();
  const perChain = new Map<Eid, ChainMarkets>();
  for (const served of chains) {
    const { eid } = served.chain;
    perChain.set(eid, {
      served,
      version: -1,
      markets: hotValues((tokens) => loadMarkets(db, served, tokens)),
      referrers: hotValues((traders) => loadReferrers(db, eid, traders)),
    });
  }

  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  const look = async (): Promise<void> => {
    const rows = await db.selectFrom('chain').select(['eid', 'version', 'indexed', 'indexed_time']).execute();
    const at = performance.now();
    for (const { eid, version, indexed, indexed_time } of rows) {
      const chain = perChain.get(eid);
      chain?.served.indexPulse?.saw(indexed, indexed_time?.getTime() ?? null);
      if (chain === undefined || chain.version === version) continue;
      await Promise.all([chain.markets.refresh(), chain.referrers.refresh()]);
      chain.version = version;
    }
    lookedAt = at;
  };
  /** A look that is on its way is waited for instead of a second one. */
  const joined = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };

  const follow = async (): Promise<void> => {
    // It may have read the index before what the caller knows of was written.
    await looking?.catch(() => undefined); // told to who waits for that one
    await joined();
  };

  const current = (): Promise<void> | null => {
    const age = performance.now() - lookedAt;
    if (age > trustForMs) return joined();
    if (age > lookEveryMs && looking === null) joined().catch(onError);
    return null;
  };

  /**
   * The chain's values, new enough to answer from. Usually not a promise, so that the request continues synchronously.
   */
  const on = ({ chain }: Served): ChainMarkets | Promise<ChainMarkets> => {
    const found = perChain.get(chain.eid);
    if (found === undefined) throw new Error(`no markets of chain ${chain.slug}`);
    return current()?.then(() => found) ?? found;
  };

  /** Resolves a TokenRef through the index. */
  const lookUp = async (ref: string): Promise<Meaning> => {
    const token = await findToken(db, ref);
    if (token === null) throw tokenNotFound(ref);
    const found = { eid: token.eid, address: token.address };
    if (meanings.size >= mostRefs) meanings.delete(meanings.keys().next().value as string);
    meanings.set(ref, found);
    return found;
  };

  /** @throws NO_VENUE_ON_CHAIN for a token that came to this chain from its home. */
  const requireNotAway = async ({ chain }: Served, address: Address): Promise<void> => {
    const away = await db
      .selectFrom('remote_token')
      .select(['home_eid', 'symbol'])
      .where('eid', '=', chain.eid)
      .where('address', '=', address)
      .executeTakeFirst();
    if (away === undefined) return;
    const home = chainByEid(away.home_eid)?.slug ?? `the chain with the endpoint id ${away.home_eid}`;
    throw new MintageError(
      'NO_VENUE_ON_CHAIN',
      `${away.symbol} is on ${chain.slug}, but trades only on its home ${home}.`,
      {
        details: { home },
      },
    );
  };

  return {
    async require(served, tokenRef) {
      const typed = tokenRef.trim();
      const { chain } = served;
      let token = addressOfRef(typed);
      const ref = token ?? typed.toLowerCase();
      if (token === null || mayBeSlug(token)) {
        const meant = meanings.get(ref) ?? (await lookUp(ref));
        if (meant.eid !== chain.eid) {
          await requireNotAway(served, meant.address);
          throw new MintageError('TOKEN_NOT_FOUND', `The token ${ref.slice(0, 80)} is not on ${chain.slug}.`);
        }
        token = meant.address;
      }
      const found = on(served);
      const { markets } = found instanceof Promise ? await found : found;
      const market = markets.peek(token) ?? (await markets.find(token));
      if (market === undefined) {
        // A reorg removed the token, so its slug may come to name another one.
        meanings.delete(ref);
        await requireNotAway(served, token);
        throw tokenNotFound(tokenRef);
      }
      return market;
    },
    async referrerOf(served, trader) {
      const found = on(served);
      const { referrers } = found instanceof Promise ? await found : found;
      const referrer = referrers.peek(trader) ?? (await referrers.find(trader));
      return referrer === undefined || referrer === 'none' ? null : referrer;
    },
    current,
    follow,
  };
};

type IndexedToken = Row<'token'> & Pick<Row<'chain'>, 'indexed' | 'indexed_hash' | 'indexed_time'>;

/** One statement, so that tokens and block belong together. */
const loadMarkets = async (
  db: Db,
  { chain, deployment }: Served,
  tokens: readonly string[],
): Promise<Map<string, Market>> => {
  const rows = await db
    .selectFrom('token')
    .innerJoin('chain', 'chain.eid', 'token.eid')
    .selectAll('token')
    .select(['chain.indexed', 'chain.indexed_hash', 'chain.indexed_time'])
    .where('token.eid', '=', chain.eid)
    .where(oneOf('token.address', tokens))
    .execute();
  return new Map(rows.map((row) => [row.address, marketOf(row, { chain, deployment })]));
};

const loadReferrers = async (db: Db, eid: Eid, traders: readonly string[]): Promise<Map<string, Address | 'none'>> => {
  const rows = await db
    .selectFrom('referrer')
    .select(['trader', 'referrer'])
    .where('eid', '=', eid)
    .where(oneOf('trader', traders))
    .execute();
  const found = new Map<string, Address | 'none'>(traders.map((trader) => [trader, 'none']));
  for (const { trader, referrer } of rows) if (referrer !== null) found.set(trader, referrer);
  return found;
};

const marketOf = (row: IndexedToken, { chain, deployment }: Served): Market => {
  const poolType = poolTypeById(row.pool_type);
  if (poolType === undefined) throw new Error(`token ${row.address} has the unknown pool type ${row.pool_type}`);
  const decimals = decimalsOf({ chain, deployment });
  const venue = venueOf(row, decimals, deployment);
  return {
    source: 'index',
    token: {
      tokenId: row.token_id,
      address: row.address,
      name: row.name,
      symbol: row.symbol,
      creator: row.creator,
      poolType,
      createdAt: row.created_at.getTime() / 1000,
    },
    poolType,
    block: {
      number: row.indexed,
      hash: row.indexed_hash,
      time: (row.indexed_time ?? row.created_at).getTime() / 1000,
    },
    usd: usdOf(deployment),
    tokenDecimals: decimals.token,
    venue: deployment.venue,
    ...venue,
    floorUsd: venue.pool === null ? row.floor_usd : 0n,
    treasuryShareUsd: row.treasury_share,
  };
};

/** A token of this type before its first trade, at t = 0 of its creation. */
export const newMarket = (poolType: Market['poolType'], served: Served, token: Market['token'] = null): Market => {
  const { deployment } = served;
  const decimals = decimalsOf(served);
  return {
    source: 'pool_type',
    token,
    poolType,
    block: null,
    usd: usdOf(deployment),
    tokenDecimals: decimals.token,
    venue: deployment.venue,
    curve: curveOf(poolType, decimals),
    pool: null,
    floorUsd: 0n,
    treasuryShareUsd: 0n,
  };
};
