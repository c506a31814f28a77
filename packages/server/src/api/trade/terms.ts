import { chainBySlug, invalid, MintageError, type Slug } from '@mintage/protocol';
import { ageSeconds, type Market } from '../../chain/market.ts';

/** Product defaults: product.md, section 1, "Trading". */
const normalSlippageBps = 100;
const youngSlippageBps = 300;
/** A token is young for its first 10 minutes, in which its price moves most. */
const youngSeconds = 600;
const mostSlippageBps = 5_000;
/** Slippage above which a warning is added; user interfaces ask for an acknowledgement. */
export const highSlippageBps = 500;

const longestLifetimeSeconds = 24 * 60 * 60;

/** @throws SLIPPAGE_TOO_HIGH above 5000 basis points. */
export const slippageBpsOf = (asked: number | undefined, market: Market): number => {
  if (asked === undefined) return ageSeconds(market) < youngSeconds ? youngSlippageBps : normalSlippageBps;
  if (asked > mostSlippageBps)
    throw new MintageError('SLIPPAGE_TOO_HIGH', `slippageBps: ${asked} is more than ${mostSlippageBps} basis points.`, {
      details: [{ path: 'slippageBps', message: `must be at most ${mostSlippageBps}` }],
    });
  return asked;
};

/** The later of chain time and server time, unix seconds. */
export const laterOf = ({ blockTime, nowMs }: Omit<Clock, 'slug'>): number =>
  Math.max(blockTime ?? 0, Math.floor(nowMs / 1000));

export interface Clock {
  slug: Slug;
  /** Unix seconds of the newest block we know; null when none was read. */
  blockTime: number | null;
  /** The server's clock, milliseconds. */
  nowMs: number;
}

/**
 * Unix seconds after which the transaction reverts. Counted from the later of chain and server time: a chain that
 * paused gives its next block the current time, and the clock of a local chain may run ahead.
 *
 * @throws INVALID_PARAMETERS for a deadline that is over or more than 24 hours ahead.
 */
export const deadlineOf = (asked: number | undefined, { slug, ...clocks }: Clock): number => {
  const now = laterOf(clocks);
  if (asked === undefined) return now + chainBySlug(slug).deadlineSeconds;
  if (asked <= now) throw invalid('deadline', `is over: it is ${now} now`);
  if (asked > now + longestLifetimeSeconds) throw invalid('deadline', 'must be at most 24 hours ahead');
  return asked;
};
