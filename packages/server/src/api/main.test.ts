import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { newIntentKeys } from '../../test/world/intentKeys.ts';
import { createEvmClient } from '../chain/evm/evmClient.ts';
import type { RunningDatabase } from '../db/startDatabase.ts';
import { memoryKek } from '../keys/fileKek.ts';
import { configFromEnv, startApi } from './main.ts';

const keys = memoryKek(randomBytes(32));
const intentKeys = newIntentKeys();

const read = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (part) => {
      answer += String(part);
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

const serve = ({ db }: RunningDatabase) =>
  startApi({
    config: configFromEnv({ PORT: '0', LOG_LEVEL: 'silent' }),
    keys,
    intentKeys,
    db,
    chains: [],
    createClient: createEvmClient,
    log: pino({ level: 'silent' }),
  });

it('startApi: serves on a free port, and stops though a client keeps its connection', async () => {
  const database = await testDatabase();
  const api = await serve(database);
  const port = Number(new URL(api.url).port);
  expect(api.context.config.publicUrl).toBe(api.url);
  expect(await (await fetch(`${api.url}/functions/v1/health`)).json()).toEqual({ status: 'ok' });

  const unreadable = await read(port, 'GARBAGE\r\n\r\n');
  expect(unreadable).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  expect(unreadable).toContain('"code":"INVALID_JSON"');

  const idle = connect(port, '127.0.0.1');
  await new Promise((resolve) => idle.once('connect', resolve));
  const half = connect(port, '127.0.0.1', () => half.write('POST / HTTP/1.1\r\nhost: x\r\n'));
  await new Promise((resolve) => half.once('connect', resolve));
  for (const socket of [idle, half]) socket.on('error', () => undefined);
  await api.stop();
  await expect(fetch(`${api.url}/health`)).rejects.toThrow();
  idle.destroy();
  half.destroy();
  await database.stop();
});

it('startApi: answers before it stops what runs already, also when that takes longer than an idle client may', async () => {
  const database = await testDatabase();
  const api = await serve(database);
  let stopped: Promise<void> = Promise.resolve();
  const { asked } = await database.db.transaction().execute(async (tx) => {
    await sql`lock table token in access exclusive mode`.execute(tx);
    const asked = fetch(`${api.url}/functions/v1/search-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"paper-boat"}',
    });
    const waits = sql<{
      waits: boolean;
    }>`select count(*) > 0 as waits from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`;
    await expect.poll(async () => (await waits.execute(database.db)).rows[0]?.waits).toBe(true);
    stopped = api.stop();
    await sleep(4_000); // the stop waits this long for the blocked request, which is still answered
    return { asked };
  });
  expect((await asked).status).toBe(200);
  await stopped;
  await database.stop();
});

it('startApi: a port that is taken is an error, and leaves nothing open', async () => {
  const database = await testDatabase();
  const log = pino({ level: 'silent' });
  const first = await startApi({
    config: configFromEnv({ PORT: '0' }),
    keys,
    intentKeys,
    db: database.db,
    chains: [],
    createClient: createEvmClient,
    log,
  });
  const taken = configFromEnv({ PORT: new URL(first.url).port });
  await expect(
    startApi({ config: taken, keys, intentKeys, db: database.db, chains: [], createClient: createEvmClient, log }),
  ).rejects.toThrow('EADDRINUSE');
  await first.stop();
  await database.stop();
});

it('createLog: lines are written when the process ends, at the latest', async () => {
  const program = `import { createLog } from ${JSON.stringify(import.meta.resolve('../createLog.ts'))};
    const log = createLog('info'); log.debug('hidden'); log.info('first'); log.info('last');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['first', 'last']);
});
