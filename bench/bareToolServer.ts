/**
 * The protocol's low-level server and nothing else: no credential, no limits, no schemas, no database. It has the same list
 * and gives the same answer each time; bench/tools.ts compares with it.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

const answers = JSON.parse(readFileSync(process.env.ANSWERS ?? '', 'utf8')) as { list: object; call: object };
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => answers.list as never);
  server.setRequestHandler('tools/call', () => answers.call as never);
  return server;
});

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    if (request.method !== 'POST') return response.end();
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const parsedBody = JSON.parse(Buffer.concat(chunks).toString()) as unknown;
    const web = new Request('http://127.0.0.1/mcp', { method: 'POST', headers });
    const answer = await handler.fetch(web, { parsedBody });
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': body.length });
    return response.end(body);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
