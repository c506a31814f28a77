import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** `wanted` when nobody listens there, else any free port. */
export const freePort = async (wanted = 0): Promise<number> => {
  const server = createServer();
  try {
    await once(server.listen(wanted, '127.0.0.1'), 'listening');
  } catch (error) {
    if (wanted !== 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
};
