/** The yardstick: node:http that parses the body and answers a constant of the length in `LENGTH`. */
import { createServer } from 'node:http';

const body = Buffer.alloc(Number(process.env.LENGTH), 0x20);
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'POST') JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, headers).end(body);
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => server.close().closeAllConnections());
