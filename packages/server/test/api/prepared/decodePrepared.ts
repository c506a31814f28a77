import { compiledContract } from '@mintage/devnet/compiledContract';
import {
  type AbiFunction,
  type AbiParameter,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  toFunctionSelector,
  zeroAddress,
} from 'viem';

/**
 * The second opinion on a prepared transaction (threat W8). It shares nothing with the service: its ABI is the compiler's
 * output, its decoder is viem, and it accepts only bytes that viem itself would have written, so no bit can hide.
 */

/** What a request's transactions do, in the words of the request. Addresses are lower case, amounts base units. */
export type Meaning = TradeMeaning | CreationMeaning | ClaimMeaning | MintMeaning;

export interface TradeMeaning {
  does: 'trade';
  chainId: number;
  token: Hex;
  direction: 'buy' | 'sell';
  /** The exact side. */
  exact: { unit: 'usd' | 'token'; amount: bigint };
  limit: bigint;
  userAddress: Hex;
  builder: { code: Hex; fee: number } | null;
  referral: Hex | null;
  deadline: number;
  /** Comes first in the same call; null: no word of a referrer. */
  voucher: VoucherMeaning | null;
  /** What the Launchpad may pull afterwards; null: nothing is approved. */
  approval: bigint | null;
}

/** Who referred whom, as signed. */
export interface VoucherMeaning {
  user: Hex;
  referrer: Hex;
  deadline: bigint;
  signature: Hex;
}

export interface CreationMeaning {
  does: 'create';
  chainId: number;
  name: string;
  symbol: string;
  uri: string;
  salt: Hex;
  poolType: number;
  deadline: number;
  /** The first buy, in the same transaction. */
  buy: OrderMeaning | null;
  voucher: VoucherMeaning | null;
  approval: bigint | null;
}

type OrderMeaning = Omit<TradeMeaning, 'does' | 'chainId' | 'voucher' | 'approval'>;

export interface ClaimMeaning {
  does: 'claim';
  chainId: number;
  to: Hex;
  /** The vault takes the largest uint256 as everything. */
  currencies: { currency: Hex; amount: bigint }[];
}

export interface MintMeaning {
  does: 'mint';
  chainId: number;
  to: Hex;
  amount: bigint;
}

/** A transaction as an answer holds it; the chain's id also as text or in CAIP-2 form. */
export interface Transaction {
  to: string;
  data: string;
  value: string;
  chainId: number | string;
}

/** Where our contracts are, from the deployment record. */
export interface Contracts {
  chainId: number;
  launchpad: Hex;
  usd: Hex;
}

/** The state-changing functions of a compiled contract. */
const compiled = (contract: string): AbiFunction[] =>
  compiledContract(contract).abi.filter(
    (item): item is AbiFunction => item.type === 'function' && item.stateMutability === 'nonpayable',
  );

const launchpad = compiled('Launchpad');
const dollar = compiled('TestUSD');

interface Call {
  contract: 'launchpad' | 'dollar';
  chainId: number;
  name: string;
  args: Record<string, unknown>;
}

/**
 * @throws Error for anything that none of the service's answers should hold: an unknown contract, chain or call, coins
 *   sent along, bytes beside the canonical ones, an unlimited approval, calls that do not belong together.
 */
export const decodePrepared = (transactions: readonly Transaction[], known: readonly Contracts[]): Meaning => {
  const calls = transactions.map((transaction) => callOf(transaction, known));
  const main = calls.at(-1);
  if (main === undefined) throw new Error('no transaction');
  if (calls.some(({ chainId }) => chainId !== main.chainId)) throw new Error('several chains');
  const approval = approvalIn(calls.slice(0, -1), known);
  const meaning = meaningOf(main, approval);
  if (approval !== null && (meaning.does === 'claim' || meaning.does === 'mint')) throw new Error('needless approval');
  return meaning;
};

const meaningOf = ({ contract, chainId, name, args }: Call, approval: bigint | null): Meaning => {
  if (contract === 'dollar') {
    if (name !== 'mint') throw new Error(`the last call is ${name} of the dollar token`);
    return { does: 'mint', chainId, to: lower(args.to), amount: args.amount as bigint };
  }
  switch (name) {
    case 'withdrawBatch': {
      const { currencies, to, amounts } = args as { currencies: Hex[]; to: Hex; amounts: bigint[] };
      if (currencies.length !== amounts.length) throw new Error('currencies without amounts');
      const pairs = currencies.map((currency, at) => ({ currency: lower(currency), amount: amounts[at] as bigint }));
      return { does: 'claim', chainId, to: lower(to), currencies: pairs };
    }
    case 'multicall': {
      const calls = (args.calls as Hex[]).map((data) => strictly(launchpad, data));
      if (calls.length < 2) throw new Error('a multicall of one');
      return { ...togetherOf(calls), chainId, approval };
    }
    default:
      return { ...togetherOf([{ name, args }]), chainId, approval };
  }
};

