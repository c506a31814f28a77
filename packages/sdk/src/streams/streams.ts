import { MintageError } from '@mintage/protocol/errors';
import type { Auth } from '../auth/auth.ts';
import { createSend, endpointOf, longestRetryAfterMs, requireMs, type Settings, wait } from '../call.ts';
import type { Send } from '../callOptions.ts';
import type { StreamChange, StreamMessage, Subscription } from '../generated/types.ts';
import { overEvents } from './overEvents.ts';
import { overSocket } from './overSocket.ts';
import { refusalOf } from './refusal.ts';
import type { Connect } from './wire.ts';

export type Topic = Subscription['topic'];

/**
 * From here on nothing is left out: read the current state now, where you keep one. First of all items, and again when the
 * service no longer keeps what came after your last number (`isExpired`); then everything that it keeps follows, oldest first.
 */
export interface StreamBegin<Name extends Topic = Topic> {
  type: 'begin';
  topic: Name;
  /** Newest number of the topic at that moment. */
  watermark: number;
  isExpired: boolean;
}

export type StreamItem<Name extends Topic = Topic> = StreamBegin<Name> | Extract<StreamChange, { topic: Name }>;

export interface StreamOptions {
  /** Ends the stream, with the signal's reason, when it aborts. */
  signal?: AbortSignal;
  /** Absent: a socket where there is `WebSocket`, else server-sent events over `fetch`. */
  transport?: 'socket' | 'events';
}

export interface StreamSettings extends Settings {
  /** Absent: the global one, which Node 20 lacks. */
  WebSocket?: typeof WebSocket;
  /** Milliseconds after which a connection that says nothing is lost; absent: 45,000. The service says something every 20 s. */
  silenceMs?: number;
}

/**
 * Events of a topic as they happen, for `for await`; leaving the loop closes the connection. It connects again by itself and
 * goes on after the last item, for as long as it takes once it was connected.
 *
 * @throws MintageError The service refuses the credential or the subscription, or the first connection fails after all retries.
 */
export type Stream = <Name extends Topic>(
  subscription: Extract<Subscription, { topic: Name }>,
  options?: StreamOptions,
) => AsyncGenerator<StreamItem<Name>, void, undefined>;

const firstWaitMs = 250;
const longestWaitMs = 15_000;
/** Longest that `Retry-After` is obeyed once it was connected. A timer counts no more than 24 days, and then not at all. */
const longestObeyedMs = 300_000;

export interface Streams {
  readonly stream: Stream;
  /** From now on this caller opens connections; null: nobody in particular. */
  use(auth: Auth | null): void;
}

/** Streams without a client. */
export const createStreams = (settings: StreamSettings): Streams => {
  let auth = settings.auth ?? null;
  const use = (other: Auth | null): void => {
    auth = other;
  };
  return { stream: createStream(settings, () => auth), use };
};

export const createStream = (settings: StreamSettings, whoCalls: () => Auth | null): Stream => {
  const { retries = 2 } = settings;
  const endpoint = endpointOf(settings.baseUrl);
  const send = createSend(settings);
  if (settings.silenceMs !== undefined) requireMs('silenceMs', settings.silenceMs);
  const asNobody: Send = (...call) => send(null, ...call);
  const follow = async function* (wanted: Subscription, options: StreamOptions): AsyncGenerator<StreamItem> {
    const connect = transportOf(settings, options);
    const signal = options.signal ?? new AbortController().signal;
    let subscription = wanted;
    let newest = 0;
    let hasBegun = false;
    let isRenewed = false;
    for (let tried = 0; ; tried += 1) {
      const auth = whoCalls();
      let isSubscribed = false;
      let waitMs = 0;
      let shown: Record<string, string> = {};
      const authorization = async () => {
        shown = (await auth?.authorize({ path: '/stream', input: subscription }, asNobody)) ?? {};
        return shown.authorization;
      };
      try {
        signal.throwIfAborted();
        for await (const message of connect({ endpoint, subscription, authorization, signal })) {
          signal.throwIfAborted();
          if (message.type === 'subscribed') {
            const { watermark } = message;
            newest = watermark;
            [tried, isRenewed, isSubscribed] = [0, false, true];
            if (!hasBegun) {
              hasBegun = true;
              if (isFromNow(subscription)) subscription = from(subscription, watermark);
              yield { type: 'begin', topic: wanted.topic, watermark, isExpired: false };
            }
          } else if (isChange(message)) {
            subscription = from(subscription, message.seq);
            yield message;
          } else if (message.type === 'error' && message.code === 'CURSOR_EXPIRED') {
            subscription = from(subscription, 'earliest');
            yield { type: 'begin', topic: wanted.topic, watermark: newest, isExpired: true };
          } else if (message.type === 'error') throw refusalOf(message);
        }
        signal.throwIfAborted();
        if (!hasBegun && tried >= retries)
          throw new MintageError('UNREACHABLE', `${endpoint} does not answer a stream`);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (!(error instanceof MintageError)) throw error;
        const isRefused = error.code === 'AUTHENTICATION_FAILED';
        if (isRefused && !isSubscribed) {
          if (isRenewed || !(await auth?.renew?.(asNobody, shown))) throw error;
          isRenewed = true;
          continue;
        }
        // A proxy's page while the service restarts is no answer of the service.
        const mayPass = error.kind.retryable || isRefused || (hasBegun && error.code === 'UNEXPECTED_ANSWER');
        waitMs = error.retryAfterMs ?? 0;
        if (!mayPass || (!hasBegun && (tried >= retries || waitMs > longestRetryAfterMs))) throw error;
      }
      const backoffMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tried, 10)) * (1 + Math.random());
      await wait(Math.max(Math.min(waitMs, longestObeyedMs), backoffMs), options.signal);
    }
  };
  const stream = (subscription: Subscription, options: StreamOptions = {}) => follow(subscription, options);
  // The items are those of the subscription's topic.
  return stream as unknown as Stream;
};

const transportOf = (settings: StreamSettings, { transport }: StreamOptions): Connect => {
  const Socket = settings.WebSocket ?? globalThis.WebSocket;
  const hasSocket = typeof Socket === 'function';
  if (transport === 'events' || (transport === undefined && !hasSocket)) return overEvents(settings);
  if (hasSocket) return overSocket(Socket, settings);
  throw new MintageError(
    'INVALID_PARAMETERS',
    'transport: there is no WebSocket here. Give one in the settings, or take the transport `events`.',
  );
};

const isFromNow = ({ cursor, sinceTimestamp }: Subscription): boolean =>
  cursor === 'latest' ? sinceTimestamp === undefined : cursor === undefined && sinceTimestamp === undefined;

/** A number takes precedence over a time; `earliest` does not. */
const from = (subscription: Subscription, cursor: number | 'earliest'): Subscription => ({
  ...subscription,
  cursor,
  sinceTimestamp: undefined,
});

const isChange = (message: StreamMessage): message is StreamChange =>
  message.type === 'event' || message.type === 'retract';
