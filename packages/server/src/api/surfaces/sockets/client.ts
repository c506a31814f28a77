import type { Encoding } from '../../reads/events/messages.ts';
import type { Subscription } from './hub.ts';

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

/** The bytes of one client: a WebSocket or an answer of server-sent events. */
export interface Line {
  readonly encoding: Encoding;
  /** Hands buffers to the network in one go. */
  write(chunks: readonly Buffer[]): void;
  /** Bytes that the client has not taken yet. */
  waiting(): number;
  /** Calls back once the client has taken nearly everything, or the line has ended. */
  onceDrained(then: () => void): void;
  /** @returns False when the client did not answer the last one. */
  heartbeat(): boolean;
  /** Says why and ends, within a second whether the client listens or not. */
  end(ending: Ending): void;
}

/** Above this a client gets no live events until it has taken what waits; then it reads on at its own pace. */
const pauseAbove = 256 * 1024;
/** Whoever lets more than this wait is cut off at once, */
const cutAbove = 1024 * 1024;
/** and so is who has not taken what waits after this time. */
const patienceMs = 10_000;

/** A connection and what it subscribed to. Memory for a client that does not read is bounded by `cutAbove`. */
export class Client {
  readonly line: Line;
  readonly subscriptions = new Map<string, Subscription>();
  isEnded = false;
  #pending: Buffer[] = [];
  #pausedAt: number | null = null;
  readonly #onPause: (client: Client) => void;
  readonly #onEnd: (ending: Ending) => void;

  /** @param onPause - Takes the client's subscriptions off the live events. */
  constructor(line: Line, onPause: (client: Client) => void, onEnd: (ending: Ending) => void) {
    this.line = line;
    this.#onPause = onPause;
    this.#onEnd = onEnd;
  }

  /** Adds to the next `flush`. */
  queue(chunk: Buffer): void {
    this.#pending.push(chunk);
  }

  /** One write for all that was queued. */
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
