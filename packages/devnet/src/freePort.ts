import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The requested port is used by another program. */
export class PortTakenError extends Error {
  constructor(port: number, variable: string) {
    super(`Port ${port} is taken by another program. Stop it, or start with another ${variable}.`);
    this.name = 'PortTakenError';
  }
}

/** Any port that is free now. */
export const freePort = (): Promise<number> => tryPort(0);

/**
 * Waits until the port is free: its previous user may be shutting down.
 *
 * @param variable - Name of the variable that sets the port.
 * @throws PortTakenError when it stays taken.
 */
export const requireFreePort = async (port: number, variable: string): Promise<void> => {
  const deadline = performance.now() + 5_000;
  for (;;) {
    try {
      await tryPort(port);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (performance.now() > deadline) throw new PortTakenError(port, variable);
      await sleep(50);
    }
  }
};

const tryPort = async (wanted: number): Promise<number> => {
  const server = createServer();
  server.on('error', () => undefined); // `once` tells it
  await once(server.listen(wanted, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
};
