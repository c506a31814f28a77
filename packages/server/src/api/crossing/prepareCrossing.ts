import {
  type Address,
  bridgeLimit,
  type Chain,
  chainByEid,
  chainBySlug,
  chainTypeOf,
  crossingAmountDown,
  formatUnits,
  MintageError,
  type Slug,
  secondsUntilRoomUp,
  tokenDecimalsOf,
} from '@mintage/protocol';
import type { Bridge, Crossing, CrossingTerms } from '../../chain/bridge.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';

/** A transfer to another chain with its price. Amounts are base units. */
export interface PricedCrossing {
  crossing: Crossing;
  bridge: Bridge;
  /** Native base units: what the way costs now, and the `value` that is sent for it. */
  nativeFee: bigint;
  nativeFeeMax: bigint;
}

/** The fee moves until the transaction is mined; what it leaves of the reserve returns. */
export const withReserveUp = (nativeFee: bigint): bigint => (nativeFee * 11n + 9n) / 10n;

/**
 * Prices the way of a token from one served chain to another.
 *
 * @param mostFee - Most native base units that the caller pays; null: the fee and its reserve.
 * @throws ROUTE_THROUGH_HOME, UNSUPPORTED_CHAIN, ROUTE_PAUSED, AMOUNT_TOO_SMALL, TRANSFER_LIMIT, NATIVE_FEE_TOO_HIGH.
 */
export const priceCrossing = async (
  db: Db,
  token: KnownToken,
  { from, to, recipient, amount: asked }: { from: ChainContext; to: ChainContext; recipient: Address; amount: bigint },
  mostFee: bigint | null,
): Promise<PricedCrossing> => {
  const bridge = requireBridge(from, to);
  requireHomeAtAnEnd(token, from, to);
  const amount = crossingAmountDown(asked);
  if (amount === 0n) throw new MintageError('AMOUNT_TOO_SMALL', 'Less than 0.000001 of a token cannot cross chains.');
  const isKnownThere = token.eid === to.chain.eid || (await isRegistered(db, token.address, to));
  const registers = isKnownThere ? null : { creator: token.creator, salt: token.salt };
  const crossing = { token: token.address, dstEid: to.chain.eid, recipient, amount, registers };
  const nativeFee = feeIn(await bridge.terms(crossing), crossing, token.symbol, from, to);
  if (mostFee !== null && mostFee < nativeFee)
    throw new MintageError(
      'NATIVE_FEE_TOO_HIGH',
      `The way to ${to.chain.slug} costs ${nativeFee} wei now, more than the ${mostFee} of max_native_fee.`,
      { details: [{ path: 'max_native_fee', message: `must be at least ${nativeFee}` }] },
    );
  const reserved = withReserveUp(nativeFee);
  return { crossing, bridge, nativeFee, nativeFeeMax: mostFee !== null && mostFee < reserved ? mostFee : reserved };
};

/** Between two chains that are not its home, a token goes through its home. */
const requireHomeAtAnEnd = (token: KnownToken, from: ChainContext, to: ChainContext): void => {
  if (token.eid === from.chain.eid || token.eid === to.chain.eid) return;
  const home = chainByEid(token.eid)?.slug;
  throw new MintageError(
    'ROUTE_THROUGH_HOME',
    `${token.symbol} goes from ${from.chain.slug} to its home ${home} first, and from there to ${to.chain.slug}.`,
    { details: [{ path: 'to_chain_slug', message: `must be ${home}` }] },
  );
};

/** @throws UNSUPPORTED_CHAIN where the deployment has no bridge. */
export const requireBridge = ({ chain, client }: ChainContext, to: ChainContext): Bridge => {
  if (client.bridge !== null) return client.bridge;
  throw noRoute(chain.slug, to.chain.slug);
};

export const noRoute = (from: Slug, to: Slug): MintageError => {
  const isApart = chainTypeOf(chainBySlug(from)) !== chainTypeOf(chainBySlug(to));
  const why = isApart ? ' Between Solana and chains with an EVM no token crosses yet.' : '';
  return new MintageError('UNSUPPORTED_CHAIN', `There is no way for tokens from ${from} to ${to}.${why}`, {
    details: [{ path: 'to_chain_slug', message: `must be a chain that ${from} has a route to` }],
  });
};

export const routePaused = (from: string, to: string): MintageError =>
  new MintageError(
    'ROUTE_PAUSED',
    `The way from ${from} to ${to} is paused; tokens on each chain trade and move as ever.`,
  );

const feeIn = (
  terms: CrossingTerms,
  { amount }: Crossing,
  symbol: string,
  from: ChainContext,
  to: ChainContext,
): bigint => {
  if (terms.route !== 'open') throw (terms.route === 'none' ? noRoute : routePaused)(from.chain.slug, to.chain.slug);
  if (terms.nativeFee !== null) return terms.nativeFee;
  throw beyondLimit(amount, terms.sendable, symbol, to.chain);
};

/** Says how much goes now, and when all of it. */
const beyondLimit = (amount: bigint, sendable: bigint, symbol: string, to: Chain): MintageError => {
  const [now, most] = [sendable, bridgeLimit].map((tokens) =>
    formatUnits(crossingAmountDown(tokens), tokenDecimalsOf(to)),
  );
  const seconds = secondsUntilRoomUp(amount, sendable);
  const later = seconds === null ? `at most ${most} go at once` : `all of it in ${seconds} s`;
  return new MintageError('TRANSFER_LIMIT', `${now} ${symbol} can go to ${to.slug} now, ${later}.`, {
    details: [{ path: 'amount', message: `must be at most ${now} now` }],
  });
};

/** Whether the token, whose home is elsewhere, is known on this chain. */
export const isRegistered = async (db: Db, token: Address, { chain }: ChainContext): Promise<boolean> => {
  const row = await db
    .selectFrom('remote_token')
    .select('eid')
    .where('eid', '=', chain.eid)
    .where('address', '=', token)
    .executeTakeFirst();
  return row !== undefined;
};

/** Confirmations of the chain that sends, and a minute for the two ends. */
export const crossingSeconds = async ({ chain, client }: ChainContext, to: ChainContext): Promise<number> => {
  const confirmations = (await client.bridge?.confirmations(to.chain.eid)) ?? 0;
  return Math.ceil((confirmations * (chain.blockTimeMs ?? 1_000)) / 1_000) + 60;
};
