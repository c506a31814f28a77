import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { patientServer } from '../src/patientServer.ts';

/** What writes the bytes of a socket, by the name that Node gives it. */
const method = '_write';
const write = Socket.prototype[method];
afterEach(() => {
  Socket.prototype[method] = write;
});

it('error: a process that stands still while a request is on its way answers it afterwards', async () => {
  const server = createServer(patientServer, (_, response) => response.end('here'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const ask = async () => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
  expect(await ask()).toBe('here');
  await sleep(1_000); // the connection is kept, and idle
  Socket.prototype[method] = function (...given) {
    Socket.prototype[method] = write;
    write.apply(this, given);
    // Longer than Node leaves a connection idle.
    process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500));
  };
  expect(await ask()).toBe('here');
  await new Promise((resolve) => server.close(resolve));
});
