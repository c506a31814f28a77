import { Readable } from 'node:stream';
import type { Encoding } from '../../reads/events/messages.ts';
import { type Ending, endings, type Line } from './client.ts';

const closeWithinMs = 1_000;
const comment = Buffer.from(':\n\n');

/** A server-sent events response as a `Line`; `body` is the response stream. */
export class EventsLine implements Line {
  readonly encoding: Encoding;
  readonly body: Readable;
  #waiting: (() => void)[] = [];

  /** @param onClose - The client went away, or the line ended. */
  constructor(encoding: Encoding, onClose: () => void) {
    this.encoding = encoding;
    this.body = new Readable({ highWaterMark: 64 * 1024, read: () => this.#drained() });
    this.body.on('error', () => undefined); // a client that went away; `close` reports it too
    this.body.once('close', () => {
      this.#drained();
      onClose();
    });
  }

  write(chunks: readonly Buffer[]): void {
    if (this.body.destroyed || this.body.readableEnded) return;
    for (const chunk of chunks) this.body.push(chunk);
  }

  waiting(): number {
    return this.body.readableLength;
  }

  onceDrained(then: () => void): void {
    if (this.body.destroyed || this.body.readableLength < this.body.readableHighWaterMark) process.nextTick(then);
    else this.#waiting.push(then);
  }

  /** Sends a comment, so that proxies keep the connection open; the network notices a client that is gone. */
  heartbeat(): boolean {
    this.write([comment]);
    return true;
  }

  end(ending: Ending): void {
    this.write([this.encoding.message({ type: 'closed', ...endings[ending] })]);
    this.body.push(null);
    setTimeout(() => this.body.destroy(), closeWithinMs).unref();
  }

  #drained(): void {
    for (const then of this.#waiting.splice(0)) then();
  }
}
