import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@mintage/devnet/freePort';
import { keepDeployments } from '@mintage/devnet/keepDeployments';
import { until } from '@mintage/devnet/until';
import { sql } from 'kysely';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePath } from '../../src/api/wire/limits.ts';
import { executionSlug as chainSlug, type ExecutionWorld, startExecutionWorld, type User } from './executionWorld.ts';

const entry = fileURLToPath(new URL('../../../../scripts/start.mjs', import.meta.url));

describe('an api process that is killed between asking for a signature and answering', () => {
  let world: ExecutionWorld;
  let user: User;
  let bearer: string;
  let home: string;
  let second: ChildProcess | undefined;

  beforeAll(async () => {
    world = await startExecutionWorld();
    user = await world.newUser();
    bearer = await world.apiKey(user);
    home = mkdtempSync(join(tmpdir(), 'mintage-cut-off-'));
    keepDeployments(home, [world.chain.deployment]);
  });
  afterAll(async () => {
    second?.kill('SIGKILL');
    await world?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Another api of the same deployment. */
  const startSecond = async (): Promise<string> => {
    const port = await freePort();
    const { databaseUrl, home: firstHome, kekFiles, intentKeyFiles } = world.api.context.config;
    const [kek = join(firstHome, 'kek')] = kekFiles;
    const child = spawn(process.execPath, [entry], {
      env: {
        PATH: process.env.PATH ?? '',
        ROLES: 'api',
        DEVNET: '0',
        NEW_ACCESS_DELAY_HOURS: '0',
        CHAINS: chainSlug,
        DATABASE_URL: databaseUrl as string,
        MINTAGE_HOME: home,
        KEK_FILE: resolve(kek),
        INTENT_KEY_FILE: intentKeyFiles.join(','),
        RPC_URL_BASE_SEPOLIA: world.chain.rpcUrl,
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    second = child;
    let said = '';
    const ready = new Promise<void>((done, fail) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          said += chunk;
          if (said.includes('Mintage is ready')) done();
        });
      }
      child.once('exit', () => fail(new Error(`The second api ended: ${said.slice(-2_000)}`)));
    });
    await ready;
    return `http://127.0.0.1:${port}${basePath}`;
  };

  const queued = async (): Promise<string | undefined> => {
    const { db } = world.api.context;
    const intents = db.selectFrom('intent').select('intent_id').where('user_id', '=', user.userId);
    return (await intents.where('status', '=', 'queued').executeTakeFirst())?.intent_id;
  };

  it('H11 W1 what it asked for is found by the key, at once and after the key counts as cut off', async () => {
    const key = randomUUID();
    const to: Address = `0x${randomBytes(20).toString('hex')}`;
    const body = { to, amount: '7', chainSlug };
    await world.stopSigner();
    const url = await startSecond();
    const cut = fetch(`${url}/send-transaction`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}`, 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    const failed = expect(cut).rejects.toThrow();
    const intentId = await until(queued);
    const ended = once(second as ChildProcess, 'exit');
    second?.kill('SIGKILL');
    await Promise.all([ended, failed]);

    const ofKey = () => world.done('transactionStatus', { idempotencyKey: key }, { bearer });
    const intent = { intentId, chainSlug, status: 'queued', hash: '', error: null };
    expect(await ofKey()).toMatchObject({ status: 'queued', hash: '', intents: [intent] });
    await world.startSigner();
    const mined = await until(async () => {
      const answer = await ofKey();
      return answer.status === 'mined' || answer.status === 'final' ? answer : null;
    });
    expect(mined.intents).toEqual([{ ...intent, status: mined.status, hash: mined.hash }]);
    expect(await world.balance(to)).toBe(7n);

    // As after a minute.
    await sql`update idempotent_call set started_at = started_at - interval '61 s' where key = ${key}`.execute(
      world.api.context.db,
    );
    for (const who of [bearer, user.accessToken]) {
      const again = await world.call('sendTransaction', body, { bearer: who, idempotencyKey: key });
      expect([again.status, again.body.code]).toEqual([409, 'IDEMPOTENCY_OUTCOME_UNKNOWN']);
      expect(again.body.details).toMatchObject({ intentId, intents: [{ intentId, chainSlug, hash: mined.hash }] });
      expect(['mined', 'final']).toContain(again.body.details.intents[0].status);
    }
    expect(await world.balance(to)).toBe(7n);

    const stranger = await world.newUser();
    const theirs = await world.call('transactionStatus', { idempotencyKey: key }, { bearer: stranger.accessToken });
    expect([theirs.status, theirs.body.code]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
  });
});
