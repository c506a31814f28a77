import { MintageError } from '@mintage/sdk';

/** Whether a person said no, to a wallet (EIP-1193 4001) or to a passkey: nothing is wrong, and nothing happened. */
export const isRefusal = (error: unknown): boolean => {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: unknown };
  if (code === 4001 || name === 'NotAllowedError' || name === 'AbortError') return true;
  return cause !== undefined && cause !== error && isRefusal(cause);
};

const unsure: ReadonlySet<string> = new Set([
  'SENT_UNCONFIRMED',
  'UNREACHABLE',
  'OUTCOME_UNKNOWN',
  'IDEMPOTENCY_OUTCOME_UNKNOWN',
]);

/** Whether what was to be sent may be on its way after this error: then it is looked for. */
export const mayBeSent = (error: unknown): boolean => !(error instanceof MintageError) || unsure.has(error.code);

/** Of what a chain refused after it was sent; undefined: nothing was sent. */
export const hashIn = (error: unknown): string | undefined =>
  ((error as { details?: { hash?: string } | null } | null)?.details ?? {}).hash;
