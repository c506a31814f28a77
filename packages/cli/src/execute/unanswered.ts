import { type ErrorCode, MintageError } from '@mintage/sdk';
import { Failure } from '../failure.ts';

/** Nobody said whether it was done. */
const codes: readonly ErrorCode[] = ['UNREACHABLE', 'UNEXPECTED_ANSWER', 'IDEMPOTENCY_IN_PROGRESS'];

/**
 * The error of a write as it stands when it may have been done all the same: the same command would do it a second time.
 *
 * @param lookOf - What to do next, of the key that the write was sent under.
 */
export const unanswered = (error: unknown, lookOf: (idempotencyKey: string) => string): unknown => {
  if (!(error instanceof MintageError) || error.idempotencyKey === null || !codes.includes(error.code)) return error;
  const failure = new Failure('sent', `${error.message}. It may have been done.`, lookOf(error.idempotencyKey));
  failure.cause = error;
  return failure;
};

/** Finds what an embedded wallet was asked for, without its answer. */
export const lookByKey = (idempotencyKey: string): string =>
  `mintage api transactionStatus idempotencyKey=${idempotencyKey}`;
