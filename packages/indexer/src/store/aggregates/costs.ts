import type { Row } from '../../db/tables.ts';
import type { ChainEvent, Trade } from '../../events/events.ts';
import type { Hex, Origin } from '../../events/log.ts';
import type { Page } from '../page.ts';

/**
 * Average cost and profit of every wallet that one transaction touched, token by token: `docs/decisions/0012`. Of what a
 * wallet's balance moved by, its trades explain a part; the rest was given or received. First all buys, then all gifts,
 * then all sells, because what a router or a relayer passes on must arrive before it is sold.
 *
 * @param events - Of one transaction, their transfers already in the balances.
 */
export const settleCosts = (page: Page, events: readonly ChainEvent[]): void => {
  const moves = new Map<Hex, TokenMoves>();
  for (const event of events) {
    if (event.name !== 'Transfer' && event.name !== 'Trade') continue;
    let ofToken = moves.get(event.token);
    if (ofToken === undefined) {
      ofToken = { at: event.at, received: new Map(), trades: [] };
      moves.set(event.token, ofToken);
    }
    if (event.name === 'Trade') ofToken.trades.push(event);
    else if (event.amount !== 0n && event.from !== event.to) {
      add(ofToken.received, event.from, -event.amount);
      add(ofToken.received, event.to, event.amount);
    }
  }
  for (const [token, ofToken] of moves) settleToken(page, token, ofToken);
};

interface TokenMoves {
  at: Origin;
  /** Net, negative for who sent; in the order of first appearance. Also of who is no holder. */
  received: Map<Hex, bigint>;
  trades: Trade[];
}

const add = (sums: Map<Hex, bigint>, wallet: Hex, amount: bigint): void => {
  sums.set(wallet, (sums.get(wallet) ?? 0n) + amount);
};

/** A wallet's tokens in the course of the transaction, and what they cost. */
interface Pot {
  row: Row<'balance'>;
  amount: bigint;
  /** Received and not bought, or given and not sold (negative). */
  gift: bigint;
}

const settleToken = (page: Page, token: Hex, { at, received, trades }: TokenMoves): void => {
  const pots = new Map<Hex, Pot>();
  const pot = (wallet: Hex): Pot => {
    const known = pots.get(wallet);
    if (known !== undefined) return known;
    const row = page.balance(at, token, wallet);
    const net = received.get(wallet) ?? 0n;
    const opened = { row, amount: row.amount - net, gift: net };
    pots.set(wallet, opened);
    return opened;
  };
  for (const wallet of received.keys()) if (!page.chain.notHolders.has(wallet)) pot(wallet);

  for (const trade of trades) {
    const trader = pot(trade.trader);
    if (trade.side === 'sell') {
      trader.gift += trade.tokens;
      continue;
    }
    trader.gift -= trade.tokens;
    trader.amount += trade.tokens;
    trader.row.cost_usd += trade.grossUsd;
    trader.row.bought_usd += trade.grossUsd;
    trader.row.bought_tokens += trade.tokens;
  }

  handOn([...pots.values()]);

  for (const trade of trades) {
    if (trade.side === 'buy') continue;
    const { row, ...trader } = pot(trade.trader);
    const netUsd = trade.grossUsd - trade.base - trade.excess - trade.builderFee;
    const cost = shareFloor(row.cost_usd, trade.tokens, trader.amount);
    pot(trade.trader).amount -= trade.tokens;
    row.cost_usd -= cost;
    row.realised_usd += netUsd - cost;
    row.sold_usd += netUsd;
    row.sold_tokens += trade.tokens;
  }
};

/**
 * Moves cost along with what was given: rounded down for each giver, and divided among the receivers so that nothing is
 * lost between wallets. What goes to contracts of ours or to nobody takes its share out; what comes from there is free.
 */
const handOn = (pots: readonly Pot[]): void => {
  let cost = 0n;
  let given = 0n;
  let taken = 0n;
  for (const { gift } of pots) {
    if (gift < 0n) given -= gift;
    else taken += gift;
  }
  for (const pot of pots) {
    if (pot.gift >= 0n) continue;
    const share = shareFloor(pot.row.cost_usd, -pot.gift, pot.amount);
    pot.row.cost_usd -= share;
    pot.amount += pot.gift;
    cost += share;
  }
  let left = given > taken ? given : taken;
  for (const pot of pots) {
    if (pot.gift <= 0n) continue;
    const share = shareFloor(cost, pot.gift, left);
    pot.row.cost_usd += share;
    pot.amount += pot.gift;
    cost -= share;
    left -= pot.gift;
  }
};

/** The cost of `part` of an amount. */
const shareFloor = (cost: bigint, part: bigint, amount: bigint): bigint =>
  part === amount ? cost : (cost * part) / amount;
