import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { freePort } from '../freePort.ts';
import { listen } from './listen.ts';
import { openDatabase } from './openDatabase.ts';

it('behavior: while nobody answers it rests longer and longer, and a stop ends the rest', async () => {
  const db = openDatabase(`postgres://nobody@127.0.0.1:${await freePort()}/nothing`, { maxConnections: 1 });
  const errors: Error[] = [];
  const listener = listen(db, { channel: 'news', heard: () => {}, onError: (error) => errors.push(error) });
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  await sleep(1_500);
  // At least 100, 200 and 400 ms apart.
  expect(errors.length).toBeLessThan(6);
  await listener.stop();
  const after = errors.length;
  await sleep(300);
  expect(errors.length).toBe(after);
  await db.destroy();
});

it('behavior: a connection that is cut is made again, and what may have been missed is told', async () => {
  const database = await testDatabase();
  const heard: (string | null)[] = [];
  const errors: Error[] = [];
  const listener = listen(database.db, {
    channel: 'news',
    name: 'listener under test',
    heard: (text) => heard.push(text),
    onError: (error) => errors.push(error),
  });
  try {
    await expect.poll(() => heard).toEqual([null]);
    await sql`notify news, 'one'`.execute(database.db);
    await expect.poll(() => heard).toEqual([null, 'one']);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listener under test'`.execute(
      database.db,
    );
    await expect.poll(() => heard).toEqual([null, 'one', null]);
    expect(errors).toHaveLength(1);
  } finally {
    await listener.stop();
    await database.stop();
  }
});
