import { decodeErrorResult, type Hex, parseAbi } from 'viem';
import { slugOfEid } from '../chains/chainIds.ts';
import { formatUnits } from '../maths/decimal.ts';
import { isBuy, isExactIn, type TradeKind } from '../maths/trade.ts';
import { type ErrorCode, MintageError } from '../schemas/errors.ts';
import { create3FactoryAbi, launchpadAbi, tokenBridgeAbi } from './generated/abi.ts';

/** What a decoded revert says about amounts; without it they are base units. */
export interface RevertUnits {
  usd: { symbol: string; decimals: number };
  token: { symbol: string; decimals: number };
  /** Of the order that reverted. */
  kind?: TradeKind;
}

/** Errors of dollar tokens that are not ours (ERC-6093). */
const erc20Errors = parseAbi([
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
]);

const revertAbi = [...launchpadAbi, ...tokenBridgeAbi, ...create3FactoryAbi, ...erc20Errors] as const;
type RevertName = Extract<(typeof revertAbi)[number], { type: 'error' }>['name'];

/** The slug of the chain with this endpoint id, where it is one of ours. */
const chainNamed = (eid: unknown): string => slugOfEid(Number(eid)) ?? `the chain with the endpoint id ${eid}`;

/** An amount in words: `which` side of the trade it is counted in. */
type Amounts = (baseUnits: unknown, which: 'usd' | 'token' | 'in' | 'out' | 'exact') => string;
type Explanation = (args: readonly unknown[], amount: Amounts) => readonly [code: ErrorCode, sentence: string];

