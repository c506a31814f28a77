import {
  type Address,
  base58Addresses,
  buyFeeBps,
  chainBySlug,
  creditedFees,
  curveOf,
  type Deployment,
  isBuy,
  MintageError,
  meetsLimit,
  normalBps,
  type PoolType,
  poolTypeById,
  quoteCurve,
  totalSupply,
} from '@mintage/protocol';
import type { TokenTransfer } from '../../src/chain/chainClient.ts';
import { decimalsOf } from '../../src/chain/servedChain.ts';
import type { ChainEvent } from '../../src/index/handlers/events.ts';
import { type Deed, digest, type Transaction } from './transaction.ts';

/** The launchpad of the made-up chain: what its transactions do to its books. There is no venue, so nothing graduates. */
export const deployment: Deployment = {
  chainId: null,
  startBlock: 1,
  launchpad: digest('launchpad'),
  poolHook: digest('launchpad'),
  tokenFactory: digest('tokenFactory'),
  lens: digest('lens'),
  tokenImplementation: digest('tokenImplementation'),
  tokenBridge: null,
  layerZeroEndpoint: null,
  usd: digest('usd'),
  usdDecimals: 6,
  usdSymbol: 'USDC',
  usdMintable: true,
  poolManager: digest('poolManager'),
  venue: null,
  exchange: null,
  create3Factory: digest('create3Factory'),
  owner: digest('owner'),
  codeHashes: {},
};

export const madeUpChainEntry = chainBySlug('solana-devnet');
export const decimals = decimalsOf({ chain: madeUpChainEntry, deployment });
export const treasury = digest('treasury');
/** What a transaction costs, native base units. */
export const fee = 5_000n;
const { nobody } = base58Addresses;
/** Of every token, base units. */
export const supply = totalSupply * 10n ** BigInt(decimals.token);

/** All that the chain keeps. Amounts are base units; what is absent is 0. */
export interface Books {
  coins: Map<Address, bigint>;
  dollars: Map<Address, bigint>;
  /** Dollars that the vault owes. */
  credits: Map<Address, bigint>;
  tokens: Map<Address, TokenBooks>;
}

export interface TokenBooks {
  creator: Address;
  poolType: PoolType;
  /** Unix seconds. */
  createdAt: number;
  tokensLeft: bigint;
  reserveUsd: bigint;
  floorUsd: bigint;
  treasuryShareUsd: bigint;
  holdings: Map<Address, bigint>;
}

type WithoutPlace<Event> = Event extends unknown ? Omit<Event, 'at'> : never;
/** An event in the index's own form, not placed yet. */
export type Told = WithoutPlace<ChainEvent>;

/** What a transaction did. */
export interface Effects {
  events: Told[];
  /** Of dollars and tokens. */
  transfers: TokenTransfer[];
}

export const emptyBooks = (): Books => ({
  coins: new Map(),
  dollars: new Map(),
  credits: new Map(),
  tokens: new Map(),
});

export const tokenAddress = (creator: Address, salt: string): Address => digest('token', creator, salt);

/**
 * Does what a transaction asks for. The fee is not taken here.
 *
 * @param books - Changed; of no use after an error.
 * @param time - Of the block, Unix seconds.
 * @throws MintageError why the transaction fails.
 */
export const run = (books: Books, { from, does }: Pick<Transaction, 'from' | 'does'>, time: number): Effects => {
  const effects: Effects = { events: [], transfers: [] };
  for (const deed of does) doOne(new Turn(books, effects, from, time), deed);
  return effects;
};

const doOne = (turn: Turn, deed: Deed): void => {
  switch (deed.do) {
    case 'create':
      return create(turn, deed);
    case 'trade':
      return trade(turn, deed);
    case 'transfer':
      return turn.move(deed.token, turn.from, deed.to, deed.amount);
    case 'withdraw':
      return withdraw(turn, deed);
    case 'mintUsd':
      add(turn.books.dollars, deed.to, deed.amount);
      turn.effects.transfers.push({ asset: usd, from: nobody, to: deed.to, amount: deed.amount });
      return;
    case 'graduate':
      throw new MintageError('TRANSACTION_FAILED', 'This chain has no exchange that a token could graduate to.');
  }
};

type Of<Word extends Deed['do']> = Extract<Deed, { do: Word }>;

const create = (turn: Turn, { name, symbol, uri, salt, poolType: id, deadline }: Of<'create'>): void => {
  turn.requireBefore(deadline);
  const token = tokenAddress(turn.from, salt);
  const poolType = poolTypeById(id);
  if (poolType === undefined || turn.books.tokens.has(token))
    throw new MintageError('TRANSACTION_FAILED', `The token ${token} cannot be created.`);
  const { virtualTokens, virtualUsd, tokensLeft } = curveOf(poolType, decimals);
  turn.books.tokens.set(token, {
    creator: turn.from,
    poolType,
    createdAt: turn.time,
    tokensLeft,
    reserveUsd: 0n,
    floorUsd: 0n,
    treasuryShareUsd: 0n,
    holdings: new Map([[nobody, supply]]),
  });
  const facts = { token, creator: turn.from, poolType: id, virtualTokens, virtualUsd, salt };
  turn.tell({ name: 'TokenCreated', ...facts, tokenName: name, symbol, uri });
  turn.move(token, nobody, launchpad, supply);
};

