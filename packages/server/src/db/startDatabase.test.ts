import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startDatabase } from './startDatabase.ts';

test('startDatabase uses the server and makes no files', async () => {
  const server = await testDatabase();
  const home = join(tmpdir(), `mintage-unused-${process.pid}`);
  const { db, stop } = await startDatabase({ home, url: server.url });
  const { rows } = await sql`select 1 as one`.execute(db);
  expect(rows).toEqual([{ one: 1 }]);
  expect(existsSync(home)).toBe(false);
  await stop();
  await server.stop();
});