/** The errors that a caller can meet, in words. All others are faults of a call we never prepare: they keep their name. */
const explanations: Partial<Record<RevertName, Explanation>> = {
  DeadlinePassed: ([deadline, now]) => [
    'DEADLINE_PASSED',
    `The deadline passed ${BigInt(now as bigint) - BigInt(deadline as bigint)} s before the block.`,
  ],
  UnknownToken: ([token]) => ['TOKEN_NOT_FOUND', `No token of this launchpad is at ${token} on this chain.`],
  UnknownPoolType: ([id]) => ['INVALID_PARAMETERS', `Pool type ${id} cannot be created on this chain.`],
  NoVenue: () => ['UNSUPPORTED_CHAIN', 'This chain has no exchange yet that a token could graduate to.'],
  UnusableText: ([given, most]) => [
    'INVALID_PARAMETERS',
    given === 0n
      ? 'A token needs a name and a symbol.'
      : `The token’s name or symbol takes ${given} bytes in UTF-8; the contract takes ${most}.`,
  ],
  ZeroAmount: () => ['AMOUNT_TOO_SMALL', 'The amount is too small: after fees and rounding nothing would move.'],
  ZeroAddress: () => ['INVALID_PARAMETERS', 'The recipient must not be the zero address.'],
  FeesExceedAmount: ([totalBps]) => [
    'FEES_EXCEED_AMOUNT',
    `Fees of ${totalBps} basis points leave nothing of the amount.`,
  ],
  TooLittleReceived: ([received, minimum], amount) => [
    'SLIPPAGE_EXCEEDED',
    `The trade would give ${amount(received, 'out')}, less than the limit of ${amount(minimum, 'out')}.`,
  ],
  TooMuchPaid: ([paid, maximum], amount) => [
    'SLIPPAGE_EXCEEDED',
    `The trade would cost ${amount(paid, 'in')}, more than the limit of ${amount(maximum, 'in')}.`,
  ],
  BeyondCurve: ([requested, left], amount) => [
    'BEYOND_CURVE',
    `${amount(requested, 'token')} were asked for, but the curve has ${amount(left, 'token')} left.`,
  ],
  BeyondReserve: ([requested, reserve], amount) => [
    'BEYOND_RESERVE',
    `The sale would take ${amount(requested, 'usd')} out of the curve, which holds ${amount(reserve, 'usd')}.`,
  ],
  PartialFill: ([requested, filled], amount) => [
    'PARTIAL_FILL',
    `The pool can fill ${amount(filled, 'exact')} of ${amount(requested, 'exact')}.`,
  ],
  NotCompleted: ([, left], amount) => [
    'TRANSACTION_FAILED',
    `The token cannot graduate yet: its curve has ${amount(left, 'token')} left.`,
  ],
  AlreadyGraduated: () => ['TRANSACTION_FAILED', 'The token has graduated already.'],
  WindowOpen: ([opensAt, now]) => [
    'TRANSACTION_FAILED',
    `The token cannot graduate in its first seconds: ${BigInt(opensAt as bigint) - BigInt(now as bigint)} s are left.`,
  ],
  GraduationPending: () => [
    'BEYOND_CURVE',
    'The curve is sold out, and its pool could not be opened in the same call: within 6 s of the creation, inside a call of the pool manager, or with too little gas.',
  ],
  Unauthorized: ([caller]) => ['TRANSACTION_FAILED', `${caller} may not call this.`],
  InvalidVoucher: () => [
    'TRANSACTION_FAILED',
    'The referral voucher is not signed by this service for this wallet, or ends more than an hour from now.',
  ],
  InsufficientCredit: ([currency, requested, available]) => [
    'INSUFFICIENT_BALANCE',
    `${requested} base units of ${currency} were claimed, but ${available} are credited.`,
  ],
  LengthMismatch: ([currencies, amounts]) => [
    'INVALID_PARAMETERS',
    `A claim of ${currencies} currencies needs as many amounts, not ${amounts}.`,
  ],
  ZeroRecipient: () => ['INVALID_PARAMETERS', 'A claim must not be paid to the zero address.'],
  InsufficientBalance: () => ['INSUFFICIENT_BALANCE', 'The wallet holds less than the transaction would move.'],
  ERC20InsufficientBalance: ([, balance, needed]) => [
    'INSUFFICIENT_BALANCE',
    `The transaction would move ${needed} base units, but the wallet holds ${balance}.`,
  ],
  // The transfer library hides the dollar token's own reason.
  TransferFromFailed: () => [
    'INSUFFICIENT_BALANCE',
    'The dollar token could not be taken from the wallet: its balance or its approval for the launchpad is too low.',
  ],
  InsufficientAllowance: () => ['INSUFFICIENT_ALLOWANCE', 'The wallet has approved less than the transaction takes.'],
  ERC20InsufficientAllowance: ([, allowance, needed]) => [
    'INSUFFICIENT_ALLOWANCE',
    `The transaction takes ${needed} base units, but ${allowance} are approved.`,
  ],
  NoRoute: ([eid]) => ['UNSUPPORTED_CHAIN', `There is no way from here to ${chainNamed(eid)}.`],
  RoutePaused: ([eid]) => ['ROUTE_PAUSED', `The way to and from ${chainNamed(eid)} is paused.`],
  ThroughHome: ([eid]) => ['ROUTE_THROUGH_HOME', `From here the token goes to its home only, ${chainNamed(eid)}.`],
  AmountTooSmall: () => ['AMOUNT_TOO_SMALL', 'Less than 0.000001 of a token cannot cross chains.'],
  UnusableRecipient: () => ['INVALID_PARAMETERS', 'The recipient is no address of the other chain.'],
  LimitReached: ([requested, left], amount) => [
    'TRANSFER_LIMIT',
    `${amount(requested, 'token')} are more than this way takes now: ${amount(left, 'token')}.`,
  ],
  MoreThanOut: ([requested, out], amount) => [
    'TRANSACTION_FAILED',
    `${amount(requested, 'token')} would come back, but only ${amount(out, 'token')} are on that chain.`,
  ],
  WrongToken: ([token, derived]) => [
    'INVALID_PARAMETERS',
    `Creator and salt give the address ${derived}, not ${token}.`,
  ],
  FeeTooLow: ([needed, given]) => [
    'INSUFFICIENT_BALANCE',
    `The messages cost ${needed} wei, but only ${given} came with the call.`,
  ],
  LZ_InsufficientFee: ([needed, given]) => [
    'INSUFFICIENT_BALANCE',
    `The message costs ${needed} wei, but only ${given} came with the call.`,
  ],
  PermitExpired: () => ['DEADLINE_PASSED', 'The permit has expired.'],
  InvalidPermit: () => ['TRANSACTION_FAILED', 'The permit is not signed by this wallet for these values.'],
  // Asked for all that is left, the price runs off its scale before the order is known to be filled only in part.
  SafeCastOverflow: () => ['PARTIAL_FILL', 'The pool cannot fill the whole order.'],
  PriceLimitAlreadyExceeded: () => ['PARTIAL_FILL', 'The pool has nothing left of what was asked for.'],
};

