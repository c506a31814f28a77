import type { StreamFilter } from '@mintage/protocol/operations';
import type { Matches } from '../../reads/events/filterFields.ts';
import type { Encoding } from '../../reads/events/messages.ts';

/** Why a connection ends: WebSocket close codes, and a sentence of at most 123 bytes. */
export const endings = {
  tooSlow: { code: 1013, reason: 'too slow: read faster, or subscribe to less; resume with the last seq as cursor' },
  silent: { code: 1001, reason: 'no answer to pings' },
  authTimeout: { code: 1008, reason: 'no auth message within 5 seconds' },
  authFailed: { code: 1008, reason: 'the credential is not valid' },
  authEnded: { code: 1008, reason: 'the credential ended: connect again with a new one' },
  tooMany: { code: 1008, reason: 'too many messages' },
  notText: { code: 1003, reason: 'text messages only' },
  unavailable: { code: 1013, reason: 'the service cannot check credentials now: try again' },
  goingAway: { code: 1001, reason: 'the service restarts: connect again' },
} as const;
export type Ending = keyof typeof endings;

/** The connection to one client: a WebSocket or a server-sent events response. */
export interface Line {
  readonly encoding: Encoding;
  /** Writes the buffers in one go. */
  write(chunks: readonly Buffer[]): void;
  /** Bytes that wait to be sent to the client. */
  waiting(): number;
  /** Calls back once nearly everything is sent, or the connection has ended. */
  onceDrained(then: () => void): void;
  /** @returns False when the client did not answer the previous heartbeat. */
  heartbeat(): boolean;
  /** Sends the reason and closes, within a second even if the client does not read. */
  end(ending: Ending): void;
}

/**
 * Waiting bytes above which a client gets no live events; once it has read what waits, it catches up at its own pace.
 */
const pauseAbove = 256 * 1024;
/** Waiting bytes above which a client is disconnected at once. */
const cutAbove = 1024 * 1024;
/** How long a paused client may take to read what waits before it is disconnected, milliseconds. */
const patienceMs = 10_000;

/**
 * One subscription of one client. It is either live, in a group, or catching up by itself until it reaches the live
 * events.
 */
export interface Subscription {
  readonly id: string;
  readonly client: Client;
  readonly filter: StreamFilter;
  readonly matches: Matches;
  readonly batchSize: number;
  /** Names its group while it is live: the kind of line, the id and the filter. */
  readonly groupKey: string;
  /** Number of the last event sent, while it is not live. */
  after: number;
  isEnded: boolean;
}

/** A connection and what it subscribed to. Memory for a client that does not read is bounded by `cutAbove`. */
export class Client {
  readonly line: Line;
  readonly subscriptions = new Map<string, Subscription>();
  isEnded = false;
  #pending: Buffer[] = [];
  #pausedAt: number | null = null;
  readonly #onPause: (client: Client) => void;
  readonly #onEnd: (ending: Ending) => void;

  /** @param onPause - Called when the client falls behind: stops its live events. */
  constructor(line: Line, onPause: (client: Client) => void, onEnd: (ending: Ending) => void) {
    this.line = line;
    this.#onPause = onPause;
    this.#onEnd = onEnd;
  }

  /** Adds the chunk to the next `flush`. */
  queue(chunk: Buffer): void {
    this.#pending.push(chunk);
  }

  /** Writes everything that was queued, in one go. */
  flush(): void {
    if (this.isEnded || this.#pending.length === 0) return;
    this.line.write(this.#pending);
    this.#pending = [];
    const waiting = this.line.waiting();
    if (waiting > cutAbove) this.end('tooSlow');
    else if (waiting > pauseAbove && this.#pausedAt === null) {
      this.#pausedAt = performance.now();
      this.#onPause(this);
      this.line.onceDrained(() => {
        this.#pausedAt = null;
      });
    }
  }

  send(message: object): void {
    this.queue(this.line.encoding.message(message));
    this.flush();
  }

  error(code: string, message: string, id?: string): void {
    this.send({ type: 'error', ...(id === undefined ? {} : { id }), code, message });
  }

  /** Resolves once there is room for more, or the client is gone. */
  async room(): Promise<void> {
    if (!this.isEnded && this.line.waiting() > pauseAbove / 4) {
      await new Promise<void>((resolve) => this.line.onceDrained(resolve));
    }
  }

  /** To be called every second. */
  check(): void {
    if (this.#pausedAt !== null && performance.now() - this.#pausedAt > patienceMs) this.end('tooSlow');
  }

  end(ending: Ending): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.#onEnd(ending);
    this.line.end(ending);
  }
}
