import { randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { configFromEnv, type ServiceDatabase } from '@mintage/server/api';
import type { Database, RunningDatabase } from '@mintage/server/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, hex, tokenRow } from '../packages/server/test/api/reads/readsFixture.ts';
import {
  hide,
  log,
  reports,
  resolveReported,
  restore,
  suspend,
  takeDown,
  unhide,
  unsuspend,
} from './adminModeration.ts';

const boat = tokenRow('base-sepolia', hex(0xb0a7));

describe('what an operator does at the command line', () => {
  let database: RunningDatabase;
  const db = () => database.db.withTables<ServiceDatabase>();
  const [userId, reader, postId] = [randomUUID(), randomUUID(), randomUUID()];
  beforeAll(async () => {
    database = await testDatabase();
    const at = new Date('2030-01-01T00:00:00Z');
    await db()
      .insertInto('app_user')
      .values([{ user_id: userId, posts_count: 1 }, { user_id: reader }])
      .execute();
    await db()
      .insertInto('post')
      .values({
        post_id: postId,
        type: 'post',
        author_id: userId,
        text: 'Send me\u001b[2J keys\u202e',
        hashtags: [],
        media: '[]',
        entities: '[]',
        created_at: at,
      })
      .execute();
    const report = { post_id: postId, user_id: reader, reason: 'scam' as const, note: 'He\nlies.', created_at: at };
    await db().insertInto('post_report').values(report).execute();
  });
  afterAll(() => database?.stop());

  const author = () =>
    db().selectFrom('app_user').select(['posts_count', 'suspended_because']).where('user_id', '=', userId).execute();
  const hidden = async () =>
    (await db().selectFrom('post').select('hidden_because').where('post_id', '=', postId).execute())[0]?.hidden_because;

  it('default: reports wait, without anything that a terminal obeys, until they are seen to', async () => {
    const { done, ...facts } = await reports(db(), [], configFromEnv({}));
    expect(done).toBe(`${postId} of ${userId}: 1: scam "He\\nlies." about "Send me\\u001b[2J keys\\u{202e}"`);
    expect(facts).toMatchObject({
      reports: [{ post: { id: postId }, reports_count: 1, reports: [{ reason: 'scam', note: 'He\nlies.' }] }],
    });
    expect(await resolveReported(db(), [postId])).toContain('now: 1.');
    expect(await resolveReported(db(), [postId.toUpperCase()])).toContain('now: 0.');
    expect((await reports(db(), [], configFromEnv({}))).done).toBe('Nothing waits.');
  });

  it('default: a hidden post counts nowhere until it is shown again, however often it is said', async () => {
    for (const words of [['a', 'scam'], ['spam']]) expect(await hide(db(), [postId, ...words])).toContain('is hidden');
    expect([await hidden(), (await author())[0]?.posts_count]).toEqual(['spam', 0]);
    for (let again = 0; again < 2; again++) await unhide(db(), [postId, 'a', 'mistake']);
    expect([await hidden(), (await author())[0]?.posts_count]).toEqual([null, 1]);
  });

  it('default: a suspended user reads why', async () => {
    await suspend(db(), [userId, 'sells', 'keys']);
    expect((await author())[0]?.suspended_because).toBe('sells keys');
    await unsuspend(db(), [userId]);
    expect((await author())[0]?.suspended_because).toBeNull();
  });

  it('default: a token is taken down by its address and put back by its slug', async () => {
    const chain = { eid: boat.eid, slug: 'base-sepolia', usd: hex(1), usd_decimals: 6, launchpad: hex(2), indexed: 7 };
    await db().withTables<Database>().insertInto('chain').values(chain).execute();
    await addToken(db().withTables<Database>(), boat, 'paper-boat');
    const unlisted = () => db().selectFrom('unlisted_token').select(['token_id', 'reason']).execute();
    expect(await takeDown(db(), [boat.address, 'a', '--shared-media', 'copy'])).toContain(
      `${boat.token_id} is in no list`,
    );
    expect(await unlisted()).toEqual([{ token_id: boat.token_id, reason: 'a copy' }]);
    expect(await restore(db(), ['paper-boat'])).toContain('in lists again');
    expect(await unlisted()).toEqual([]);
    await expect(takeDown(db(), ['nobody', 'x'])).rejects.toThrow('there is no token nobody');
    await expect(takeDown(db(), ['paper-boat', '--shared-media'])).rejects.toThrow('take-down needs a reason');
    await expect(restore(db(), [])).rejects.toThrow('restore needs a token');
  });

  it('behavior: all of it is written down', async () => {
    const deeds = await db()
      .selectFrom('moderation')
      .select(['action', 'target', 'reason', 'user_id'])
      .orderBy('id')
      .execute();
    expect(deeds.map(({ action, target, reason, user_id }) => [action, target, reason, user_id])).toEqual([
      ['resolve_reports', postId, null, null],
      ['resolve_reports', postId, null, null],
      ['hide_post', postId, 'a scam', null],
      ['hide_post', postId, 'spam', null],
      ['unhide_post', postId, 'a mistake', null],
      ['unhide_post', postId, 'a mistake', null],
      ['suspend_user', userId, 'sells keys', null],
      ['unsuspend_user', userId, null, null],
      ['take_down_token', boat.token_id, 'a copy', null],
      ['restore_token', boat.token_id, null, null],
    ]);
    expect((await log(db())).done.split('\n')[1]).toMatch(
      new RegExp(`^\\d{4}-\\S+Z command line: take_down_token ${boat.token_id} "a copy"$`),
    );
  });

  it('error: what is not there, and no reason', async () => {
    const nobody = randomUUID();
    await expect(hide(db(), [nobody, 'x'])).rejects.toThrow('There is no such post');
    await expect(unhide(db(), [nobody])).rejects.toThrow('There is no such post');
    await expect(suspend(db(), [nobody, 'x'])).rejects.toThrow('There is no such user');
    await expect(hide(db(), [postId])).rejects.toThrow('hide needs a reason');
    await expect(suspend(db(), ['everybody', 'x'])).rejects.toThrow('suspend needs the id of a user');
  });
});
