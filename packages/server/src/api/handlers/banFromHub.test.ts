import { campaign } from '@mintage/devnet/random';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HubOf, type HubWorld, startHubs } from '../../../test/api/testing/hubWorld.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';

describe('banFromHub', () => {
  let world: HubWorld;
  let owner: SignedIn;
  let users: SignedIn[];
  beforeAll(async () => {
    world = await startHubs();
    [owner, ...users] = (await world.people(4)) as [SignedIn, ...SignedIn[]];
  });
  afterAll(() => world?.stop());

  const media = { cid: 'x', url: 'https://a.example/x', type: 'image', width: 1, height: 1, mime: 'image/webp' };

  /** What every count is to be, and what it is. */
  const counts = async () => {
    const { db } = world.api.context;
    const { rows: hubs } = await sql`
      select hub.token_id, posts_count as posts, media_count as media,
        (select count(*) from post where ${counted} and token_id = hub.token_id) as real_posts,
        (select coalesce(sum(jsonb_array_length(media)), 0) from post where ${counted} and token_id = hub.token_id) as real_media
      from hub order by 1`.execute(db);
    const { rows: people } = await sql`
      select user_id, posts_count as posts,
        (select count(*) from post where ${counted} and parent_id is null and author_id = user_id) as real_posts
      from app_user order by 1`.execute(db);
    const { rows: posts } = await sql`
      select post_id, comments_count as comments,
        (select count(*) from post below where below.deleted_at is null and below.hidden_because is null
          and below.parent_id = post.post_id) as real_comments
      from post order by 1`.execute(db);
    return { hubs, people, posts } as Record<string, Record<string, unknown>[]>;
  };
  const counted = sql`deleted_at is null and hidden_because is null`;

  /** Sets every count to what it is to be. */
  const recount = async () => {
    const { db } = world.api.context;
    await sql`update hub set
      posts_count = (select count(*) from post where ${counted} and post.token_id = hub.token_id),
      media_count = (select coalesce(sum(jsonb_array_length(media)), 0) from post where ${counted} and post.token_id = hub.token_id)`.execute(
      db,
    );
    await sql`update app_user set posts_count =
      (select count(*) from post where ${counted} and parent_id is null and author_id = user_id)`.execute(db);
    await sql`update post set comments_count = (select count(*) from post below
      where below.deleted_at is null and below.hidden_because is null and below.parent_id = post.post_id)`.execute(db);
  };

  const expectRight = async () => {
    for (const rows of Object.values(await counts()))
      for (const row of rows)
        for (const what of ['posts', 'media', 'comments'] as const)
          if (what in row) expect([row, Number(row[what])]).toEqual([row, Number(row[`real_${what}`])]);
  };

  it('behavior: with posts, what the user said in this hub is gone, and every count is right', async () => {
    const { db } = world.api.context;
    const [target, other] = users as [SignedIn, SignedIn];
    const hubs = [await world.newHub(owner), await world.newHub(owner)] as [HubOf, HubOf];
    for (const { id: token_id } of hubs)
      for (const user of users) await world.api.call('joinHub', { token_id }, { bearer: user.accessToken });
    const { random, cases } = campaign('posts of somebody banned', 60);
    for (const hub of hubs) {
      const made: string[] = [];
      for (let at = 0; at < cases; at += 1) {
        const parent_id = at > 6 && !random.chance(5) ? random.pick(made) : null;
        const hidden = random.chance(10) ? { hidden_because: 'Spam.' } : {};
        const id = await world.addPost(hub, {
          author_id: at % 2 === 0 ? target.userId : other.userId,
          type: parent_id === null ? 'post' : 'comment',
          parent_id,
          text: `number ${at}`,
          hashtags: ['boats'],
          media: JSON.stringify(Array.from({ length: at % 3 }, () => media)),
          created_at: new Date(world.api.clock.ms + at),
          ...hidden,
        });
        made.push(id);
        if (hidden.hidden_because === undefined)
          await db
            .insertInto('tally')
            .values({ target_type: 'post', target_id: id, made_at: new Date(world.api.clock.ms + at) })
            .execute();
      }
    }
    await recount();
    await expectRight();
    const [{ id: token_id }, elsewhere] = hubs;
    const of = (userId: string, hub: string) =>
      db
        .selectFrom('post')
        .selectAll()
        .where('author_id', '=', userId)
        .where('token_id', '=', hub)
        .orderBy('post_id')
        .execute();
    const [theirs, there] = [await of(other.userId, token_id), await of(target.userId, elsewhere.id)];
    const { status } = await world.api.call(
      'banFromHub',
      { token_id, user_id: target.userId, delete_posts: true },
      { bearer: owner.accessToken },
    );
    expect(status).toBe(200);
    await expectRight();
    const left = await of(target.userId, token_id);
    const commented = await db.selectFrom('post').select('parent_id').where('token_id', '=', token_id).execute();
    for (const post of left) {
      expect(post).toMatchObject({ text: '', media: [], entities: [], hashtags: [], pinned: false });
      expect(post.deleted_at).not.toBeNull();
      expect(commented.map(({ parent_id }) => parent_id)).toContain(post.post_id);
    }
    const byId = (posts: typeof theirs) =>
      posts.map((post) => ({ ...post, comments_count: null })).toSorted((a, b) => a.post_id.localeCompare(b.post_id));
    expect(byId(await of(other.userId, token_id))).toEqual(byId(theirs));
    expect(await of(target.userId, elsewhere.id)).toEqual(there);
    const tallies = await db.selectFrom('tally').select('target_id').execute();
    const others = [...theirs, ...there, ...(await of(other.userId, elsewhere.id))];
    const shown = others.filter(({ hidden_because }) => hidden_because === null).map(({ post_id }) => post_id);
    expect(tallies.map(({ target_id }) => target_id).toSorted()).toEqual(shown.toSorted());
  });

  it('behavior: posts go some at a time: where that ends before all are gone, the ban stands, and the next call goes on', async () => {
    const { db } = world.api.context;
    const [, , third] = users as [SignedIn, SignedIn, SignedIn];
    const hub = await world.newHub(owner);
    const at = (age: number) => new Date(world.api.clock.ms - age);
    const posts: string[] = [];
    for (let age = 0; age < 250; age += 1)
      posts.push(await world.addPost(hub, { author_id: third.userId, created_at: at(age) }));
    const left = async () =>
      (await db.selectFrom('post').select('post_id').where('token_id', '=', hub.id).execute()).length;
    const ban = () =>
      world.api.call(
        'banFromHub',
        { token_id: hub.id, user_id: third.userId, delete_posts: true },
        { bearer: owner.accessToken },
      );
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise 'no more'; end $$`.execute(db);
    await sql`create trigger fail before delete on post for each row when (old.post_id = ${sql.lit(posts[230])})
      execute function fail()`.execute(db);
    expect((await ban()).status).toBe(500);
    expect(await left()).toBe(50);
    expect(await db.selectFrom('hub_ban').select('until').where('token_id', '=', hub.id).execute()).toHaveLength(1);
    await sql`drop trigger fail on post`.execute(db);
    expect((await ban()).status).toBe(200);
    expect(await left()).toBe(0);
  });

  it('behavior: without, what the user said stays', async () => {
    const [, , third] = users as [SignedIn, SignedIn, SignedIn];
    const hub = await world.newHub(owner);
    const post = await world.addPost(hub, { author_id: third.userId });
    const body = { token_id: hub.id, user_id: third.userId };
    await world.api.call('banFromHub', body, { bearer: owner.accessToken });
    const { db } = world.api.context;
    const row = await db.selectFrom('post').selectAll().where('post_id', '=', post).executeTakeFirstOrThrow();
    expect([row.text, row.deleted_at]).toEqual(['gm', null]);
  });

  it('behavior: a later ban replaces the one before, and one that is over counts as none', async () => {
    const [user] = users as [SignedIn];
    const { id: token_id } = await world.newHub(owner);
    const my = async () =>
      (await world.api.call('getHub', { token_id }, { bearer: user.accessToken })).body.hub.my as object;
    const ban = (until?: string) =>
      world.api.call('banFromHub', { token_id, user_id: user.userId, until }, { bearer: owner.accessToken });
    await ban();
    expect(await my()).toMatchObject({ banned_until: null, may_post: false, may_not_because: 'HUB_BANNED' });
    const until = new Date(world.api.clock.ms + 60_000).toISOString();
    await ban(until);
    expect(await my()).toMatchObject({ banned_until: until, may_post: false, may_not_because: 'HUB_BANNED' });
    world.api.clock.ms += 60_000;
    expect(await my()).toMatchObject({ banned_until: null, may_post: true, may_not_because: null });
    for (const wrong of ['2031-02-30T25:00:00Z', '2029-01-01T00:00:00Z', 'tomorrow']) {
      const { status, body } = await ban(wrong);
      expect([wrong, status, body.code]).toEqual([wrong, 400, 'INVALID_PARAMETERS']);
    }
  });
});
