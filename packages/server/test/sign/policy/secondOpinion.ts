import { compiledContract } from '@mintage/devnet/compiledContract';
import { graduate, type PoolState, type PoolType, poolTypeById, swap } from '@mintage/protocol';
import { type AbiFunction, type AbiParameter, keccak256, toFunctionSelector } from 'viem';

/**
 * A second evaluator of what is signed (threat W4), written from the words of decisions 24 and 36. It shares nothing with the
 * first but a pool's opening and its swap, which are compared with the contract's and Uniswap's own elsewhere: its functions
 * are the compiler's output, it reads calls byte by byte with a decoder of its own, which takes only what a plain encoder
 * writes, and prices curves by formulas of its own.
 */

/** What counts in the budget, or that it is refused: of several reasons none is the first. */
export type Opinion = bigint | 'refused';

/**
 * A curve: what is left of the constant product's two sides, what can be bought, what can be paid out, a buy's fee; its
 * kind and what was put aside for the floor of its pool.
 */
export interface Curve {
  kind: number;
  floor: bigint;
  tokens: bigint;
  dollars: bigint;
  forSale: bigint;
  paidIn: bigint;
  buyFee: bigint;
}

export interface Facts {
  /** The user, signed in. */
  signedIn: boolean;
  wallet: string;
  /** What clones tokens, what they are clones of, and the chain's own number, which is part of their addresses. */
  factory: string;
  implementation: string;
  chainId: number;
  /** Of builder fees in basis points and of approvals in base units, what nobody has to repeat. */
  unasked: { builder: bigint; approval: bigint };
  /** What the caller repeated. */
  said: { builder: bigint | null; limit: bigint | null; approval: bigint | null; recipient: string | null };
  /** From where nothing comes back. */
  walls: string[];
  curves: Record<string, Curve>;
  pools: Record<string, PoolState>;
  chain: number;
  launchpad: string;
  bridge: string;
  dollar: string;
  dollarDecimals: number;
  dollarIsTest: boolean;
  own: string[];
  /** Launch tokens and their prices, dollars with 18 decimals. */
  prices: Record<string, bigint>;
  hoursSinceBudget: number;
  delayHours: number;
}

export interface Limits {
  trade: bigint | null;
  chains: number[] | null;
  contracts: string[];
  recipients: string[];
  builderBps: number;
}

export interface Transaction {
  to: string;
  value: bigint;
  data: string;
}

class No extends Error {}

export const secondOpinion = (transactions: Transaction[], limits: Limits | null, facts: Facts): Opinion => {
  try {
    figures(transactions, limits, facts);
    for (const { to, data } of transactions)
      for (const payee of payees(to, data, facts))
        if (facts.walls.includes(payee) && payee !== facts.said.recipient) throw new No();
    if (limits === null) return 0n;
    if (limits.chains && !limits.chains.includes(facts.chain)) throw new No();
    let counts = 0n;
    for (const { to, value, data } of transactions) {
      if (value > 0n && to !== facts.bridge) throw new No();
      if (to === facts.launchpad) counts += ofLaunchpad(data, limits, facts, 5);
      else counts += to === facts.bridge ? ofBridge(data, limits, facts) : ofOther(to, data, limits, facts);
    }
    if (limits.trade !== null && counts > limits.trade) throw new No();
    if (counts > 10n ** 60n) throw new No();
    return counts;
  } catch (error) {
    if (error instanceof No) return 'refused';
    throw error;
  }
};

// ---------------------------------------------------------------- figures that hold for everybody

const most = (limits: Limits | null, facts: Facts): bigint => {
  const cap = limits?.trade == null ? facts.unasked.approval : limits.trade / 10n ** BigInt(18 - facts.dollarDecimals);
  return cap < facts.unasked.approval ? cap : facts.unasked.approval;
};

