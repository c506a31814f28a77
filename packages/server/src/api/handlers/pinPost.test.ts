import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HubOf, type HubWorld, startHubs } from '../../../test/api/testing/hubWorld.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';

describe('pinPost', () => {
  let world: HubWorld;
  let owner: SignedIn;
  let hub: HubOf;
  beforeAll(async () => {
    world = await startHubs();
    owner = await world.api.signIn();
    hub = await world.newHub(owner);
  });
  afterAll(() => world?.stop());

  const pin = (post_id: string, pinned = true) =>
    world.api.call('pinPost', { post_id, pinned }, { bearer: owner.accessToken });
  const pinnedPosts = async () => {
    const rows = await world.api.context.db.selectFrom('post').select('post_id').where('pinned', '=', true).execute();
    return rows.map(({ post_id }) => post_id);
  };

  it('default: one post is on top, until another one is or none', async () => {
    const [first, second] = [await world.addPost(hub), await world.addPost(hub)];
    expect((await pin(first.toUpperCase())).body.post).toMatchObject({ id: first, pinned: true, hub_id: hub.id });
    expect((await pin(first)).status).toBe(200);
    expect((await pin(second)).body.post).toMatchObject({ id: second, pinned: true });
    expect(await pinnedPosts()).toEqual([second]);
    const onTop = async () => (await world.api.call('getHub', { token_id: hub.id })).body.hub.pinned_post_id;
    expect(await onTop()).toBe(second);
    expect((await pin(first, false)).body.post.pinned).toBe(false);
    expect(await pinnedPosts()).toEqual([second]);
    expect((await pin(second, false)).body.post.pinned).toBe(false);
    expect(await onTop()).toBeNull();
    expect(await pinnedPosts()).toEqual([]);
  });

  it('behavior: of many that are pinned at once one stays', async () => {
    const posts = await Promise.all(Array.from({ length: 10 }, () => world.addPost(hub)));
    const answers = await Promise.all(posts.map((post) => pin(post)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await pinnedPosts()).toHaveLength(1);
  });

  it('error: of somebody of whom one blocked the other, and nothing is pinned', async () => {
    const [author] = (await world.people(1)) as [SignedIn];
    const post = await world.addPost(hub, { author_id: author.userId });
    await world.api.call('blockUser', { user_id: owner.userId }, { bearer: author.accessToken });
    const { status, body } = await pin(post);
    expect([status, body.code, await pinnedPosts()]).toEqual([
      404,
      'POST_NOT_FOUND',
      expect.not.arrayContaining([post]),
    ]);
  });

  it('error: comments, and what is deleted, hidden, in no hub or not there', async () => {
    const parent_id = await world.addPost(hub);
    const now = new Date(world.api.clock.ms);
    for (const post of [
      await world.addPost(hub, { type: 'comment', parent_id, root_id: parent_id }),
      await world.addPost(hub, { deleted_at: now }),
      await world.addPost(hub, { hidden_because: 'Spam.' }),
      await world.addPost(hub, { token_id: null }),
      await world.addPost(hub, { token_id: '00000000-0000-4000-8000-0000000000aa' }),
      '00000000-0000-4000-8000-0000000000aa',
    ]) {
      const { status, body } = await pin(post);
      expect([status, body.code]).toEqual([404, 'POST_NOT_FOUND']);
    }
  });
});
