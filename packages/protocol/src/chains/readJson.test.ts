import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readJson } from './readJson.ts';

const answered = async (answer: (response: ServerResponse) => void, mostBytes: number): Promise<unknown> => {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await readJson(await fetch(`http://127.0.0.1:${port}`), mostBytes);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

/** Until nobody listens any more. */
const endless = async (response: ServerResponse): Promise<void> => {
  response.write('["');
  while (!response.destroyed) if (!response.write('a'.repeat(10_000))) await once(response, 'drain').catch(() => 0);
};
const long = JSON.stringify('é'.repeat(400));

describe('readJson', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['with its length', (response) => response.setHeader('content-length', 802).end(long)],
    [
      'in parts that cut a letter',
      (response) => response.write(Buffer.from(long).subarray(0, 4)) && response.end(Buffer.from(long).subarray(4)),
    ],
    ['packed', (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(long))],
  ])('behavior: %s', async (_, answer) => expect(await answered(answer, 802)).toBe('é'.repeat(400)));

  test.each<[string, (response: ServerResponse) => void]>([
    ['with its length', (response) => response.setHeader('content-length', 802).end(long)],
    ['without an end', (response) => void endless(response)],
    [
      'packed small',
      (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(`"${'a'.repeat(100_000)}"`)),
    ],
  ])('H22 attack: larger than allowed %s', async (_, answer) => {
    await expect(answered(answer, 801)).rejects.toThrow('larger than 801 bytes');
  });

  test('error: no JSON', async () => {
    await expect(answered((response) => response.end('<html>'), 100)).rejects.toThrow(SyntaxError);
  });
});
