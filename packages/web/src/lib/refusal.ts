import { isRefusal as isRefusalOfWallet, MintageError } from '@mintage/sdk';

const unsure: ReadonlySet<string> = new Set([
  'SENT_UNCONFIRMED',
  'UNREACHABLE',
  'OUTCOME_UNKNOWN',
  'IDEMPOTENCY_OUTCOME_UNKNOWN',
]);

/** Whether the user declined, in a wallet or at a passkey: nothing is wrong, and nothing happened. */
export const isRefusal = (error: unknown): boolean => {
  // Its cause may be the end of a connection, which has the same name as a passkey's No.
  if (error instanceof MintageError && unsure.has(error.code)) return false;
  const { name, cause } = (error ?? {}) as { name?: unknown; cause?: unknown };
  if (name === 'NotAllowedError' || name === 'AbortError') return true;
  return isRefusalOfWallet(error) || (cause !== undefined && cause !== error && isRefusal(cause));
};

/** Whether what was to be sent may be on its way after this error: then it is looked for. */
export const mayBeSent = (error: unknown): boolean => !(error instanceof MintageError) || unsure.has(error.code);

/** Of what a chain refused after it was sent; undefined: nothing was sent. */
export const hashIn = (error: unknown): string | undefined =>
  ((error as { details?: { hash?: string } | null } | null)?.details ?? {}).hash;
