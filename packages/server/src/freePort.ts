import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Any port of this host that is free now. */
export const freePort = (host = '127.0.0.1'): Promise<number> => tryPort(0, host);

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
