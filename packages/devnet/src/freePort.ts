import { setTimeout as sleep } from 'node:timers/promises';
import { tryPort } from '@mintage/server/freePort';

export { freePort } from '@mintage/server/freePort';

/** The requested port is used by another program. */
export class PortTakenError extends Error {
  constructor(port: number, variable: string) {
    super(`Port ${port} is taken by another program. Stop it, or start with another ${variable}.`);
    this.name = 'PortTakenError';
  }
}

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
