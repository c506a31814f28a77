import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Body, type Posting, startPosting } from '../../../test/api/people/postsFixture.ts';
import { signInOperator } from '../../../test/api/testing/operator.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';

describe('getReports', () => {
  let on: Posting;
  let operator: SignedIn;
  let author: SignedIn;
  let readers: SignedIn[];
  beforeAll(async () => {
    on = await startPosting();
    operator = await signInOperator(on.api);
    // With a key, since the clock moves.
    const made = { name: 'k', scopes: ['moderate'] };
    const { key } = (await on.api.call('createApiKey', made, { bearer: operator.accessToken })).body;
    operator = { ...operator, accessToken: key };
    author = await on.user();
    readers = await Promise.all(Array.from({ length: 3 }, () => on.user()));
  });
  afterAll(() => on?.api.stop());
  beforeEach(() => on.db.deleteFrom('post_report').execute());

  const report = async (reader: SignedIn | undefined, { id }: Body, reason: string, note?: string) => {
    on.api.clock.ms += 1_000;
    const { status } = await on.report(reader as SignedIn, { post_id: id, reason, note });
    expect(status).toBe(200);
  };
  const ask = async (name: 'getReports' | 'resolveReports' | 'hidePost', input: object = {}): Promise<Body> =>
    (await on.api.call(name, input, { bearer: operator.accessToken })).body;
  const queue = async (input: object = {}): Promise<string[]> =>
    (await ask('getReports', input)).reported.map(({ post }: Body) => post.id);

  it('default: posts by how long they wait, each with who reported it, why, and in which words', async () => {
    const [one, other] = [await on.post(author, 'Send me your keys'), await on.post(author, 'gm')];
    await report(readers[0], one, 'scam', 'He lies.');
    await report(readers[0], other, 'spam');
    await report(readers[1], one, 'scam');
    await report(readers[2], one, 'abuse');
    const { reported, pagination } = await ask('getReports');
    expect(reported).toHaveLength(2);
    expect(reported[0]).toMatchObject({
      post: { id: one.id, text: 'Send me your keys', author: { id: author.userId } },
      reports_count: 3,
      reasons: { scam: 2, abuse: 1 },
      reports: [
        { user: { id: readers[0]?.userId }, reason: 'scam', note: 'He lies.' },
        { user: { id: readers[1]?.userId }, reason: 'scam', note: null },
        { user: { id: readers[2]?.userId }, reason: 'abuse', note: null },
      ],
    });
    expect(reported[1]).toMatchObject({ post: { id: other.id }, reports_count: 1, reasons: { spam: 1 } });
    expect(pagination).toEqual({ limit: 20, total_returned: 2, has_more: false, next_cursor: null });
  });

  it('default: pages show each post once, and miss none when some are resolved meanwhile', async () => {
    const posts: Body[] = [];
    for (let nth = 0; nth < 5; nth += 1) posts.push(await on.post(author, `post ${nth}`));
    for (const post of posts) for (const reader of readers) await report(reader, post, 'spam');
    const first = await ask('getReports', { limit: 2 });
    expect(first.reported.map(({ post }: Body) => post.text)).toEqual(['post 0', 'post 1']);
    await ask('resolveReports', { post_id: posts[0]?.id, reason: 'Fine.' });
    const second = await ask('getReports', { limit: 2, cursor: first.pagination.next_cursor });
    expect(second.reported.map(({ post }: Body) => post.text)).toEqual(['post 2', 'post 3']);
    const third = await ask('getReports', { limit: 2, cursor: second.pagination.next_cursor });
    expect(third.reported.map(({ post }: Body) => post.text)).toEqual(['post 4']);
    expect(third.pagination).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('behavior: of posts that are reported at one moment a page shows none twice', async () => {
    const posts = await Promise.all(Array.from({ length: 4 }, (_, nth) => on.post(author, `same ${nth}`)));
    for (const { id } of posts) await on.report(readers[0] as SignedIn, { post_id: id, reason: 'spam' });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { reported, pagination } = await ask('getReports', { limit: 1, cursor });
      seen.push(...reported.map(({ post }: Body) => post.id));
      cursor = pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(posts.map(({ id }) => id).toSorted());
  });

  it('default: what is resolved leaves the queue, and comes back with a new report', async () => {
    const post = await on.post(author, 'gm');
    await report(readers[0], post, 'spam');
    await report(readers[1], post, 'spam');
    expect(await ask('resolveReports', { post_id: post.id.toUpperCase(), reason: 'Fine.' })).toEqual({
      success: true,
      resolved: 2,
    });
    expect(await ask('resolveReports', { post_id: post.id, reason: 'Fine.' })).toEqual({ success: true, resolved: 0 });
    expect(await queue()).toEqual([]);
    await report(readers[2], post, 'abuse');
    expect((await ask('getReports')).reported).toMatchObject([{ post: { id: post.id }, reports_count: 1 }]);
  });

  it('behavior: a hidden post stays in the queue, with why it is hidden, and its author sees why', async () => {
    const post = await on.post(author, 'gm');
    await report(readers[0], post, 'spam');
    expect(await ask('hidePost', { post_id: post.id, hidden: true, reason: 'Spam.' })).toEqual({
      success: true,
      hidden: true,
    });
    expect((await ask('getReports')).reported[0].post.hidden).toEqual({ reason: 'Spam.' });
    expect((await on.get(author, { post_id: post.id })).body.post.hidden).toEqual({ reason: 'Spam.' });
    expect((await on.get(readers[0] as SignedIn, { post_id: post.id })).body.code).toBe('POST_NOT_FOUND');
    await ask('hidePost', { post_id: post.id, hidden: false, reason: 'It is not.' });
    expect((await ask('getReports')).reported[0].post.hidden).toBeUndefined();
    expect((await on.get(readers[0] as SignedIn, { post_id: post.id })).status).toBe(200);
  });

  it('behavior: the oldest 20 of more reports are shown, all are counted', async () => {
    const post = await on.post(author, 'gm');
    const many = await Promise.all(Array.from({ length: 22 }, () => on.api.signIn()));
    const created_at = new Date();
    await on.db
      .insertInto('post_report')
      .values(many.map(({ userId }) => ({ post_id: post.id, user_id: userId, reason: 'spam' as const, created_at })))
      .execute();
    const [{ reports, ...counts }] = (await ask('getReports')).reported;
    expect([reports.length, counts.reports_count, counts.reasons]).toEqual([20, 22, { spam: 22 }]);
  });

  it('error: a post that is not there, and a cursor of another list', async () => {
    const post_id = '00000000-0000-4000-8000-000000000000';
    expect((await ask('resolveReports', { post_id, reason: 'x' })).code).toBe('POST_NOT_FOUND');
    expect((await ask('hidePost', { post_id, hidden: true, reason: 'x' })).code).toBe('POST_NOT_FOUND');
    expect((await ask('getReports', { cursor: 'WzFd' })).code).toBe('INVALID_PARAMETERS');
  });
});
