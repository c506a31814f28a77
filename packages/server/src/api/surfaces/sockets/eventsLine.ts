import { Readable } from 'node:stream';
import type { Encoding } from '../../reads/events/messages.ts';
import { type Ending, endings, type Line } from './client.ts';

const closeWithinMs = 1_000;
const comment = Buffer.from(':\n\n');

/** An answer of server-sent events as a line; `body` is what is answered. */
export class EventsLine implements Line {
  readonly encoding: Encoding;
  readonly body: Readable;
  #waiting: (() => void)[] = [];

  /** @param onClose - The client went away, or the line ended. */
  constructor(encoding: Encoding, onClose: () => void) {
    this.encoding = encoding;
    this.body = new Readable({ highWaterMark: 64 * 1024, read: () => this.#drained() });
    this.body.on('error', () => undefined); // of who went away, as `close` says too
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

  /** A comment, so that proxies keep the connection; whoever is gone is noticed by the network. */
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
