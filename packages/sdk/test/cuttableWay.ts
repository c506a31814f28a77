import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A way to a service whose connections can be cut, fall silent or be garbled, as networks and proxies do. */
export const startWay = async (to: string) => {
  const { port, hostname } = new URL(to);
  const open = new Map<Socket, () => void>();
  let garble: ((said: string) => string) | null = null;
  let passed = 0;
  const server = createServer((near) => {
    let isSilent = false;
    const far = connect(Number(port), hostname);
    const back = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (isSilent) return done();
        const said = chunk.toString('latin1');
        const changed = garble?.(said) ?? said;
        if (changed !== said) garble = null;
        passed += chunk.length;
        done(null, Buffer.from(changed, 'latin1'));
      },
    });
    near.pipe(far).pipe(back).pipe(near);
    open.set(near, () => {
      isSilent = true;
      back.unpipe(near); // which would be told of the end
    });
    near.on('error', () => far.destroy()).on('close', () => void (open.delete(near), far.destroy()));
    far.on('error', () => near.destroy()).on('close', () => isSilent || near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => open.size,
    /** Bytes that came from the service so far. */
    passed: () => passed,
    /** Cuts every connection without a farewell. */
    cut(): void {
      for (const socket of open.keys()) socket.resetAndDestroy();
    },
    /** From now on nothing comes through the connections that are open, not even their end. */
    silence(): void {
      for (const fallSilent of open.values()) fallSilent();
    },
    /** Changes what the service says next, once; the length has to stay. */
    garbleOnce(change: (said: string) => string): void {
      garble = change;
    },
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      this.cut();
      await closed;
    },
  };
};