const trade = (turn: Turn, order: Of<'trade'>): void => {
  const { books, from: trader, time } = turn;
  turn.requireBefore(order.deadline);
  const token = turn.token(order.token);
  const curve = curveOf(token.poolType, decimals, token);
  const buys = isBuy(order.kind);
  if (buys && curve.tokensLeft === 0n)
    throw new MintageError('BEYOND_CURVE', 'The curve is sold out, and this chain has no exchange to go on with.');
  const referral = order.referral === trader ? null : order.referral;
  const terms = {
    kind: order.kind,
    amount: order.amount,
    feeBps: buys ? buyFeeBps(BigInt(time - token.createdAt)) : normalBps,
    builderBps: BigInt(order.builder?.feeBps ?? 0),
    hasReferral: referral !== null,
    hasReferrer: false,
  };
  const filled = quoteCurve(curve, terms);
  if (!meetsLimit(filled, terms, order.limit))
    throw new MintageError('SLIPPAGE_EXCEEDED', `The trade would give ${filled.amountOut} for ${filled.amountIn}.`);

  token.tokensLeft = filled.after.tokensLeft;
  token.reserveUsd = filled.after.reserveUsd;
  token.floorUsd += filled.fees.excess;
  token.treasuryShareUsd += filled.fees.treasury;
  const paid = { creator: token.creator, builder: order.builder?.code ?? nobody, referral: referral ?? nobody };
  const people = { ...paid, referrer: nobody, trader };
  for (const { part, recipient } of creditedFees) add(books.credits, people[recipient], filled.fees[part]);
  if (buys) {
    turn.moveUsd(trader, launchpad, filled.grossUsd);
    turn.move(order.token, launchpad, order.recipient, filled.tokens);
  } else {
    turn.move(order.token, trader, launchpad, filled.tokens);
    turn.moveUsd(launchpad, order.recipient, filled.netUsd);
  }
  turn.tell({
    name: 'Trade',
    token: order.token,
    trader,
    recipient: order.recipient,
    side: buys ? 'buy' : 'sell',
    venue: 'curve',
    foreignRouter: false,
    grossUsd: filled.grossUsd,
    tokens: filled.tokens,
    feeBps: Number(terms.feeBps),
    base: filled.fees.base,
    excess: filled.fees.excess,
    builder: people.builder,
    builderBps: Number(terms.builderBps),
    builderFee: filled.fees.builder,
    referral: people.referral,
    referrer: nobody,
    cashback: filled.fees.cashback,
    stateA: filled.after.virtualTokens,
    stateB: filled.after.virtualUsd,
    tick: 0,
  });
  if (filled.completes) turn.tell({ name: 'Completed', token: order.token });
};

const withdraw = (turn: Turn, { currencies }: Of<'withdraw'>): void => {
  const { books, from: account } = turn;
  for (const currency of currencies) {
    const amount = currency === usd ? (books.credits.get(account) ?? 0n) : 0n;
    if (amount === 0n) continue;
    take(books.credits, account, amount);
    turn.moveUsd(launchpad, account, amount);
    turn.tell({ name: 'Withdrawn', account, currency, to: account, amount });
  }
};

const { launchpad, usd } = deployment;

/** One deed as it is being done. */
class Turn {
  readonly books: Books;
  readonly effects: Effects;
  readonly from: Address;
  readonly time: number;

  constructor(books: Books, effects: Effects, from: Address, time: number) {
    this.books = books;
    this.effects = effects;
    this.from = from;
    this.time = time;
  }

  tell(event: Told): void {
    this.effects.events.push(event);
  }

  requireBefore(deadline: number): void {
    if (this.time > deadline)
      throw new MintageError('DEADLINE_PASSED', `The deadline passed ${this.time - deadline} s before the block.`);
  }

  token(address: Address): TokenBooks {
    const token = this.books.tokens.get(address);
    if (token === undefined)
      throw new MintageError('TOKEN_NOT_FOUND', `No token of this launchpad is at ${address} on this chain.`);
    return token;
  }

  move(token: Address, from: Address, to: Address, amount: bigint): void {
    const { holdings } = this.token(token);
    take(holdings, from, amount);
    add(holdings, to, amount);
    this.effects.transfers.push({ asset: token, from, to, amount });
    this.tell({ name: 'Transfer', token, from, to, amount });
  }

  moveUsd(from: Address, to: Address, amount: bigint): void {
    take(this.books.dollars, from, amount);
    add(this.books.dollars, to, amount);
    this.effects.transfers.push({ asset: usd, from, to, amount });
  }
}

export const add = (sums: Map<Address, bigint>, whose: Address, amount: bigint): void => {
  if (amount !== 0n) sums.set(whose, (sums.get(whose) ?? 0n) + amount);
};

/** @throws MintageError INSUFFICIENT_BALANCE. */
export const take = (sums: Map<Address, bigint>, whose: Address, amount: bigint): void => {
  const held = sums.get(whose) ?? 0n;
  if (held < amount)
    throw new MintageError('INSUFFICIENT_BALANCE', `${whose} holds ${held} base units; ${amount} would move.`);
  if (held === amount) sums.delete(whose);
  else sums.set(whose, held - amount);
};