/** Walks from the last transaction to the first for the approvals, from the first to the last for the orders. */
const figures = (transactions: Transaction[], limits: Limits | null, facts: Facts): void => {
  const approvals = transactions.map(({ to, data }) => leaves(to, data, facts, 8));
  const orders = transactions.map(({ to, data }) => (to === facts.launchpad ? ordersIn(data, 5) : []));
  let spentLater = 0n;
  for (let at = transactions.length - 1; at >= 0; at -= 1) {
    // Within one transaction approvals come first.
    for (const { name, order } of orders[at] as Placed[]) {
      if (name === 'buyExactIn') spentLater += order?.[1] as bigint;
      if (name === 'buyExactOut') spentLater += order?.[2] as bigint;
    }
    for (const left of (approvals[at] as Left[]).toReversed()) {
      mayBeLeft(left, spentLater, limits, facts);
      if (left.token === facts.dollar && left.spender === facts.launchpad) spentLater = 0n;
    }
  }
  const curves = { ...facts.curves };
  const pools = { ...facts.pools };
  for (const { name, order, params } of orders.flat()) {
    if (params !== undefined) curves[made(params, facts)] = fresh(params[4] as bigint, facts, curves, params);
    if (order === undefined) continue;
    const builder = order[5] as bigint;
    if (builder > facts.unasked.builder && builder !== facts.said.builder) throw new No();
    const fair = tradeOn(name, order, curves, pools, facts);
    const slack = limits === null ? 5_000n : 300n;
    if (fair !== null && isWithin(name, order, fair, slack)) continue;
    if (limits !== null || order[2] !== facts.said.limit) throw new No();
  }
};

interface Left {
  token: string;
  spender: string;
  amount: bigint;
  endless: boolean;
  sets: boolean;
}

const mayBeLeft = (left: Left, spent: bigint, limits: Limits | null, facts: Facts): void => {
  if (left.endless) throw new No();
  if (left.amount === 0n) return;
  const forOurs = left.sets && left.token === facts.dollar && left.spender === facts.launchpad;
  if (forOurs && (left.amount === spent || left.amount <= most(limits, facts))) return;
  if (limits === null && facts.signedIn && left.amount === facts.said.approval) return;
  // What a budget lists is counted further down.
  if (limits !== null && left.sets && left.spender !== facts.launchpad) return;
  throw new No();
};

/** Each form of approval: the words that hold spender, token and amount; from which value on it is without an end. */
const forms: [signature: string, spender: number | null, token: number | null, amount: number, endlessFrom: bigint][] =
  [
    ['approve(address,uint256)', 0, null, 1, 1n << 128n],
    ['increaseAllowance(address,uint256)', 0, null, 1, 1n << 128n],
    ['increaseApproval(address,uint256)', 0, null, 1, 1n << 128n],
    ['approveAndCall(address,uint256)', 0, null, 1, 1n << 128n],
    ['approveAndCall(address,uint256,bytes)', 0, null, 1, 1n << 128n],
    ['setApprovalForAll(address,bool)', 0, null, 1, 1n],
    ['setOperator(address,bool)', 0, null, 1, 1n],
    ['approve(address,uint256,uint256)', 0, null, 2, 1n << 128n],
    ['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', 1, null, 2, 1n << 128n],
    ['permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', 1, null, 4, 1n],
    ['permitUsd(uint256,uint256,uint8,bytes32,bytes32)', null, null, 0, 1n << 128n],
    ['approve(address,address,uint160,uint48)', 1, 0, 2, 1n << 128n],
    ['permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', 5, 1, 2, 1n << 128n],
  ];
const bySelector = new Map(forms.map((form) => [toFunctionSelector(form[0]) as string, form]));
/** Where the list of calls stands in each form of multicall: the word that says so. */
const multicalls = new Map([
  [toFunctionSelector('multicall(bytes[])') as string, 0],
  [toFunctionSelector('multicall(uint256,bytes[])') as string, 1],
  [toFunctionSelector('multicall(bytes32,bytes[])') as string, 1],
]);