/** The calls that are one: a voucher or not, then a creation with or without a buy, or an order. */
const togetherOf = (
  calls: readonly Pick<Call, 'name' | 'args'>[],
): Omit<TradeMeaning, 'chainId' | 'approval'> | Omit<CreationMeaning, 'chainId' | 'approval'> => {
  const voucher = calls[0]?.name === 'setReferrer' ? voucherOf(calls[0].args) : null;
  const [main, buy, ...rest] = voucher === null ? calls : calls.slice(1);
  if (main === undefined || rest.length > 0) throw new Error('not a trade or a creation');
  if (main.name === 'create') {
    const order = buy === undefined ? null : orderOf(buy.name, buy.args);
    if (order?.direction === 'sell') throw new Error('a creation that sells');
    return { ...creationOf(main.args), buy: order, voucher };
  }
  if (buy !== undefined) throw new Error('two orders');
  return { does: 'trade', ...orderOf(main.name, main.args), voucher };
};

const voucherOf = (args: Record<string, unknown>): VoucherMeaning => {
  const { user, referrer, deadline } = args.voucher as Omit<VoucherMeaning, 'signature'>;
  return { user: lower(user), referrer: lower(referrer), deadline, signature: args.signature as Hex };
};

const creationOf = (
  args: Record<string, unknown>,
): Omit<CreationMeaning, 'chainId' | 'buy' | 'voucher' | 'approval'> => {
  const { name, symbol, uri, salt, poolType, deadline } = args.params as Omit<CreationMeaning, 'deadline'> & {
    deadline: bigint;
  };
  return { does: 'create', name, symbol, uri, salt, poolType, deadline: Number(deadline) };
};

interface Order {
  token: Hex;
  amount: bigint;
  limit: bigint;
  recipient: Hex;
  builder: Hex;
  builderBps: bigint;
  referral: Hex;
  deadline: bigint;
}

const orders: Readonly<Record<string, Pick<TradeMeaning, 'direction'> & { unit: 'usd' | 'token' }>> = {
  buyExactIn: { direction: 'buy', unit: 'usd' },
  buyExactOut: { direction: 'buy', unit: 'token' },
  sellExactIn: { direction: 'sell', unit: 'token' },
  sellExactOut: { direction: 'sell', unit: 'usd' },
};

const orderOf = (name: string, args: Record<string, unknown>): OrderMeaning => {
  const kind = orders[name];
  if (kind === undefined) throw new Error(`${name} of the Launchpad`);
  const { token, amount, limit, recipient, builder, builderBps, referral, deadline } = args.order as Order;
  if (lower(builder) === zeroAddress && builderBps !== 0n) throw new Error('a fee for no builder');
  return {
    token: lower(token),
    direction: kind.direction,
    exact: { unit: kind.unit, amount },
    limit,
    userAddress: lower(recipient),
    builder: lower(builder) === zeroAddress ? null : { code: lower(builder), fee: Number(builderBps) },
    referral: lower(referral) === zeroAddress ? null : lower(referral),
    deadline: Number(deadline),
  };
};

/** The amount of the one approval that may come first: the Launchpad's, of the dollar token, never without an end. */
const approvalIn = (calls: readonly Call[], known: readonly Contracts[]): bigint | null => {
  const [approve, another] = calls;
  if (approve === undefined) return null;
  if (another !== undefined) throw new Error('too many transactions');
  if (approve.contract !== 'dollar' || approve.name !== 'approve') throw new Error(`${approve.name} comes first`);
  const spender = lower(approve.args.spender);
  if (!known.some((one) => one.chainId === approve.chainId && one.launchpad === spender))
    throw new Error('an approval of a stranger');
  return approve.args.amount as bigint;
};

const callOf = ({ to, data, value, chainId }: Transaction, known: readonly Contracts[]): Call => {
  const id = Number(String(chainId).replace(/^eip155:/, ''));
  const contracts = known.find((one) => one.chainId === id);
  if (contracts === undefined) throw new Error(`chain ${chainId}`);
  if (value !== '0') throw new Error(`${value} wei are sent along`);
  if (to === contracts.launchpad) return { contract: 'launchpad', chainId: id, ...strictly(launchpad, data) };
  if (to === contracts.usd) return { contract: 'dollar', chainId: id, ...strictly(dollar, data) };
  throw new Error(`the contract ${to}`);
};

/** Decodes, and encodes again: what does not come out the same holds more than it says. */
const strictly = (functions: AbiFunction[], data: string): Pick<Call, 'name' | 'args'> => {
  const found = functions.find((one) => toSelector(one) === data.slice(0, 10));
  if (found === undefined) throw new Error(`the call ${data.slice(0, 10)}`);
  const abi = [found];
  const { args = [] } = decodeFunctionData({ abi, data: data as Hex });
  if (encodeFunctionData({ abi, functionName: found.name, args }) !== data) throw new Error('bytes that say nothing');
  const names = found.inputs.map((input: AbiParameter, at) => input.name ?? String(at));
  return { name: found.name, args: Object.fromEntries(names.map((name, at) => [name, args[at]])) };
};

const selectors = new Map<AbiFunction, Hex>();
const toSelector = (one: AbiFunction): Hex => {
  const selector = selectors.get(one) ?? toFunctionSelector(one);
  selectors.set(one, selector);
  return selector;
};

const lower = (address: unknown): Hex => String(address).toLowerCase() as Hex;
