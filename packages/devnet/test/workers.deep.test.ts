import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunningDatabase } from '@mintage/server/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevChains, startChains } from '../src/devnet.ts';
import { freePort } from '../src/freePort.ts';
import { testDatabase } from '../src/testDatabase.ts';
import { keepDeployments } from './keepDeployments.ts';
import { type RoleProcess, roleProcess } from './scaleOut/roleProcess.ts';

const anonymousLimit = 40;

/** One command, two processes of the API and one of the indexer. */
describe('WORKERS=2', () => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-workers-test-'));
  let database: RunningDatabase;
  let local: DevChains;
  let command: RoleProcess;
  let port: number;

  const envOf = (env: Record<string, string>): Record<string, string> => ({
    DEVNET: '0',
    CHAINS: 'base-sepolia',
    RPC_URL_BASE_SEPOLIA: local.chains[0]?.rpcUrl ?? '',
    DATABASE_URL: database.url,
    MINTAGE_HOME: home,
    LOG_LEVEL: 'info',
    ROLES: 'api,indexer',
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMITS: JSON.stringify({ anonymous: anonymousLimit }),
    WORKERS: '2',
    ...env,
  });

  beforeAll(async () => {
    database = await testDatabase();
    local = await startChains(['base-sepolia']);
    keepDeployments(
      home,
      local.chains.map(({ deployment }) => deployment),
    );
    port = await freePort();
    command = roleProcess('two workers', envOf({ PORT: String(port) }));
    await command.start();
  });
  afterAll(async () => {
    await command?.end('SIGTERM');
    await local?.stop();
    await database?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** By a connection of its own, so that the primary chooses who serves it. */
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const sent = request({ port, path, agent: false, headers });
    const answer = new Promise<IncomingMessage>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject).end(),
    );
    const response = await answer;
    return { status: response.statusCode, text: await text(response) };
  };
  const lines = (): { pid: number; [key: string]: unknown }[] =>
    command
      .said()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []));
  /** The process that logged a request. */
  const pidOf = async (requestId: string): Promise<number> => {
    const find = () => lines().find((line) => line.requestId === requestId)?.pid;
    await expect.poll(find).toBeDefined();
    return find() as number;
  };
  const serving = async (times: number): Promise<Set<number>> => {
    const ids = Array.from({ length: times }, () => randomUUID());
    for (const id of ids) expect((await ask('/health', { 'x-request-id': id })).status).toBe(200);
    return new Set(await Promise.all(ids.map(pidOf)));
  };
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('default: two processes serve one port, a third one indexes, the first one does neither', async () => {
    const api = await serving(8);
    expect(api.size).toBe(2);
    const ready = lines().filter(({ msg }) => msg === 'Ready.');
    expect(ready.map(({ roles }) => roles).toSorted()).toEqual([['api'], ['api'], ['indexer']]);
    expect(new Set(ready.map(({ pid }) => pid)).size).toBe(3);
    expect(ready.map(({ pid }) => pid)).not.toContain(command.pid());
    expect(command.said().split('Mintage is ready').length).toBe(2);
    await expect.poll(async () => (await ask('/ready')).status).toBe(200);
  });

  it('R4 both admit together what one allowance allows', async () => {
    const one = { 'x-forwarded-for': '198.51.100.7' };
    const all = await Promise.all(
      Array.from({ length: 2 * anonymousLimit }, () => ask('/functions/v1/search-token?input=x', one)),
    );
    expect(all.filter(({ status }) => status === 429)).toHaveLength(anonymousLimit);
  });

  const counted = async (): Promise<string[]> =>
    [...(await ask('/metrics')).text.matchAll(/^mintage_request_seconds_count\{operation="jwks".* (\d+)$/gm)].map(
      ([, count]) => count as string,
    );

  it('behavior: /metrics shows what all of them counted, whoever is asked', async () => {
    for (let i = 0; i < 6; i++) await ask('/functions/v1/.well-known/jwks.json');
    await expect.poll(counted).toEqual(['6']);
    expect(await counted()).toEqual(await counted());
    expect((await ask('/metrics')).text).toMatch(/^mintage_chain_up\{chain="base-sepolia"\} 1$/m);
  });

  it('W1 a worker that is killed is replaced, and the others serve meanwhile', async () => {
    const before = await serving(8);
    const [killed = 0] = before;
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => lines().some(({ worker }) => worker === killed)).toBe(true);
    expect(await serving(2)).not.toContain(killed);
    await expect.poll(async () => (await serving(4)).size).toBe(2);
    expect(await counted()).toEqual(['6']); // counts that went down would be a restart of all, and all of them new
    expect(lines().filter(({ msg }) => msg === 'Ready.')).toHaveLength(4);
  });

  it('behavior: SIGTERM ends all of them in order', async () => {
    const pids = new Set(lines().map(({ pid }) => pid));
    expect(await command.end('SIGTERM')).toBe(0);
    expect([...pids].filter(isAlive)).toEqual([]);
  });

  it('error: a worker that cannot start ends the command, and so does an embedded database', async () => {
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const ends = (env: Record<string, string>) => roleProcess('refused', envOf({ PORT: String(port), ...env })).start();
    await expect(ends({})).rejects.toThrow(/ended with 1: .*is taken by another program/s);
    await expect(ends({ DATABASE_URL: '' })).rejects.toThrow('WORKERS is more than 1: that needs DATABASE_URL');
    taken.close();
  });
});
