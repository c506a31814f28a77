import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Encoding } from '../../reads/events/messages.ts';
import { type Ending, endings, type Line } from './client.ts';

const closeWithinMs = 3_000;

/**
 * A WebSocket as a line. Messages are framed by us, once for many clients, and go straight to the TCP socket; without
 * compression the library writes whole frames too, so the two never mix.
 */
export class SocketLine implements Line {
  readonly encoding: Encoding;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  #answered = true;

  constructor(webSocket: WebSocket, socket: Socket, encoding: Encoding) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.encoding = encoding;
    webSocket.on('pong', () => {
      this.#answered = true;
    });
  }

  write(chunks: readonly Buffer[]): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    if (chunks.length === 1) {
      this.#socket.write(chunks[0] as Buffer);
      return;
    }
    this.#socket.cork();
    for (const chunk of chunks) this.#socket.write(chunk);
    this.#socket.uncork();
  }

  waiting(): number {
    return this.#socket.writableLength;
  }

  onceDrained(then: () => void): void {
    const done = (): void => {
      this.#socket.off('drain', done).off('close', done);
      then();
    };
    if (this.#socket.destroyed || !this.#socket.writableNeedDrain) process.nextTick(then);
    else this.#socket.on('drain', done).on('close', done);
  }

  heartbeat(): boolean {
    if (!this.#answered) return false;
    this.#answered = false;
    this.#webSocket.ping();
    return true;
  }

  end(ending: Ending): void {
    const { code, reason } = endings[ending];
    this.#webSocket.close(code, reason);
    setTimeout(() => this.#webSocket.terminate(), closeWithinMs).unref();
  }
}
