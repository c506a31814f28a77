import { type Hex, stringToHex, toFunctionSelector } from 'viem';
import type { TradeKind } from '../maths/trade.ts';

/**
 * Calls of the Launchpad, the vault and the dollar token as bytes, written word by word: a prepared trade is mostly this,
 * and a general encoder takes many times as long. A test compares every function with viem for random arguments.
 */
/** The Launchpad's `Order`. */
export interface Order {
  /** Address of the token. */
  token: Hex;
  /** The exact side, base units: USD or tokens, by the function that takes the order. */
  amount: bigint;
  /** The other side: least received or most paid, fees included. */
  limit: bigint;
  /** Who receives what the trade brings. */
  recipient: Hex;
  /** The zero address: no builder. */
  builder: Hex;
  /** Basis points of the gross amount, on top of the trade fee. */
  builderBps: bigint;
  /** Token referral; the zero address: none. */
  referral: Hex;
  /** Unix seconds. */
  deadline: bigint;
}

/** The Launchpad's `TokenParams`. */
export interface TokenParams {
  name: string;
  symbol: string;
  /** Of the token's metadata, usually `ipfs://<cid>`. */
  uri: string;
  /** 32 bytes; with creator and chain it gives the token's address. */
  salt: Hex;
  /** `id` of `poolTypes`. */
  poolType: number;
  /** Unix seconds. */
  deadline: bigint;
}

/** The Launchpad's `Voucher`. */
export interface Voucher {
  /** The wallet whose referrer is set. */
  user: Hex;
  /** Who becomes its protocol referrer. */
  referrer: Hex;
  /** Unix seconds. */
  deadline: bigint;
}

export interface SignedVoucher extends Voucher {
  /** By the voucher signer of the deployment, 65 bytes. */
  signature: Hex;
}

const orderType = '(address,uint256,uint256,address,address,uint256,address,uint256)';
const orderSelectors: Record<TradeKind, Hex> = {
  buyExactIn: toFunctionSelector(`buyExactIn(${orderType})`),
  buyExactOut: toFunctionSelector(`buyExactOut(${orderType})`),
  sellExactIn: toFunctionSelector(`sellExactIn(${orderType})`),
  sellExactOut: toFunctionSelector(`sellExactOut(${orderType})`),
};
const selectors = {
  create: toFunctionSelector('create((string,string,string,bytes32,uint8,uint256))'),
  multicall: toFunctionSelector('multicall(bytes[])'),
  permitUsd: toFunctionSelector('permitUsd(uint256,uint256,uint8,bytes32,bytes32)'),
  setReferrer: toFunctionSelector('setReferrer((address,address,uint256),bytes)'),
  withdrawBatch: toFunctionSelector('withdrawBatch(address[],address,uint256[])'),
  approve: toFunctionSelector('approve(address,uint256)'),
  mint: toFunctionSelector('mint(address,uint256)'),
  transfer: toFunctionSelector('transfer(address,uint256)'),
};

/** `buyExactIn`, `buyExactOut`, `sellExactIn` or `sellExactOut` of the Launchpad. */
export const encodeOrder = (kind: TradeKind, order: Order): Hex =>
  `${orderSelectors[kind]}${addressWord(order.token)}${word(order.amount)}${word(order.limit)}${addressWord(order.recipient)}${addressWord(order.builder)}${word(order.builderBps)}${addressWord(order.referral)}${word(order.deadline)}`;

/** `create` of the Launchpad. */
export const encodeCreate = ({ name, symbol, uri, salt, poolType, deadline }: TokenParams): Hex => {
  const texts = [name, symbol, uri].map((text) => bytesTail(stringToHex(text)));
  const heads = offsets(texts, 6 * wordBytes);
  return `${selectors.create}${word(32n)}${heads.join('')}${bytesWord(salt)}${word(BigInt(poolType))}${word(deadline)}${texts.join('')}`;
};

/** `multicall` of the Launchpad: all calls or none. */
export const encodeMulticall = (calls: readonly Hex[]): Hex => {
  const tails = calls.map(bytesTail);
  const heads = offsets(tails, calls.length * wordBytes);
  return `${selectors.multicall}${word(32n)}${word(BigInt(calls.length))}${heads.join('')}${tails.join('')}`;
};

/** `permitUsd` of the Launchpad: `value` and `deadline` (Unix seconds) as signed. */
export const encodePermitUsd = (value: bigint, deadline: bigint, { v, r, s }: { v: number; r: Hex; s: Hex }): Hex =>
  `${selectors.permitUsd}${word(value)}${word(deadline)}${word(BigInt(v))}${bytesWord(r)}${bytesWord(s)}`;

/** `setReferrer` of the Launchpad. */
export const encodeSetReferrer = ({ user, referrer, deadline }: Voucher, signature: Hex): Hex =>
  `${selectors.setReferrer}${addressWord(user)}${addressWord(referrer)}${word(deadline)}${word(4n * 32n)}${bytesTail(signature)}`;

/** `withdrawBatch` of the vault: pays the caller's credits to `to`. An amount of 2^256 - 1 means everything. */
export const encodeWithdrawBatch = (currencies: readonly Hex[], to: Hex, amounts: readonly bigint[]): Hex => {
  const currencyList = word(BigInt(currencies.length)) + currencies.map(addressWord).join('');
  const amountList = word(BigInt(amounts.length)) + amounts.map(word).join('');
  const [currenciesAt, amountsAt] = offsets([currencyList, amountList], 3 * wordBytes);
  return `${selectors.withdrawBatch}${currenciesAt}${addressWord(to)}${amountsAt}${currencyList}${amountList}`;
};

/** `approve` of an ERC-20. */
export const encodeApprove = (spender: Hex, amount: bigint): Hex =>
  `${selectors.approve}${addressWord(spender)}${word(amount)}`;

/** `transfer` of an ERC-20. */
export const encodeTransfer = (to: Hex, amount: bigint): Hex =>
  `${selectors.transfer}${addressWord(to)}${word(amount)}`;

/** `mint` of the test dollar. */
export const encodeMint = (to: Hex, amount: bigint): Hex => `${selectors.mint}${addressWord(to)}${word(amount)}`;

const wordBytes = 32;
const wordDigits = 64;

const word = (value: bigint): string => {
  const digits = value.toString(16);
  if (value < 0n || digits.length > wordDigits) throw new RangeError(`${value} does not fit an unsigned 256-bit word`);
  return digits.padStart(wordDigits, '0');
};

const addressWord = (address: Hex): string => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RangeError(`${address} is not an address`);
  return address.slice(2).toLowerCase().padStart(wordDigits, '0');
};

const bytesWord = (bytes: Hex): string => {
  if (!/^0x[0-9a-fA-F]{64}$/.test(bytes)) throw new RangeError(`${bytes} is not 32 bytes`);
  return bytes.slice(2).toLowerCase();
};

/** Length, then the bytes filled up to whole words. */
const bytesTail = (bytes: Hex): string => {
  const digits = bytes.slice(2).toLowerCase();
  const padded = Math.ceil(digits.length / wordDigits) * wordDigits;
  return word(BigInt(digits.length / 2)) + digits.padEnd(padded, '0');
};

/** Where each tail starts, the first one `headBytes` after the start. */
const offsets = (tails: readonly string[], headBytes: number): string[] => {
  let position = headBytes;
  return tails.map((tail) => {
    const at = word(BigInt(position));
    position += tail.length / 2;
    return at;
  });
};
