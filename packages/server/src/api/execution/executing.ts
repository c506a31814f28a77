import type { Logger } from 'pino';
import type { IntentSigning } from '../../db/intentProof.ts';
import type { News } from '../../db/news.ts';
import type { Auth } from '../accounts/auth.ts';
import type { RowSeals } from '../accounts/rowSeals.ts';
import type { Trading } from '../trade/trading.ts';

/** What is used to have an embedded wallet made, and to have it sign. */
export interface Executing extends Trading {
  auth: Pick<Auth, 'forgetUser'>;
  /** Of rows that give access. */
  seals: RowSeals;
  /** By which this API vouches for intents. */
  intentSigning: IntentSigning;
  /** Of the signers, by the id of an intent, or of the user whose wallet is being created. */
  signerNews: News;
  patience: Patience;
  log: Logger;
}

/** How long a call waits for the signers. */
export interface Patience {
  /** For the creation of an embedded wallet, milliseconds. */
  walletMs: number;
  /** For the signing of transactions, milliseconds. */
  signatureMs: number;
}

/** What a call says of its own execution. */
export interface CallTerms {
  /** Of a write that is done once under it (`idempotency.ts`). */
  idempotencyKey?: string | undefined;
  /** Deadline of the answer, on the clock of `performance.now()`; absent: none is known. */
  untilMs?: number;
}
