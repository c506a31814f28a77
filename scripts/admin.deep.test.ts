import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { missingGrants, openDatabase, type RunningDatabase, type SignerDatabase } from '@mintage/server/db';
import { sql } from 'kysely';
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

  it('K1 accounts: makes those of the roles by the files that their processes read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintage-accounts-'));
    const nameOf = (role: string): string => `${new URL(database.url).pathname.slice(1)}_${role}`;
    const urlOf = (role: string): string => {
      const url = new URL(database.url);
      url.username = nameOf(role);
      url.password = 'a pass=word';
      return url.href;
    };
    try {
      writeFileSync(join(folder, 'api.env'), `# Of the APIs\nDATABASE_URL=${urlOf('api')}\nPORT=1\n`);
      writeFileSync(join(folder, 'signer'), urlOf('signer'));
      const files = [`api=${join(folder, 'api.env')}`, `signer=${join(folder, 'signer')}`];
      for (let run = 0; run < 2; run += 1)
        expect(await admin('accounts', ...files)).toContain(`api: ${nameOf('api')}\nsigner: ${nameOf('signer')}`);
      for (const role of ['api', 'signer'] as const) {
        const own = openDatabase(urlOf(role));
        expect(await missingGrants(own, new Set([role]))).toEqual([]);
        await own.destroy();
      }
      await expect(admin('accounts', 'keeper=x')).rejects.toThrow('accounts needs the files');
      await expect(admin('accounts', `api=${join(folder, 'missing')}`)).rejects.toThrow('no such file');
    } finally {
      rmSync(folder, { recursive: true });
      for (const role of ['api', 'signer']) {
        await sql`drop owned by ${sql.id(nameOf(role))}`.execute(database.db);
        await sql`drop role ${sql.id(nameOf(role))}`.execute(database.db);
      }
    }
  });

  it('error: pause without a reason, an unknown command', async () => {
    await expect(admin('pause')).rejects.toThrow('pause needs a reason');
    await expect(admin('stop')).rejects.toThrow('Usage: npm run admin');
    expect(await pauses()).toEqual([]);
  });
});
