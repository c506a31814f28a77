import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@mintage/protocol';
import type { Logger } from 'pino';
import type { ChainContext } from '../../chain/servedChain.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { KeyEncryption } from '../../keys/keyEncryption.ts';
import type { Auth } from '../accounts/auth.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Vouchers } from '../accounts/vouchers.ts';
import type { WebhookKeys } from '../accounts/webhookKeys.ts';
import type { SignerNews } from '../execution/signerNews.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { OffLoop } from '../limits/offLoop.ts';
import type { Media } from '../media/media.ts';
import type { Oauth } from '../surfaces/oauth/oauth.ts';
import type { Metrics } from '../surfaces/rest/metrics.ts';
import type { Streams } from '../surfaces/sockets/streams.ts';
import type { Post } from '../surfaces/webhooks/post.ts';
import type { Markets } from '../trade/markets.ts';

/** Everything a handler may use. Built once at start, closed once at the end. */
export interface Context {
  config: Config;
  db: Db;
  /** The configured chains by slug. */
  chains: ReadonlyMap<string, ChainContext>;
  media: Media;
  markets: Markets;
  auth: Auth;
  /** Lets applications in that a user allowed, to the tool server only. */
  oauth: Oauth;
  vouchers: Vouchers;
  limiter: Limiter;
  metrics: Metrics;
  /** Works on what is long. */
  offLoop: OffLoop;
  streams: Streams;
  /** Sends to the receivers of webhooks. */
  webhooks: Post;
  webhookKeys: WebhookKeys;
  /** Seals what the api keeps secret in the database; not the wallets, where the signer has a KEK of its own. */
  keys: KeyEncryption;
  signerNews: SignerNews;
  patience: Patience;
  perform: Perform;
  log: Logger;
  /** Milliseconds since 1970; a chain's time comes from its blocks, never from here. */
  now: () => number;
}

/** How long a call waits for the signers. */
export interface Patience {
  /** For an embedded wallet to be made. */
  walletMs: number;
  /** For transactions to be signed. */
  signatureMs: number;
}

/** What belongs to one call and not to its input. */
export interface Call<Who = Caller | null> {
  /** Set unless the operation is public. */
  caller: Who;
  requestId: string;
  /** Of the client, as `clientAddress` has it: whose share a call takes. */
  address: string;
  /** Of a write that is done once under it (`limits/idempotency.ts`). */
  idempotencyKey?: string;
  /** When nobody waits for the answer any more, on the clock of `performance.now()`; absent: nobody said. */
  untilMs?: number;
  /** Aborts when nobody waits for the answer any more; made when asked for. Absent: nobody said. */
  gone?: () => AbortSignal;
  /** The HTTP request, for answers that last; absent where there is none. */
  http?: { headers: IncomingHttpHeaders };
}

export type CallOf<Op extends Operation> = Op['access'] extends 'public' ? Call : Call<Caller>;

/**
 * Answers another operation in the course of a call, whose caller must have access to it too.
 *
 * @param shown - The operation, and the form in which its answer is shown; absent: its own.
 */
export type Perform = (shown: Shown, input: unknown, call: Call) => Promise<object>;

interface Shown {
  operation: Operation;
  view?: Operation['view'];
}