/** Approvals that a call leaves, wherever in it. */
const leaves = (to: string, data: string, facts: Facts, depthLeft: number): Left[] => {
  const selector = data.slice(0, 10);
  const listAt = multicalls.get(selector);
  if (listAt !== undefined) {
    const inner = looseList(Buffer.from(data.slice(10), 'hex'), listAt);
    if (depthLeft === 0 || inner === null) throw new No();
    return inner.flatMap((call) => leaves(to, call, facts, depthLeft - 1));
  }
  const form = bySelector.get(selector);
  if (form === undefined) return [];
  const [signature, spenderAt, tokenAt, amountAt, endlessFrom] = form;
  const padded = data.slice(10) + '0'.repeat(64 * 8);
  const word = (at: number): string => padded.slice(at * 64, at * 64 + 64);
  const address = (at: number | null, otherwise: string): string =>
    at === null ? otherwise : `0x${word(at).slice(24)}`;
  const amount = BigInt(`0x${word(amountAt)}`);
  const sets = signature === 'approve(address,uint256)';
  const token = signature.startsWith('permitUsd') ? facts.dollar : address(tokenAt, to);
  return [{ token, spender: address(spenderAt, to), amount, endless: amount >= endlessFrom, sets }];
};

interface Placed {
  name: string;
  order?: Plain[];
  /** Of a creation. */
  params?: Plain[];
}

/** What a call of the Launchpad orders and creates; nothing in it may be unreadable. */
const ordersIn = (data: string, depthLeft: number): Placed[] => {
  const { name, args } = callOf('Launchpad', data);
  if (/^(buy|sell)Exact(In|Out)$/.test(name)) return [{ name, order: args[0] as Plain[] }];
  if (name === 'create') return [{ name, params: args[0] as Plain[] }];
  if (name !== 'multicall') return [];
  if (depthLeft === 1) throw new No();
  return (args[0] as string[]).flatMap((one) => ordersIn(one, depthLeft - 1));
};

/** The recipient of a call, on this chain or on another. */
const payees = (to: string, data: string, facts: Facts): string[] => {
  if (to === facts.launchpad) return payeesOfLaunchpad(data);
  if (data === '0x') return [to];
  const transfers = to === facts.bridge ? 'TokenBridge' : 'TestUSD';
  const read = readable(transfers, data);
  switch (read?.name) {
    case 'send': {
      const [[, , receiver], change] = read.args as [[string, bigint, bigint], string];
      return [`0x${receiver.toString(16).padStart(40, '0')}`, change];
    }
    case 'transfer':
    case 'mint':
      return [read.args[0] as string];
    case 'transferFrom':
      return [read.args[1] as string];
    default:
      return [];
  }
};

const payeesOfLaunchpad = (data: string): string[] => {
  const { name, args } = callOf('Launchpad', data);
  if (/^(buy|sell)Exact(In|Out)$/.test(name)) return [(args[0] as string[])[3] as string];
  if (name === 'multicall') return (args[0] as string[]).flatMap(payeesOfLaunchpad);
  if (name === 'withdraw') return [args[1] as string];
  const [currencies, , amounts] = args as [Plain[], Plain, Plain[]];
  if (name !== 'withdrawBatch' || currencies.length === 0 || currencies.length !== amounts.length) return [];
  return [args[1] as string];
};

const readable = (contract: keyof typeof contracts, data: string): ReturnType<typeof callOf> | null => {
  try {
    return callOf(contract, data);
  } catch (error) {
    if (error instanceof No) return null;
    throw error;
  }
};

// ---------------------------------------------------------------- markets

const up = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator;

/** What goes in and comes out at this state, which it moves on; null when it cannot be filled. */
const tradeOn = (
  name: string,
  order: Plain[],
  curves: Record<string, Curve>,
  pools: Record<string, PoolState>,
  facts: Facts,
): Done | null => {
  const [token, amount, , , , builder] = order as [string, bigint, bigint, string, string, bigint];
  const curve = curves[token];
  const opens = name.startsWith('buy') && curve?.forSale === 0n;
  if (opens && curve.buyFee !== 100n) return null; // its pool waits for the end of the opening window
  const pool = opens ? poolAfter(curve, token, facts) : pools[token];
  if (curve !== undefined && !opens) {
    const fee = (name.startsWith('buy') ? curve.buyFee : 100n) + builder;
    const done = fee >= 10_000n ? null : onCurve(name, amount, fee, curve);
    if (done !== null) curves[token] = done.after;
    return done;
  }
  if (pool === undefined || 100n + builder >= 10_000n) return null;
  const done = inPool(name, amount, 100n + builder, pool, BigInt(facts.dollar) < BigInt(token));
  if (done !== null) {
    pools[token] = done.after;
    delete curves[token];
  }
  return done;
};

