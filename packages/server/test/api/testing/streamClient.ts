import { WebSocket } from 'ws';

/** Any message of the server. */
// oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from type to type and is what the tests assert
export type Message = any;

/**
 * A WebSocket client that behaves as existing clients do (wire contract, section 9): authenticates on open, reconnects
 * after a drop, and subscribes again with the last `seq` that it saw.
 */
export class StreamClient {
  /** Everything that was received, in order. */
  readonly messages: Message[] = [];
  readonly #url: string;
  readonly #bearer: string | undefined;
  readonly #delayMs: number;
  readonly #subscriptions = new Map<string, { subscription: object; last?: number }>();
  #waiting: { is: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
  #socket: WebSocket | undefined;
  #isClosed = false;
  #count = 0;
  drops = 0;

  constructor(url: string, { bearer, delayMs = 5 }: { bearer?: string; delayMs?: number } = {}) {
    this.#url = url;
    this.#bearer = bearer;
    this.#delayMs = delayMs;
  }

  /** Resolves when the server knows who calls; rejects with what it says instead. */
  connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(this.#url);
      this.#socket = socket;
      let isKnown = false;
      socket.on('open', () => socket.send(JSON.stringify({ op: 'auth', bearer: this.#bearer })));
      socket.on('message', (data) => {
        const message = JSON.parse(data.toString());
        if (message.type === 'authenticated') {
          isKnown = true;
          for (const [id, { subscription, last }] of this.#subscriptions) {
            const { sinceTimestamp: _, ...rest } = subscription as { sinceTimestamp?: string };
            this.#send({
              op: 'subscribe',
              id,
              subscription: last === undefined ? subscription : { ...rest, cursor: last },
            });
          }
          resolve();
        }
        if (message.type === 'error' && !isKnown) reject(new Error(`${message.code}: ${message.message}`));
        this.#hear(message);
      });
      socket.on('error', (error) => {
        if (!isKnown) reject(error);
      });
      socket.on('close', (code, reason) => {
        this.#hear({ type: 'closed', code, reason: reason.toString() });
        if (!isKnown) reject(new Error(`closed with ${code}`));
        if (isKnown && !this.#isClosed && this.#subscriptions.size > 0) this.#again();
      });
    });
  }

  /** Subscribes and resolves with the server's answer, `subscribed` or `error`. */
  async subscribe(subscription: object, id = `sub_${(this.#count += 1)}`): Promise<Message> {
    this.#subscriptions.set(id, { subscription });
    const answer = this.next((message) => message.id === id && ['subscribed', 'error'].includes(message.type));
    this.#send({ op: 'subscribe', id, subscription });
    return answer;
  }

  send(message: unknown): void {
    this.#socket?.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Waits for the next message that matches. */
  next(is: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => this.#waiting.push({ is, resolve }));
  }

  /** Resolves when a matching message was received, now or before. */
  heard(is: (message: Message) => boolean): Promise<Message> {
    const found = this.messages.find(is);
    return found === undefined ? this.next(is) : Promise.resolve(found);
  }

  /** Events and retractions of a subscription. */
  events(id = 'sub_1'): Message[] {
    return this.messages.filter((message) => message.id === id && ['event', 'retract'].includes(message.type));
  }

  /** Drops the connection without a close message. */
  drop(): void {
    this.drops += 1;
    this.#socket?.terminate();
  }

  /** Stops or resumes reading from the network. */
  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.terminate();
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(message: Message): void {
    this.messages.push(message);
    if (typeof message.seq === 'number') {
      const subscription = this.#subscriptions.get(message.id);
      if (subscription !== undefined) subscription.last = message.seq;
    }
    const found = this.#waiting.filter(({ is }) => is(message));
    this.#waiting = this.#waiting.filter((one) => !found.includes(one));
    for (const { resolve } of found) resolve(message);
  }

  #again(): void {
    setTimeout(() => {
      if (!this.#isClosed) this.connect().catch(() => this.#again());
    }, this.#delayMs).unref();
  }
}
