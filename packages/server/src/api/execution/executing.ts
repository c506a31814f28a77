import type { Logger } from 'pino';
import type { Auth } from '../accounts/auth.ts';
import type { Trading } from '../trade/trading.ts';
import type { SignerNews } from './signerNews.ts';

/** What is used to have an embedded wallet made, and to have it sign. */
export interface Executing extends Trading {
  auth: Pick<Auth, 'forgetUser'>;
  signerNews: SignerNews;
  patience: Patience;
  log: Logger;
}

/** How long a call waits for the signers. */
export interface Patience {
  /** For an embedded wallet to be made. */
  walletMs: number;
  /** For transactions to be signed. */
  signatureMs: number;
}

/** What a call says of its own execution. */
export interface CallTerms {
  /** Of a write that is done once under it (`idempotency.ts`). */
  idempotencyKey?: string | undefined;
  /** When nobody waits for the answer any more, on the clock of `performance.now()`; absent: nobody said. */
  untilMs?: number;
}