/** What a trade takes and brings, and what the whole amount would bring at its price. */
interface Done {
  gives: bigint;
  gets: bigint;
  forAll: bigint;
}

const poolAfter = ({ kind, floor, tokens, dollars, paidIn }: Curve, token: string, facts: Facts): PoolState =>
  graduate({
    poolType: poolTypeById(kind) as PoolType,
    decimals: { token: 18, usd: facts.dollarDecimals },
    curve: { virtualTokens: tokens, virtualUsd: dollars, tokensLeft: 0n, reserveUsd: paidIn },
    floorUsd: floor,
    usdIs0: BigInt(facts.dollar) < BigInt(token),
  }).pool;

/** The part of a sum that a fee leaves, and the sum of which it leaves so much. */
const without = (sum: bigint, fee: bigint): bigint => sum - up(sum * fee, 10_000n);
const before = (rest: bigint, fee: bigint): bigint => up(rest * 10_000n, 10_000n - fee);

const onCurve = (name: string, amount: bigint, fee: bigint, at: Curve) => {
  const { tokens, dollars: usd, forSale, paidIn } = at;
  const moved = (tokensOut: bigint, usdIn: bigint): Curve => ({
    ...at,
    tokens: tokens - tokensOut,
    dollars: usd + usdIn,
    forSale: forSale - tokensOut,
    paidIn: paidIn + usdIn,
  });
  if (name === 'buyExactIn' || name === 'buyExactOut') {
    if (name === 'buyExactOut' && amount > forSale) return null;
    let gives = amount;
    let net = without(amount, fee);
    let gets = (tokens * net) / (usd + net);
    let forAll: bigint | null = null;
    if (name === 'buyExactOut') {
      gets = amount;
      net = up(usd * amount, tokens - amount);
      gives = before(net, fee);
    } else {
      const rest = up(usd * forSale, tokens - forSale);
      if (net >= rest && before(rest, fee) < amount) forAll = ((tokens - forSale) * net) / usd;
      if (net >= rest) [gives, net, gets] = [before(rest, fee), rest, forSale];
    }
    return net <= 0n || gets <= 0n ? null : { gives, gets, forAll: forAll ?? gets, after: moved(gets, net) };
  }
  const gross = name === 'sellExactIn' ? (usd * amount) / (tokens + amount) : before(amount, fee);
  if (gross > paidIn) return null;
  const gets = name === 'sellExactIn' ? without(gross, fee) : amount;
  const gives = name === 'sellExactIn' ? amount : up(tokens * gross, usd - gross);
  return gets <= 0n || gives <= 0n ? null : { gives, gets, forAll: gets, after: moved(-gives, -gross) };
};

const inPool = (name: string, amount: bigint, fee: bigint, pool: PoolState, dollarFirst: boolean) => {
  const exact = name === 'buyExactIn' ? without(amount, fee) : name === 'sellExactOut' ? before(amount, fee) : amount;
  if (exact <= 0n) return null;
  const zeroForOne = name.startsWith('buy') === dollarFirst;
  const done = swap(pool, { zeroForOne, exactIn: name.endsWith('In'), amount: exact });
  if (done.unfilled > 0n || done.amountIn === 0n || done.amountOut === 0n) return null;
  const gives = {
    buyExactIn: amount,
    buyExactOut: before(done.amountIn, fee),
    sellExactIn: done.amountIn,
    sellExactOut: done.amountIn,
  }[name] as bigint;
  const gets = {
    buyExactIn: done.amountOut,
    buyExactOut: done.amountOut,
    sellExactIn: without(done.amountOut, fee),
    sellExactOut: amount,
  }[name] as bigint;
  return gets <= 0n ? null : { gives, gets, forAll: gets, after: done.after };
};

/** A limit of what is received speaks for the whole amount, of which the end of a curve takes a part. */
const isWithin = (name: string, order: Plain[], { gives, forAll }: Done, slack: bigint) => {
  const limit = order[2] as bigint;
  return name.endsWith('In')
    ? limit >= (forAll * (10_000n - slack)) / 10_000n
    : limit <= up(gives * (10_000n + slack), 10_000n);
};