/** Of a text that a contract chose; four bytes a character at most, so below 1 KiB. */
const longestReason = 250;
/** A reason may be wrapped in another by each contract on the way. */
const mostWraps = 4;

/**
 * The first part of what a stranger's contract or provider said: it may be megabytes. Without U+0000 and halves of surrogate
 * pairs, which no database takes: it is written down.
 */
export const shortReason = (said: unknown): string => {
  const text = String(said).replaceAll('\0', '\ufffd').toWellFormed();
  const start = Array.from(text.slice(0, 2 * longestReason))
    .slice(0, longestReason)
    .join('');
  return start.length < text.length ? `${start}…` : text;
};

/**
 * A revert as an error of the catalogue. `details` has the contract's own error name and arguments, as text.
 *
 * @param data - Revert data; `0x` when there is none (out of gas, or no contract at the address).
 * @param units - In which amounts are written; without it they are base units.
 * @param wraps - Reasons around this one.
 */
export const decodeRevert = (data: Hex, units?: RevertUnits, wraps = 0): MintageError => {
  if (data === '0x')
    return failed('The transaction failed without a reason: too little gas, or no contract there.', null);
  const decoded = decode(data);
  if (decoded === undefined)
    return failed('The contract refused the transaction for an unknown reason.', { data: shortReason(data) });
  const { errorName, args } = decoded;
  const details = { error: errorName, args: args.map(shortReason) };
  switch (errorName) {
    case 'Error':
      return failed(`The contract refused the transaction: ${shortReason(args[0])}.`, details);
    case 'Panic':
      return failed(`The contract stopped at an arithmetic or access fault (panic ${args[0]}).`, details);
    case 'WrappedError':
      if (wraps === mostWraps) return failed('The contract refused the transaction for an unknown reason.', details);
      return decodeRevert(args[2] as Hex, units, wraps + 1);
    default: {
      const explain = explanations[errorName];
      if (explain === undefined) return failed(`The contract refused the transaction: ${errorName}.`, details);
      const [code, sentence] = explain(args, amountsIn(units));
      return new MintageError(code, sentence, { details });
    }
  }
};

const failed = (sentence: string, details: unknown): MintageError =>
  new MintageError('TRANSACTION_FAILED', sentence, { details });

/** Undefined for an error that is in none of our contracts. */
const decode = (data: Hex): { errorName: RevertName | 'Error' | 'Panic'; args: readonly unknown[] } | undefined => {
  try {
    const { errorName, args } = decodeErrorResult({ abi: revertAbi, data });
    return { errorName, args: (args as readonly unknown[] | undefined) ?? [] };
  } catch {
    return undefined;
  }
};

const amountsIn =
  (units: RevertUnits | undefined): Amounts =>
  (baseUnits, which) => {
    const asset = units && assetOf(which, units.kind);
    if (units === undefined || asset === undefined) return `${baseUnits} base units`;
    const { symbol, decimals } = units[asset];
    return `${formatUnits(baseUnits as bigint, decimals)} ${symbol}`;
  };

/** Undefined when it depends on a trade that is not known. */
const assetOf = (which: Parameters<Amounts>[1], kind: TradeKind | undefined): 'usd' | 'token' | undefined => {
  if (which === 'usd' || which === 'token') return which;
  if (kind === undefined) return undefined;
  const side = which === 'exact' ? (isExactIn(kind) ? 'in' : 'out') : which;
  return isBuy(kind) === (side === 'in') ? 'usd' : 'token';
};
