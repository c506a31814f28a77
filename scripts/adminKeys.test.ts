import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { configFromEnv, type ServiceDatabase } from '@mintage/server/api';
import { type RunningDatabase } from '@mintage/server/db';
import { fileKek, kekCounts, makeKekFile, open, seal } from '@mintage/server/keys';
import { walletKeys } from '@mintage/server/sign';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rewrap, rotateSigningKey } from './adminKeys.ts';

describe('npm run admin, keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-admin-'));
  const [api, next, wallets] = ['api', 'next', 'wallets'].map((name) => join(folder, name)) as [string, string, string];
  const secret = Buffer.from('the key of a wallet, so to say..');
  const [user, address] = [randomUUID(), '0xab'] as const;
  let database: RunningDatabase;
  let db: Kysely<ServiceDatabase>;

  beforeAll(async () => {
    for (const path of [api, next, wallets]) makeKekFile(path);
    database = await testDatabase();
    db = database.db.withTables<ServiceDatabase>();
    const sealed = await seal(fileKek(wallets), secret, walletKeys.contextOf(user, address));
    await db
      .insertInto('embedded_wallet')
      .values({
        user_id: user,
        chain_type: 'evm',
        address,
        sealed_key: JSON.stringify(sealed),
        made_at: new Date(),
        paused_at: null,
      })
      .execute();
  });
  afterAll(async () => {
    await database?.stop();
    rmSync(folder, { recursive: true });
  });

  const configOf = (keks: string) => configFromEnv({ KEK_FILE: keks, MINTAGE_HOME: folder });
  const rotate = (keks: string, ...args: string[]) => rotateSigningKey(db as never, args, configOf(keks));
  const rewrapWith = (keks: string) => rewrap(db as never, [], configOf(keks));
  const kids = async () =>
    (await db.selectFrom('signing_key').select('kid').orderBy('created_at', 'desc').execute()).map(({ kid }) => kid);

  it('rotate-signing-key: a new newest key, beside the old one or alone', async () => {
    const first = (await rotate(api)).split(' ')[0] as string;
    const second = (await rotate(api)).split(' ')[0] as string;
    expect(await kids()).toEqual([second, first]);
    expect(await rotate(api, 'now')).toContain('refused within ten seconds');
    expect((await kids()).length).toBe(1);
    await expect(rotate(api, 'later')).rejects.toThrow('takes nothing, or now');
    await expect(rotate(next)).rejects.toThrow(`needs the key-encryption key ${fileKek(api).id}`);
    expect((await kids()).length).toBe(1);
  });

  it('rewrap: what the files at hand sealed, and nothing else', async () => {
    const report = await rewrapWith(`${next},${api}`);
    expect(report).toContain(`signing_key.sealed_key: 1 sealed anew by ${fileKek(next).id}`);
    expect(report).toContain(`embedded_wallet.sealed_key: 0 sealed anew by ${fileKek(next).id}`);
    expect(report).toContain(`1 sealed by ${fileKek(wallets).id}, which is not here`);
    await rotate(next);
    expect(await kekCounts(database.db, walletKeys)).toEqual(new Map([[fileKek(wallets).id, 1]]));

    expect(await rewrapWith(`${next},${wallets}`)).toContain('embedded_wallet.sealed_key: 1 sealed anew');
    const { sealed_key: sealed } = await db
      .selectFrom('embedded_wallet')
      .select('sealed_key')
      .executeTakeFirstOrThrow();
    const opened = sealed && (await open(fileKek(next), sealed, walletKeys.contextOf(user, address)));
    expect(Buffer.from(opened ?? []).toString()).toBe(secret.toString());
  });

  it('error: a row that somebody changed is named', async () => {
    await db.updateTable('embedded_wallet').set({ address: '0xcd' }).execute();
    // The whole way, as an operator goes it.
    const script = fileURLToPath(new URL('./admin.ts', import.meta.url));
    const env = { ...process.env, DATABASE_URL: database.url, KEK_FILE: `${api},${next}`, MINTAGE_HOME: folder };
    const failed = await promisify(execFile)(process.execPath, [script, 'rewrap'], { env }).then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    );
    expect(failed).toContain(`does not open: ${user} 0xcd`);
    expect(failed).toContain('signing_key.sealed_key: 2 sealed anew');
  });
});
