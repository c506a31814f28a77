import type { Address } from '@mintage/protocol';
import type { Row } from '../../db/chainTables.ts';
import type { Origin } from '../events/origin.ts';
import type { Page } from '../page/page.ts';
import type { Trade } from './Trade.ts';
import type { Transfer } from './Transfer.ts';

/**
 * Computes average cost and profit of every wallet that one transaction touched, token by token: `docs/decisions/0012`.
 * Trades explain a part of the change of a wallet's balance; the rest was given or received. Buys are applied first,
 * then gifts, then sells, because what a router or relayer passes on must arrive before it is sold.
 *
 * A swap by a foreign router explains no change, because the sender of the transaction need not be the one who paid:
 * tokens that come out of the pool by it have an unknown cost, and tokens that go into it count as given away.
 *
 * @param events - Those of one transaction, whose transfers are already applied to the balances.
 */
export const settleCosts = (page: Page, events: readonly (Transfer | Trade)[]): void => {
  const moves = new Map<Address, TokenMoves>();
  for (const event of events) {
    let ofToken = moves.get(event.token);
    if (ofToken === undefined) {
      ofToken = { at: event.at, received: new Map(), trades: [] };
      moves.set(event.token, ofToken);
    }
    if (event.name === 'Trade') {
      if (!event.foreignRouter) ofToken.trades.push(event);
    } else if (event.amount !== 0n && event.from !== event.to) {
      add(ofToken.received, event.from, -event.amount);
      add(ofToken.received, event.to, event.amount);
    }
  }
  for (const [token, ofToken] of moves) settleToken(page, token, ofToken);
};

interface TokenMoves {
  at: Origin;
  /**
   * Net tokens received by address, negative for senders, in the order of first appearance. Includes addresses that are
   * not holders.
   */
  received: Map<Address, bigint>;
  trades: Trade[];
}

const add = (sums: Map<Address, bigint>, wallet: Address, amount: bigint): void => {
  sums.set(wallet, (sums.get(wallet) ?? 0n) + amount);
};

/** Tokens of one owner, and what they cost. */
interface Lot {
  tokens: bigint;
  /** The part of `tokens` whose cost is unknown. */
  unpriced: bigint;
  /** Base units of the chain's dollar, of all but the unpriced tokens. */
  costUsd: bigint;
}

/** A wallet's tokens during the transaction. */
interface Pot extends Lot {
  row: Row<'balance'>;
  /** Received and not bought, or given and not sold (negative). */
  gift: bigint;
}

const settleToken = (page: Page, token: Address, { at, received, trades }: TokenMoves): void => {
  const pots = new Map<Address, Pot>();
  const pot = (wallet: Address): Pot => {
    const known = pots.get(wallet);
    if (known !== undefined) return known;
    const row = page.balance(at, token, wallet);
    const net = received.get(wallet) ?? 0n;
    const { unpriced_tokens: unpriced, cost_usd: costUsd } = row;
    const opened = { row, tokens: row.amount - net, unpriced, costUsd, gift: net };
    pots.set(wallet, opened);
    return opened;
  };
  for (const wallet of received.keys()) if (page.chain.isHolder(token, wallet)) pot(wallet);

  for (const trade of trades) {
    const trader = pot(trade.trader);
    if (trade.side === 'sell') {
      trader.gift += trade.tokens;
      continue;
    }
    trader.gift -= trade.tokens;
    trader.tokens += trade.tokens;
    trader.costUsd += trade.grossUsd;
    trader.row.bought_usd += trade.grossUsd;
    trader.row.bought_tokens += trade.tokens;
  }

  handOn([...pots.values()]);

  for (const trade of trades) {
    if (trade.side === 'buy') continue;
    const trader = pot(trade.trader);
    const netUsd = trade.grossUsd - trade.base - trade.excess - trade.builderFee;
    const sold = takeFrom(trader, trade.tokens);
    trader.row.realised_usd += shareDown(netUsd, sold.tokens - sold.unpriced, sold.tokens) - sold.costUsd;
    trader.row.sold_usd += netUsd;
    trader.row.sold_tokens += trade.tokens;
  }

  for (const { row, unpriced, costUsd } of pots.values()) {
    row.unpriced_tokens = unpriced;
    row.cost_usd = costUsd;
  }
};

/**
 * Moves the cost of gifts along with the tokens, divided among the receivers without loss. Tokens that go to our
 * contracts or to the zero address take their share of the cost out; tokens that come from there have no known cost.
 */
const handOn = (pots: readonly Pot[]): void => {
  const given: Lot = { tokens: 0n, unpriced: 0n, costUsd: 0n };
  let taken = 0n;
  for (const pot of pots) {
    if (pot.gift > 0n) taken += pot.gift;
    else if (pot.gift < 0n) addTo(given, takeFrom(pot, -pot.gift));
  }
  if (taken > given.tokens) {
    const fromNowhere = taken - given.tokens;
    addTo(given, { tokens: fromNowhere, unpriced: fromNowhere, costUsd: 0n });
  }
  for (const pot of pots) if (pot.gift > 0n) addTo(pot, takeFrom(given, pot.gift));
};

const addTo = (lot: Lot, more: Lot): void => {
  lot.tokens += more.tokens;
  lot.unpriced += more.unpriced;
  lot.costUsd += more.costUsd;
};

/**
 * Takes tokens out of a lot, with unpriced tokens and cost in proportion, rounded down: the remainder stays in the lot.
 */
const takeFrom = (lot: Lot, tokens: bigint): Lot => {
  const unpriced = shareDown(lot.unpriced, tokens, lot.tokens);
  const costUsd = shareDown(lot.costUsd, tokens - unpriced, lot.tokens - lot.unpriced);
  lot.tokens -= tokens;
  lot.unpriced -= unpriced;
  lot.costUsd -= costUsd;
  return { tokens, unpriced, costUsd };
};

/** The share of `whole` that belongs to `part` of `amount`, rounded down. */
const shareDown = (whole: bigint, part: bigint, amount: bigint): bigint =>
  part === amount ? whole : (whole * part) / amount;
