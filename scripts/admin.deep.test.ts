import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type RunningDatabase, type SignerDatabase } from '@mintage/server/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('npm run admin', () => {
  let database: RunningDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database?.stop());

  const admin = async (...args: string[]): Promise<string> => {
    const script = fileURLToPath(new URL('./admin.ts', import.meta.url));
    const env = { ...process.env, DATABASE_URL: database.url, CHAINS: 'base-sepolia' };
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env });
    return stdout.trim();
  };
  const pauses = () => database.db.withTables<SignerDatabase>().selectFrom('signing_pause').select('reason').execute();

  it('pause: for everybody, with the newest reason, until resume', async () => {
    expect(await admin('pause', 'an incident')).toContain('Nothing new is signed for anybody: an incident.');
    await admin('pause', 'another one');
    expect(await pauses()).toEqual([{ reason: 'another one' }]);
    expect(await admin('resume')).toContain('It is signed again.');
    expect(await pauses()).toEqual([]);
  });

  it('H20 keeper: has its wallet made, then shows where to send what it pays with', async () => {
    const db = database.db.withTables<SignerDatabase>();
    for (let run = 0; run < 2; run += 1) expect(await admin('keeper')).toContain('a signer makes it now');
    const address = `0x${'ab'.repeat(20)}` as const;
    const { numUpdatedRows } = await db
      .updateTable('embedded_wallet')
      .set({ address, sealed_key: '{}' })
      .executeTakeFirst();
    expect(numUpdatedRows).toBe(1n);
    expect(await admin('keeper')).toContain(`The keeper is ${address}: fund it`);
  });

  it('error: pause without a reason, an unknown command', async () => {
    await expect(admin('pause')).rejects.toThrow('pause needs a reason');
    await expect(admin('stop')).rejects.toThrow('Usage: npm run admin');
    expect(await pauses()).toEqual([]);
  });
});
