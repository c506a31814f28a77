import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Any port of this host that is free now, below those that systems give to outgoing connections: one of them could be taken by a
 * connection before its server listens.
 */
export const freePort = async (host = '127.0.0.1'): Promise<number> => {
  for (;;) {
    try {
      return await tryPort(randomInt(20_000, 32_768), host);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
};

/**
 * Takes a port and gives it back.
 *
 * @param wanted - 0: any.
 * @throws Error `EADDRINUSE` when another program has it.
 */
export const tryPort = async (wanted: number, host = '127.0.0.1'): Promise<number> => {
  const server = createServer();
  server.on('error', () => undefined); // `once` tells it
  await once(server.listen(wanted, host), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
};
