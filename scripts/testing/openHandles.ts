import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

/**
 * Running child processes, listening servers and connections of this process, in words. What does not keep it alive, such as the worker's
 * own database, is not among them.
 */
export const openHandles = (): string[] => {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): unknown[] };
  return handles
    .call(process)
    .map(describe)
    .filter((line) => line !== null);
};

const describe = (handle: unknown): string | null => {
  if (handle instanceof ChildProcess)
    return handle.exitCode === null && handle.signalCode === null
      ? `process ${handle.pid}: ${handle.spawnargs.join(' ').slice(0, 200)}`
      : null;
  if (handle instanceof Server) {
    const address = handle.address();
    return handle.listening ? `server on ${typeof address === 'string' ? address : `port ${address?.port}`}` : null;
  }
  const isOpen = handle instanceof Socket && !handle.destroyed && handle.remotePort !== undefined;
  return isOpen ? `connection to ${handle.remoteAddress}:${handle.remotePort}` : null;
};