const word = (digits: string): string => digits.padStart(64, '0');

/** The token of a creation: CREATE2 by the factory of the smallest proxy, its salt hashed with chain and creator. */
const made = (params: Plain[], { chainId, wallet, factory, implementation }: Facts): string => {
  const salt = keccak256(
    `0x${word(chainId.toString(16))}${word(wallet.slice(2))}${word((params[3] as bigint).toString(16))}`,
  );
  const code = keccak256(
    `0x602c3d8160093d39f33d3d3d3d363d3d37363d73${implementation.slice(2)}5af43d3d93803e602a57fd5bf3`,
  );
  return `0x${keccak256(`0xff${factory.slice(2)}${salt.slice(2)}${code.slice(2)}`).slice(26)}`;
};

/** Virtual tokens and dollars of the three kinds, and what is for sale. */
const kinds: Record<string, [tokens: bigint, dollars: bigint, forSale: bigint]> = {
  7: [1_125_000_000n, 12_500n, 750_000_000n],
  8: [1_280_000_000n, 18_000n, 800_000_000n],
  9: [1_125_000_000n, 125n, 750_000_000n],
};

const fresh = (kind: bigint, facts: Facts, curves: Record<string, Curve>, params: Plain[]): Curve => {
  const found = kinds[kind.toString()];
  // No such kind: the token stays what it was, which is nothing.
  if (found === undefined) return curves[made(params, facts)] as Curve;
  const [tokens, usd, forSale] = found;
  const unit = 10n ** 18n;
  const buyFee = 8_000n;
  return {
    kind: Number(kind),
    floor: 0n,
    tokens: tokens * unit,
    dollars: usd * 10n ** BigInt(facts.dollarDecimals),
    forSale: forSale * unit,
    paidIn: 0n,
    buyFee,
  };
};

// ---------------------------------------------------------------- reading what is loose

/** The calls of a `bytes[]` wherever its offsets lead; null when they lead out of the bytes. */
const looseList = (bytes: Buffer, headWord: number): string[] | null => {
  const wordAt = (at: number): number | null => {
    if (at + 32 > bytes.length) return null;
    const value = BigInt(`0x${bytes.subarray(at, at + 32).toString('hex')}`);
    return value > BigInt(bytes.length) ? null : Number(value);
  };
  const list = wordAt(headWord * 32);
  const length = list === null ? null : wordAt(list);
  if (list === null || length === null) return null;
  const calls: string[] = [];
  for (let i = 0; i < length; i += 1) {
    const offset = wordAt(list + 32 + i * 32);
    const size = offset === null ? null : wordAt(list + 32 + offset);
    if (offset === null || size === null) return null;
    const start = list + 64 + offset;
    if (start + size > bytes.length) return null;
    calls.push(`0x${bytes.subarray(start, start + size).toString('hex')}`);
  }
  return calls;
};

// ---------------------------------------------------------------- with a budget

const ofLaunchpad = (data: string, limits: Limits, facts: Facts, depthLeft: number): bigint => {
  const { name, args } = callOf('Launchpad', data);
  if (/^(buy|sell)Exact(In|Out)$/.test(name)) return ofOrder(name, args[0] as Plain[], limits, facts);
  if (name === 'multicall') {
    if (depthLeft === 1) throw new No();
    return (args[0] as string[]).reduce((sum, one) => sum + ofLaunchpad(one, limits, facts, depthLeft - 1), 0n);
  }
  if (name === 'withdraw') return ofWithdrawal(args.slice(0, 1), args[1], args.slice(2), limits, facts);
  if (name === 'withdrawBatch') return ofWithdrawal(args[0] as Plain[], args[1], args[2] as Plain[], limits, facts);
  if (name === 'setReferrer' && !facts.own.includes((args[0] as string[])[0] as string)) throw new No();
  if (!['create', 'permitUsd', 'graduate', 'collectTreasury', 'setReferrer'].includes(name)) throw new No();
  return 0n;
};

