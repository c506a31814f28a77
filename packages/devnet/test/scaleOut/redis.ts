import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../src/freePort.ts';
import { spawnGuarded } from './spawnGuarded.ts';

/** An own Redis that keeps nothing. */
export const startRedis = async (): Promise<{ url: string; pid: number; stop(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-redis-'));
  const port = await freePort();
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawnGuarded('redis-server', words);
  server.stderr.pipe(process.stderr);
  for await (const line of createInterface(server.stdout)) if (line.includes('Ready to accept connections')) break;
  server.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: server.pid as number,
    async stop() {
      server.kill('SIGKILL');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
