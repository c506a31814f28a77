import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientPace } from '../../clientPace.ts';

/** A connection that speaks HTTP. */
interface Connection {
  socket: Socket;
  /** The newest request, and its answer; null before the first. */
  exchange: { request: IncomingMessage; response: ServerResponse } | null;
  /** What the connection waits for: a request, its body, our answer, or that the client takes it. */
  phase: 'idle' | 'receiving' | 'working' | 'sending' | 'refused';
  /** Bytes at each check of the current window; the first entry is its start. */
  progress: { atMs: number; bytes: number }[];
  /** How long the body of the newest request has been waited for, milliseconds. */
  awaitedMs: number;
}

/**
 * Closes the connections of clients that are too slow in any phase. One timer checks all connections, so that a request
 * costs two assignments. Node itself closes connections with late headers; a connection that left HTTP is the business
 * of its new protocol.
 */
export const cutSlowClients = (server: Server, pace: ClientPace): { stop(): void } => {
  const connections = new Map<Socket, Connection>();
  let checkedMs = performance.now();

  server.on('connection', (socket) => {
    connections.set(socket, { socket, exchange: null, phase: 'idle', progress: [], awaitedMs: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket);
    if (connection) Object.assign(connection, { exchange: { request, response }, progress: [], awaitedMs: 0 });
  };
  server.prependListener('request', begin);
  server.prependListener('checkContinue', begin);
  server.on('upgrade', ({ socket }: IncomingMessage) => connections.delete(socket));

  const check = (): void => {
    const nowMs = performance.now();
    // Time in which this process itself did not run does not count against clients.
    const sinceMs = nowMs - checkedMs;
    const stoodStill = sinceMs > pace.windowMs / 2 + pace.checkEveryMs;
    checkedMs = nowMs;
    for (const connection of connections.values()) {
      if (stoodStill) connection.progress = [];
      else if (connection.phase === 'receiving') connection.awaitedMs += sinceMs;
      if (isTooSlow(connection, nowMs, pace)) connection.socket.destroy();
    }
  };
  const timer = setInterval(check, pace.checkEveryMs).unref();
  return { stop: () => clearInterval(timer) };
};

const isTooSlow = (connection: Connection, nowMs: number, pace: ClientPace): boolean => {
  const { socket } = connection;
  const phase = phaseOf(connection);
  if (phase !== connection.phase) Object.assign(connection, { phase, progress: [] });
  const { progress } = connection;
  const bytes = phase === 'sending' ? socket.bytesWritten - socket.writableLength : socket.bytesRead;
  // Idle and working connections need the start of the phase only; most connections are in one of these two.
  if (progress.length === 0 || phase === 'receiving' || phase === 'sending') progress.push({ atMs: nowMs, bytes });
  while (nowMs - (progress[1]?.atMs ?? nowMs) >= pace.windowMs) progress.shift();
  const [first] = progress as [Connection['progress'][number]];
  const forMs = nowMs - first.atMs;
  switch (phase) {
    case 'idle':
      return forMs >= pace.idleMs; // bytes may have arrived, but no request
    case 'refused':
      return forMs >= pace.lingerMs;
    case 'receiving':
      if (connection.awaitedMs >= pace.bodyMs) return true;
      return forMs >= pace.windowMs && (bytes - first.bytes) * 1_000 < pace.bytesPerSecond * forMs;
    case 'sending':
      // Progress of one large write shows only when all of it is sent.
      return bytes === first.bytes && forMs >= pace.windowMs + (socket.writableLength / pace.bytesPerSecond) * 1_000;
    case 'working':
      return false;
  }
};

const phaseOf = ({ exchange, socket }: Connection): Connection['phase'] => {
  if (exchange === null) return 'idle';
  const { request, response } = exchange;
  const isAnswered = response.writableFinished || response.destroyed;
  if (isAnswered && !request.complete) return 'refused';
  // When the buffer is full, this process is the slow one.
  if (!request.complete) return request.readableLength < request.readableHighWaterMark ? 'receiving' : 'working';
  if (isAnswered) return 'idle';
  return socket.writableLength > 0 ? 'sending' : 'working';
};
