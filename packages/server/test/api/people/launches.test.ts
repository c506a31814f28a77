import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followLaunches, postLaunches } from '../../../src/api/people/launchPosts.ts';
import { hidePost, unhidePost } from '../../../src/api/people/moderation.ts';
import { addDraft } from '../reads/readsFixture.ts';
import { type Body, type Posting, startPosting } from './postsFixture.ts';

describe('launches, and what get-tokens says of posts', () => {
  let on: Posting;
  beforeAll(async () => {
    on = await startPosting();
  });
  afterAll(() => on?.api.stop());

  const launchOf = async (tokenId: string): Promise<Body> => {
    const { body } = await on.list(null, { taggedCoinId: tokenId });
    return body.posts.find(({ type }: Body) => type === 'launch');
  };
  const launches = () => postLaunches(on.api.context);

  it('default: a token that was created through this service has one launch, of its time, by its creator', async () => {
    const creator = await on.user();
    const png = await sharp({ create: { width: 30, height: 10, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const logo = await on.api.context.media.image(`data:image/png;base64,${png.toString('base64')}`);
    await on.api.context.media.store([logo]);
    const token = await on.token(creator.address);
    await addDraft(on.db, token, 'boat', {
      description: 'Folds.\r\nSails.\t#boats $BOAT @nobody https://a.example',
      logo: logo.url,
    });
    await Promise.all([launches(), launches(), launches()]);
    expect(await launches()).toBe(0);
    const launch = await launchOf(token.token_id);
    expect(launch).toMatchObject({
      type: 'launch',
      author: { id: creator.userId },
      text: 'Folds.\nSails. #boats $BOAT @nobody https://a.example',
      created_at: '2026-01-01T00:00:00.000Z',
      media: [{ cid: logo.cid, type: 'image', width: 30, height: 10 }],
      hub_id: token.token_id,
    });
    expect(launch.entities.map(({ kind }: Body) => kind)).toEqual(['tag', 'token', 'link']);
    expect(await on.hub(token.token_id)).toMatchObject({
      posts_count: 1,
      media_count: 1,
      created_at: token.created_at,
    });
    expect(await on.postsOf(creator)).toBe(0);
    const { body: best } = await on.list(null, { feed: 'top', window: 'all', taggedCoinId: token.token_id });
    expect(best.posts.map(({ id }: Body) => id)).toEqual([launch.id]);
    expect((await on.list(null, { author_id: creator.userId })).body.posts).toEqual([]);
  });

  it('behavior: it has no author where the creator hides the wallet, whenever they did', async () => {
    const [before, after, stranger] = [await on.user(), await on.user(), `0x${'5d'.repeat(20)}` as const];
    const hide = ({ accessToken: bearer }: typeof before) =>
      on.api.call('updateUser', { settings: { show_wallet: false } }, { bearer });
    await hide(before);
    const tokens = [await on.token(before.address), await on.token(after.address), await on.token(stranger)];
    for (const [at, token] of tokens.entries()) await addDraft(on.db, token, `hidden-${at}`, { description: ' ' });
    await launches();
    await hide(after);
    for (const token of tokens)
      expect(await launchOf(token.token_id)).toMatchObject({ author: null, text: token.name });
    // By whom it was launched is in the row all the same: they may delete it.
    const { id: post_id } = await launchOf(tokens[1]?.token_id as string);
    expect((await on.remove(before, { post_id })).body.code).toBe('NOT_THE_AUTHOR');
    expect((await on.remove(after, { post_id })).status).toBe(200);
    expect(await launches()).toBe(0);
  });

  it('behavior: a token that no chain has yet waits; one that a reorg takes back keeps its launch and finds it again', async () => {
    const creator = await on.user();
    const token = await on.token(creator.address);
    await addDraft(on.db, token, 'forked');
    await on.db.deleteFrom('token').where('token_id', '=', token.token_id).execute();
    expect(await launches()).toBe(0);
    await on.db.insertInto('token').values(token).execute();
    expect(await launches()).toBe(1);
    const { id } = await launchOf(token.token_id);
    await on.db.deleteFrom('token').where('token_id', '=', token.token_id).execute();
    expect((await on.get(null, { post_id: id })).body.post.tagged_coin).toBeNull();
    await on.db.insertInto('token').values(token).execute();
    expect(await launches()).toBe(0);
    expect((await launchOf(token.token_id)).id).toBe(id);
  });

  it('default: whoever serves the API posts them until it stops', async () => {
    const token = await on.token((await on.user()).address);
    await addDraft(on.db, token, 'served');
    const stop = followLaunches(on.api.context);
    await expect.poll(() => launchOf(token.token_id)).toBeTruthy();
    await stop();
  });

  it('default: get-tokens counts posts and votes, and orders by posts, then the newest', async () => {
    const user = await on.user();
    await on.db.deleteFrom('token').execute();
    const made: Awaited<ReturnType<Posting['token']>>[] = [];
    for (let at = 0; at < 6; at++) {
      const created_at = new Date(Date.parse('2026-02-01T00:00:00Z') + at * 1_000);
      made.push(await on.token(user.address, { created_at }));
    }
    const posts = async (at: number, many: number) => {
      const ids: string[] = [];
      for (let nth = 0; nth < many; nth++)
        ids.push((await on.post(user, 'x', { taggedCoinId: made[at]?.token_id as string })).id);
      return ids;
    };
    await posts(1, 1);
    await posts(4, 1);
    const [hidden] = await posts(2, 3);
    await addDraft(on.db, made[3] as never, 'sixth');
    await launches();
    const tally = { target_type: 'token' as const, target_id: made[2]?.token_id as string, made_at: new Date() };
    const weights = { up_weight: 15n * 10n ** 17n, down_weight: 10n ** 18n - 1n };
    await on.db
      .insertInto('tally')
      .values({ ...tally, upvotes: 3, downvotes: 1, ...weights })
      .execute();

    const list = async (more: object = {}) =>
      (await on.api.call('getTokens', { filter: 'top_posts', ...more }, { bearer: user.accessToken })).body;
    const order = async (more?: object) =>
      (await list(more)).tokens.map(({ id }: Body) => made.findIndex(({ token_id }) => token_id === id));
    const all = [2, 4, 3, 1, 5, 0];
    expect(await order()).toEqual(all);
    for (const limit of [1, 2, 3, 4, 5, 6]) {
      const paged: number[] = [];
      for (let offset = 0; offset < 7; offset += limit) paged.push(...(await order({ limit, offset })));
      expect(paged, String(limit)).toEqual(all);
    }
    const { tokens, pagination } = await list({ limit: 4 });
    expect(pagination).toMatchObject({ total: 6, has_more: true });
    expect((await list({ limit: 6 })).pagination.has_more).toBe(false);
    expect(tokens[0]).toMatchObject({
      total_posts_count: 3,
      upvotes: 3,
      downvotes: 1,
      weighted_upvotes: 1,
      weighted_downvotes: 0,
    });
    expect(tokens[0]).toMatchObject({ launch_post_id: null, user_vote: null, groups_count: 0, is_live: false });
    const { id: launch_post_id } = await launchOf(made[3]?.token_id as string);
    expect(tokens[2]).toMatchObject({ launch_post_id, total_posts_count: 1 });
    await hidePost(on.db, hidden as string, { by: null, reason: 'spam' });
    await hidePost(on.db, launch_post_id, { by: null, reason: 'scam' });
    expect((await list()).tokens[0].total_posts_count).toBe(2);
    expect((await list()).tokens.find(({ id }: Body) => id === made[3]?.token_id).launch_post_id).toBeNull();
    await unhidePost(on.db, launch_post_id, { by: null, reason: null });
    expect((await list()).tokens[2]).toMatchObject({ launch_post_id, total_posts_count: 1 });
  });
});
