import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';

/** Null: the connection breaks. */
type Change = (path: string, answer: string) => string | null;

const unchanged: Change = (_, answer) => answer;

/** Stands between the program and the service, and changes what the service answers. */
export const startBetween = async (serviceUrl: string) => {
  let change: Change = unchanged;
  const server = createServer(patientServer, async (request, response) => {
    const path = request.url ?? '';
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    const headers = Object.entries(request.headers).filter(
      ([name]) => !['host', 'connection', 'content-length'].includes(name),
    );
    const answered = await fetch(serviceUrl + path, {
      method: request.method ?? 'GET',
      headers: headers as [string, string][],
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    });
    const text = change(path, await answered.text());
    if (text === null) return response.destroy();
    return response.writeHead(answered.status, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    change(next: Change): void {
      change = next;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
