import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Any port of this host that is free now, and that no other process of this user is given until its server listens. It is below the
 * range that systems give to outgoing connections, so none of them takes it first.
 */
export const freePort = async (host = '127.0.0.1'): Promise<number> => {
  const folder = join(tmpdir(), `mintage-ports-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true });
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (!lease(folder, port)) continue;
    try {
      return await tryPort(port, host);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
};

/** Longer than it takes until a server that was given a port listens, on a machine however busy. */
const leaseMs = 600_000;

/** Whether the port is this process's from now on: a file says until when it is another's. */
const lease = (folder: string, port: number): boolean => {
  const file = join(folder, String(port));
  const leased = statSync(file, { throwIfNoEntry: false });
  if (leased !== undefined && Date.now() - leased.mtimeMs < leaseMs) return false;
  if (leased !== undefined) rmSync(file, { force: true });
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false; // somebody else was quicker
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
