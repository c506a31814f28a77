import { type ErrorCode, errorCatalogue } from '../schemas/errors.ts';

/** The codes that tools answer with. Source: the specification, tool server error body. */
export const toolCodes = [
  'AUTHENTICATION_FAILED',
  'INSUFFICIENT_BALANCE',
  'INVALID_PARAMETERS',
  'NETWORK_ERROR',
  'RATE_LIMIT_EXCEEDED',
  'TOKEN_NOT_FOUND',
  'TRANSACTION_FAILED',
] as const;
export type ToolCode = (typeof toolCodes)[number];

/** Codes of the catalogue that their status would not sort right. */
const sorted: Partial<Record<ErrorCode, ToolCode>> = {
  TOKEN_NOT_FOUND: 'TOKEN_NOT_FOUND',
  INSUFFICIENT_BALANCE: 'INSUFFICIENT_BALANCE',
  TRANSACTION_FAILED: 'TRANSACTION_FAILED',
  TRANSACTION_REVERTED: 'TRANSACTION_FAILED',
  SLIPPAGE_EXCEEDED: 'TRANSACTION_FAILED',
  DEADLINE_PASSED: 'TRANSACTION_FAILED',
  TRANSACTION_EXPIRED: 'TRANSACTION_FAILED',
  INSUFFICIENT_ALLOWANCE: 'TRANSACTION_FAILED',
  REFERRAL_VOLUME_TOO_LOW: 'INVALID_PARAMETERS',
  IDEMPOTENCY_IN_PROGRESS: 'NETWORK_ERROR',
};

/**
 * A code of the catalogue as a tool says it; `details.code` keeps the catalogue's own. What a credential may not do is
 * `AUTHENTICATION_FAILED`, its budget too: no other parameters and no fuller wallet would help.
 */
export const toolCodeOf = (code: ErrorCode): ToolCode => {
  const { status } = errorCatalogue[code];
  if (status === 429) return sorted[code] ?? 'RATE_LIMIT_EXCEEDED';
  if (status === 401 || status === 403) return sorted[code] ?? 'AUTHENTICATION_FAILED';
  return sorted[code] ?? (status >= 500 ? 'NETWORK_ERROR' : 'INVALID_PARAMETERS');
};
