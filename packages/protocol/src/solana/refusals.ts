import { type ErrorCode, MintageError } from '../schemas/errors.ts';
import { type ProgramError, programErrorOf } from './launchpad.ts';

/** The errors of the program that a caller can meet, in words. All others are faults of a call we never prepare: they keep their name. */
const explanations: Partial<Record<ProgramError, readonly [code: ErrorCode, sentence: string]>> = {
  MissingSigner: ['TRANSACTION_FAILED', 'A signature that the launchpad needs is missing.'],
  AmountTooLarge: ['INVALID_PARAMETERS', 'The amount is more than anybody can have.'],
  ZeroAmount: ['AMOUNT_TOO_SMALL', 'The amount is too small: after fees and rounding nothing would move.'],
  FeesExceedAmount: ['FEES_EXCEED_AMOUNT', 'The fees leave nothing of the amount.'],
  BeyondCurve: ['BEYOND_CURVE', 'The curve has fewer tokens left than were asked for.'],
  BeyondReserve: ['BEYOND_RESERVE', 'The curve holds less USD than was asked for.'],
  BeyondPool: ['PARTIAL_FILL', 'The pool cannot fill the whole order.'],
  TooLittleReceived: ['SLIPPAGE_EXCEEDED', 'The trade would give less than its limit.'],
  TooMuchPaid: ['SLIPPAGE_EXCEEDED', 'The trade would cost more than its limit.'],
  DeadlinePassed: ['DEADLINE_PASSED', 'The deadline passed before the block.'],
  NotCompleted: ['TRANSACTION_FAILED', 'The token cannot graduate yet: its curve has tokens left.'],
  AlreadyGraduated: ['TRANSACTION_FAILED', 'The token has graduated already.'],
  WindowOpen: ['TRANSACTION_FAILED', 'The token cannot graduate in its first seconds.'],
  GraduationPending: ['BEYOND_CURVE', 'The curve is sold out, and its pool opens 6 s after the creation.'],
  UnknownPoolType: ['INVALID_PARAMETERS', 'This pool type cannot be created on this chain.'],
  UnusableText: ['INVALID_PARAMETERS', 'The token’s name, symbol or metadata address is empty or too long.'],
  TokenExists: ['INVALID_PARAMETERS', 'The creator used this salt on this chain before.'],
  InvalidVoucher: [
    'TRANSACTION_FAILED',
    'The referral voucher is not signed by this service for this wallet, or ends more than an hour from now.',
  ],
  Unauthorized: ['TRANSACTION_FAILED', 'This wallet may not call this.'],
  InsufficientCredit: ['INSUFFICIENT_BALANCE', 'More was claimed than is credited.'],
  VaultsTooSmall: ['TRANSACTION_FAILED', 'The vaults that the claim names hold less than was claimed.'],
  TestOnly: ['UNSUPPORTED_CHAIN', 'Test dollars can only be made on chains for tests.'],
};

/**
 * A refusal of the program as an error of the catalogue. `details` has the program's own name of it.
 *
 * @param code - Of a custom error of the program's instruction.
 */
export const programRefusal = (code: number): MintageError => {
  const error = programErrorOf(code);
  if (error === undefined)
    return new MintageError('TRANSACTION_FAILED', `The program refused the transaction with the code ${code}.`, {
      details: { code },
    });
  const [known, sentence] = explanations[error] ?? [
    'TRANSACTION_FAILED',
    `The program refused the transaction: ${error}.`,
  ];
  return new MintageError(known, sentence, { details: { error, code } });
};