const ofOrder = (name: string, order: Plain[], limits: Limits, facts: Facts): bigint => {
  const [token, amount, limit, recipient, , builderBps] = order as [string, bigint, bigint, string, string, bigint];
  const [usd, tokens] = ['buyExactIn', 'sellExactOut'].includes(name) ? [amount, limit] : [limit, amount];
  const inDollars = dollars(facts.dollar, usd, facts);
  const counts = name.startsWith('buy') ? inDollars : greater(dollars(token, tokens, facts), inDollars);
  if (builderBps > limits.builderBps) throw new No();
  mayReceive(recipient, limits, facts);
  return counts;
};

const ofWithdrawal = (
  currencies: Plain[],
  to: Plain | undefined,
  amounts: Plain[],
  limits: Limits,
  facts: Facts,
): bigint => {
  if (currencies.length !== amounts.length) throw new No();
  if (facts.own.includes(to as string)) return 0n;
  let sum = 0n;
  for (const [i, currency] of currencies.entries()) {
    if (amounts[i] === (1n << 256n) - 1n) throw new No();
    mayReceive(to as string, limits, facts);
    sum += dollars(currency as string, amounts[i] as bigint, facts);
  }
  return sum;
};

/** The forms in which tokens of the caller move, beyond those that a rule names. */
const moving = [
  'transferFrom(address,address,uint256)',
  'increaseAllowance(address,uint256)',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'safeTransferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'setApprovalForAll(address,bool)',
].map((text) => toFunctionSelector(text) as string);
const named = ['approve(address,uint256)', 'transfer(address,uint256)', 'mint(address,uint256)'].map(
  (text) => toFunctionSelector(text) as string,
);

const ofOther = (to: string, data: string, limits: Limits, facts: Facts): bigint => {
  const listed = limits.contracts.includes(to);
  const ours = to === facts.dollar || to in facts.prices;
  const selector = data.slice(0, 10);
  if (moving.includes(selector) || !(listed || ours)) throw new No();
  if (!named.includes(selector)) {
    if (ours) throw new No();
    return 0n;
  }
  const { name, args } = callOf('TestUSD', data);
  const [who, amount] = args as [string, bigint];
  if (name === 'mint') {
    if (to === facts.dollar && facts.dollarIsTest && facts.own.includes(who)) return 0n;
    if (listed && !ours) return 0n;
    throw new No();
  }
  if (name === 'approve') {
    if (amount === 0n || who === facts.launchpad) return 0n;
    if (!limits.contracts.includes(who)) throw new No();
    return dollars(to, amount, facts);
  }
  if (facts.own.includes(who)) return 0n;
  mayReceive(who, limits, facts);
  return dollars(to, amount, facts);
};

/** What is sent to another chain counts as what is given away here; the change of its fee stays with the user. */
const ofBridge = (data: string, limits: Limits, facts: Facts): bigint => {
  const { name, args } = callOf('TokenBridge', data);
  const usable = (token: string) => token === facts.dollar || token === facts.launchpad || token in facts.prices;
  if (name === 'announce') {
    const [token] = args as [string];
    if (!usable(token) && !limits.contracts.includes(token)) throw new No();
    return 0n;
  }
  if (name !== 'send') throw new No();
  const [[token, , to, amount], change] = args as [[string, bigint, bigint, bigint], string];
  if (!facts.own.includes(change)) throw new No();
  // Addresses of other kinds of chains are longer, and nobody's here.
  if (to >= 1n << 160n) throw new No();
  const who = `0x${to.toString(16).padStart(40, '0')}`;
  if (facts.own.includes(who)) {
    if (!usable(token) && !limits.contracts.includes(token)) throw new No();
    return 0n;
  }
  mayReceive(who, limits, facts);
  return dollars(token, amount, facts);
};

const mayReceive = (who: string, limits: Limits, facts: Facts): void => {
  if (facts.own.includes(who)) return;
  if (!limits.recipients.includes(who) || facts.hoursSinceBudget < facts.delayHours) throw new No();
};

