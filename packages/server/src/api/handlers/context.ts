import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Content, Operation } from '@mintage/protocol';
import type { AnswerOf, Subscription } from '@mintage/protocol/operations';
import type { Auth } from '../accounts/auth.ts';
import type { Caller } from '../accounts/caller.ts';
import type { PushKeys } from '../accounts/pushKey.ts';
import type { WebhookKeys } from '../accounts/webhooks/webhookKeys.ts';
import type { Sending } from '../events/attemptDelivery.ts';
import type { CallTerms, Executing } from '../execution/executing.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { OffLoop } from '../limits/offLoop.ts';
import type { Media } from '../media/media.ts';
import type { BlockedText } from '../people/blockedText.ts';
import type { Vouchers } from '../trade/vouchers.ts';

/**
 * Everything a handler may use. Built once at start, closed once at the end. A chain's time comes from its blocks, never from
 * `now`. Of the surfaces, which lie above, a handler knows no more than is said here.
 */
export interface Context extends Executing, Sending {
  media: Media;
  auth: Auth;
  vouchers: Vouchers;
  blockedText: BlockedText;
  limiter: Limiter;
  /** Parses and hashes long bodies outside the event loop. */
  offLoop: OffLoop;
  webhookKeys: WebhookKeys;
  pushKeys: PushKeys;
  perform: Perform;
  oauth: {
    /** Ends what this process remembers of a grant. */
    forgetGrant(id: string): void;
  };
  metrics: {
    /** As Prometheus reads them. */
    shown: { metrics(): Promise<string>; contentType: string };
  };
  streams: {
    /**
     * Events of one subscription as server-sent events.
     *
     * @throws MintageError when the subscription is not allowed or names an unknown token, or there are too many streams.
     */
    openEvents(subscription: Subscription, who: Listener): Promise<Readable>;
  };
  documents: Documents;
}

export interface Listener {
  caller: Caller | null;
  /** The header that proved the caller; asked again while the answer lasts. */
  authorization: string | undefined;
  /** Client address as `clientAddress` normalizes it. */
  address: string;
}

/** What this deployment says of itself; each is written once. */
export interface Documents {
  openApi(): AnswerOf<'openapi'>;
  /** First page of the documentation. */
  docs(): Promise<Content>;
  llms(): Promise<Content>;
  /** The whole documentation. */
  site(): Promise<DocsSite>;
}

/** The documentation as it goes over the wire. */
export interface DocsSite {
  /**
   * A file as it is, with its headers.
   *
   * @param path - Below the site's root; '' is the first page.
   * @throws When there is no such file.
   */
  content(path: string): Content;
  /** Undefined: there is no such file. */
  served(path: string): ServedFile | undefined;
}

export interface ServedFile {
  headers: Record<string, string>;
  /** Of the content, whatever its encoding. */
  tag: string;
  /** Compressed once for each encoding. */
  body(encoding: Encoding): Promise<Uint8Array>;
}

export type Encoding = 'br' | 'gzip' | 'identity';

/** What a handler knows about one call besides its input. */
export interface Call<Who = Caller | null> extends CallTerms {
  /** Set unless the operation is public. */
  caller: Who;
  requestId: string;
  /** Client address as `clientAddress` normalizes it: the call counts towards its share. */
  address: string;
  /** Returns a signal that aborts when the client is gone or the deadline has passed. Absent: unknown. */
  gone?: () => AbortSignal;
  /** Takes from the allowance of the user that the signature in the request proved, where it was not counted when it came. */
  countAs?: ((caller: Caller) => Promise<void>) | undefined;
  /** The HTTP request, for streamed answers; absent for calls that came another way. */
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
