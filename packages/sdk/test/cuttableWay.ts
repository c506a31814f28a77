import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a service whose connections can be cut, as networks do. */
export const startWay = async (to: string) => {
  const { port, hostname } = new URL(to);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    open.add(near);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy()).on('close', () => void (open.delete(near), far.destroy()));
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => open.size,
    /** Cuts every connection without a farewell. */
    cut(): void {
      for (const socket of open) socket.resetAndDestroy();
    },
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      this.cut();
      await closed;
    },
  };
};