/** Rounded up; what has no value is not spent. */
const dollars = (token: string, amount: bigint, facts: Facts): bigint => {
  if (token === facts.dollar) return amount * 10n ** BigInt(18 - facts.dollarDecimals);
  const price = facts.prices[token];
  if (price === undefined) throw new No();
  const exact = amount * price;
  return exact / 10n ** 18n + (exact % 10n ** 18n === 0n ? 0n : 1n);
};

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

// ---------------------------------------------------------------- reading calls

type Plain = string | bigint | boolean | Plain[];

const compiled = (contract: string): Map<string, AbiFunction> => {
  const functions = compiledContract(contract).abi.filter((item): item is AbiFunction => item.type === 'function');
  return new Map(functions.map((one) => [toFunctionSelector(one), one]));
};
const contracts = {
  Launchpad: compiled('Launchpad'),
  TestUSD: compiled('TestUSD'),
  TokenBridge: compiled('TokenBridge'),
};

/** @throws No for an unknown function, and for bytes that a plain encoder would not have written. */
const callOf = (contract: keyof typeof contracts, data: string): { name: string; args: Plain[] } => {
  const found = contracts[contract].get(data.slice(0, 10));
  if (found === undefined) throw new No();
  const reader = new Reader(Buffer.from(data.slice(10), 'hex'));
  const args = reader.tuple(found.inputs, 0);
  if (reader.end !== reader.bytes.length) throw new No();
  return { name: found.name, args };
};

const componentsOf = (parameter: AbiParameter): readonly AbiParameter[] =>
  'components' in parameter ? parameter.components : [];

const isDynamic = (parameter: AbiParameter): boolean =>
  /^(string|bytes)$|\[\]$/.test(parameter.type) || componentsOf(parameter).some(isDynamic);

const wordsOf = (parameter: AbiParameter): number =>
  isDynamic(parameter) || parameter.type !== 'tuple'
    ? 1
    : componentsOf(parameter).reduce((sum, one) => sum + wordsOf(one), 0);

/** Strict: every tail stands where the one before it ended, every bit that carries nothing is zero. */
class Reader {
  readonly bytes: Buffer;
  /** Where the next tail has to stand. */
  end = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  tuple(parameters: readonly AbiParameter[], start: number): Plain[] {
    const heads = parameters.reduce((sum, one) => sum + wordsOf(one), 0);
    this.end = Math.max(this.end, start + heads * 32);
    let at = start;
    return parameters.map((parameter) => {
      const here = at;
      at += wordsOf(parameter) * 32;
      if (!isDynamic(parameter)) return this.still(parameter, here);
      if (this.word(here) !== BigInt(this.end - start)) throw new No();
      return this.moving(parameter, this.end);
    });
  }

  still(parameter: AbiParameter, at: number): Plain {
    if (parameter.type === 'tuple') return this.tuple(componentsOf(parameter), at);
    const value = this.word(at);
    const plain = { address: 160, bool: 1 }[parameter.type];
    const bits = plain ?? Number(/^uint(\d+)$/.exec(parameter.type)?.[1] ?? 256);
    if (value >> BigInt(bits) !== 0n) throw new No();
    return parameter.type === 'address' ? `0x${value.toString(16).padStart(40, '0')}` : value;
  }

  moving(parameter: AbiParameter, at: number): Plain {
    if (parameter.type === 'tuple') {
      return this.tuple(componentsOf(parameter), at);
    }
    const length = Number(this.word(at));
    if (length > this.bytes.length) throw new No();
    if (parameter.type.endsWith('[]')) {
      const item = { ...parameter, type: parameter.type.slice(0, -2) };
      return this.tuple(
        Array.from({ length }, () => item),
        at + 32,
      );
    }
    const content = this.bytes.subarray(at + 32, at + 32 + length);
    const next = at + 32 + Math.ceil(length / 32) * 32;
    if (next > this.bytes.length || this.bytes.subarray(at + 32 + length, next).some((byte) => byte !== 0))
      throw new No();
    if (parameter.type === 'string' && !content.equals(Buffer.from(content.toString('utf8')))) throw new No();
    this.end = next;
    return `0x${content.toString('hex')}`;
  }

  word(at: number): bigint {
    if (at + 32 > this.bytes.length) throw new No();
    return BigInt(`0x${this.bytes.subarray(at, at + 32).toString('hex')}`);
  }
}
