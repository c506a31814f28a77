import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Posting, startPosting } from '../../../test/api/people/postsFixture.ts';
import { meeting } from '../../../test/api/testing/meeting.ts';
import { resolveReports } from '../people/moderation.ts';

describe('deletePost, reportPost', () => {
  let on: Posting;
  beforeAll(async () => {
    on = await startPosting();
  });
  afterAll(() => on?.api.stop());

  const rowOf = (postId: string) =>
    on.db.selectFrom('post').selectAll().where('post_id', '=', postId).executeTakeFirst();

  it('default: nothing of a post is left, and it can be deleted again', async () => {
    const user = await on.api.signIn();
    const token = await on.token(user.address);
    const { id: post_id } = await on.post(user, 'secret #tag', { taggedCoinId: token.token_id });
    for (let again = 0; again < 2; again++)
      expect((await on.remove(user, { post_id })).body).toEqual({ success: true, deleted: true });
    expect(await rowOf(post_id)).toBeUndefined();
    expect((await on.get(user, { post_id })).body.code).toBe('POST_NOT_FOUND');
    expect(await on.postsOf(user)).toBe(0);
    expect(await on.hub(token.token_id)).toMatchObject({ posts_count: 0, media_count: 0 });
    for (const [table, column] of [
      ['tally', 'target_id'],
      ['post_hashtag', 'post_id'],
    ] as const)
      expect(
        await on.db
          .selectFrom(table)
          .selectAll()
          .where(column as never, '=', post_id as never)
          .execute(),
      ).toEqual([]);
  });

  it('default: while there are comments its place stays, and goes with the last of them', async () => {
    const user = await on.api.signIn();
    const top = await on.post(user, 'top #tag');
    const middle = await on.post(user, 'middle', { parent_id: top.id });
    const last = await on.post(user, 'last', { parent_id: middle.id });
    await on.remove(user, { post_id: top.id });
    await on.remove(user, { post_id: middle.id });
    expect((await on.get(null, { post_id: top.id })).body.post).toMatchObject({
      text: '',
      media: [],
      entities: [],
      deleted_at: expect.any(String),
      comments_count: 0,
    });
    expect((await rowOf(top.id))?.hashtags).toEqual([]);
    expect((await on.create(user, { text: 'x', parent_id: top.id })).body.code).toBe('POST_NOT_FOUND');
    expect((await on.report(user, { post_id: top.id, reason: 'spam' })).body.code).toBe('POST_NOT_FOUND');
    await on.remove(user, { post_id: last.id });
    for (const { id } of [top, middle, last]) expect(await rowOf(id)).toBeUndefined();
  });

  it('behavior: moderators and the owner of the hub delete too, which is written down; nobody else may', async () => {
    const [owner, moderator, member, author] = await Promise.all(Array.from({ length: 4 }, () => on.api.signIn()));
    if (!owner || !moderator || !member || !author) throw new Error('nobody');
    const { token_id } = await on.token(owner.address);
    for (const [user, role] of [
      [moderator, 'moderator'],
      [member, 'member'],
    ] as const)
      await on.db
        .insertInto('hub_member')
        .values({ token_id, user_id: user.userId, role, joined_at: new Date() })
        .execute();
    const { id: elsewhere } = await on.post(author, 'x');
    for (const who of [owner, moderator]) {
      const { id: post_id } = await on.post(author, 'x', { taggedCoinId: token_id });
      for (const other of [member, who === owner ? await on.api.signIn() : member])
        expect((await on.remove(other, { post_id })).body.code).toBe('NOT_THE_AUTHOR');
      expect((await on.remove(who, { post_id })).status).toBe(200);
      expect((await on.remove(who, { post_id: elsewhere })).status).toBe(403);
      const deeds = await on.db.selectFrom('moderation').selectAll().where('target', '=', post_id).execute();
      expect(deeds).toMatchObject([{ user_id: who.userId, action: 'delete_post' }]);
    }
    expect((await on.remove(author, { post_id: elsewhere })).status).toBe(200);
    expect(await on.db.selectFrom('moderation').select('id').where('target', '=', elsewhere).execute()).toEqual([]);
    expect(await on.postsOf(author)).toBe(0);
  });

  it('default: a user reports a post once, and says something else later', async () => {
    const [author, user] = [await on.api.signIn(), await on.api.signIn()];
    const { id: post_id } = await on.post(author, 'x');
    const send = async (body: object) => (await on.report(user, { post_id, ...body })).body;
    expect(await send({ reason: 'spam' })).toEqual({ success: true, reported: true });
    await send({ reason: 'scam', note: ' Sells keys. ' });
    const reports = await on.db.selectFrom('post_report').selectAll().where('post_id', '=', post_id).execute();
    expect(reports).toMatchObject([{ user_id: user.userId, reason: 'scam', note: 'Sells keys.', resolved_at: null }]);
    expect((await send({ reason: 'boring' })).code).toBe('INVALID_PARAMETERS');
    expect((await send({ reason: 'other', note: 'a'.repeat(501) })).code).toBe('INVALID_PARAMETERS');
    expect((await on.report(null, { post_id, reason: 'spam' })).status).toBe(401);
  });

  it('behavior: a report after an operator has seen to the ones before waits again, from then on', async () => {
    const [author, user] = [await on.api.signIn(), await on.api.signIn()];
    const { id: post_id } = await on.post(author, 'x');
    const send = async () => {
      expect((await on.report(user, { post_id, reason: 'spam' })).status).toBe(200);
      const reports = on.db.selectFrom('post_report').selectAll().where('post_id', '=', post_id);
      return reports.where('resolved_at', 'is', null).execute();
    };
    const [first] = await send();
    on.api.clock.ms += 1_000;
    expect(await send()).toEqual([first]);
    await resolveReports(on.db, post_id, { by: null, reason: null });
    on.api.clock.ms += 1_000;
    expect(await send()).toEqual([{ ...first, created_at: new Date(on.api.clock.ms) }]);
  });

  it('error: a report of a post that goes meanwhile', async () => {
    const [author, user] = [await on.api.signIn(), await on.api.signIn()];
    const { id: post_id } = await on.post(author, 'x');
    const deletion = on.db.deleteFrom('post').where('post_id', '=', post_id);
    const [answer] = await meeting(on.db, { execute: (tx) => tx.executeQuery(deletion) }, [
      () => on.report(user, { post_id, reason: 'spam' }),
    ]);
    expect([answer?.status, answer?.body.code]).toEqual([404, 'POST_NOT_FOUND']);
  });
});
