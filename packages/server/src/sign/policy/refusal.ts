import type { ErrorCode } from '@mintage/protocol';

/** Why something is not signed. */
export interface Refusal {
  code: ErrorCode;
  /** A sentence. */
  message: string;
}

export const because = (code: ErrorCode, message: string): Refusal => ({ code, message });

export const revoked = because('AUTHENTICATION_FAILED', 'The credential of this request was revoked.');
