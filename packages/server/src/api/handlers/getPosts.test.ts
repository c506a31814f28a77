import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, type Posting, startPosting } from '../../../test/api/people/postsFixture.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';
import { tell } from '../notifications/tell.ts';
import { rankByVotes } from '../people/tally.ts';

const hourMs = 60 * 60 * 1_000;

describe('getPosts, getPost', () => {
  let on: Posting;
  beforeAll(async () => {
    on = await startPosting();
  });
  afterAll(() => on?.api.stop());

  const texts = async (body: object, reader: SignedIn | null = null): Promise<string[]> => {
    const answer = await on.list(reader, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.posts.map(({ text }: Body) => text);
  };
  /** All pages, and how long each was. */
  const walk = async (body: object, limit: number, reader: SignedIn | null = null) => {
    const [seen, lengths]: [string[], number[]] = [[], []];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { body: page } = await on.list(reader, { ...body, limit, ...(cursor && { cursor }) });
      seen.push(...page.posts.map(({ text }: Body) => text));
      lengths.push(page.pagination.total_returned);
      expect(page.pagination.has_more).toBe(page.pagination.next_cursor !== null);
      cursor = page.pagination.next_cursor;
    }
    return { seen, lengths };
  };
  /** As votes do, and who tells them. */
  const vote = (postId: string, figures: { upvotes?: number; downvotes?: number; score_usd18?: bigint }) =>
    on.db.transaction().execute(async (tx) => {
      await tx.updateTable('tally').set(figures).where('target_id', '=', postId).execute();
      await rankByVotes(tx, [{ type: 'post', ids: [postId] }]);
    });

  it('default: the newest first, without comments, by pages, and by every filter', async () => {
    const [ana, ben] = [await on.user(), await on.user()];
    const token = await on.token(ana.address);
    const image = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const media = [`data:image/png;base64,${image.toString('base64')}`];
    const since = new Date((on.api.clock.ms += 1_000)).toISOString();
    for (let at = 0; at < 5; at++) {
      on.api.clock.ms += 1_000;
      const tagged = at % 2 === 0 ? { taggedCoinId: token.token_id } : {};
      const { id } = await on.post(at < 3 ? ana : ben, `feed ${at} #T${at % 2}`, {
        ...tagged,
        ...(at === 4 && { media }),
      });
      await on.post(ben, `comment on ${at} #T0`, { parent_id: id });
    }
    expect(await texts({ since })).toEqual([4, 3, 2, 1, 0].map((at) => `feed ${at} #T${at % 2}`));
    expect((await walk({ since }, 2)).lengths).toEqual([2, 2, 1]);
    expect((await walk({ since }, 2)).seen).toEqual(await texts({ since }));
    const tag = { hashtag: '#T0', since };
    expect(await texts(tag)).toEqual(['feed 4 #T0', 'feed 2 #T0', 'feed 0 #T0']);
    expect((await walk(tag, 1)).seen).toEqual(await texts(tag));
    expect(await texts({ ...tag, author_id: ana.userId.toUpperCase() })).toEqual(['feed 2 #T0', 'feed 0 #T0']);
    expect(await texts({ taggedCoinId: token.token_id })).toEqual(await texts(tag));
    expect(await texts({ tagged_coin_id: token.token_id, with_media: true })).toEqual(['feed 4 #T0']);
    expect(await texts({ author_id: ben.userId })).toEqual(['feed 4 #T0', 'feed 3 #T1']);
    expect(await texts({ since: new Date(on.api.clock.ms + 1).toISOString() })).toEqual([]);
    for (const feed of ['latest', 'top'])
      expect(await texts({ feed, hashtag: 't1', author_id: ben.userId, since }), feed).toEqual(['feed 3 #T1']);
  });

  it('default: comments on a post are listed oldest first, and stay while there are comments on them', async () => {
    const [ana, ben] = [await on.user(), await on.user()];
    const top = await on.post(ana, 'Top');
    const made: Body[] = [];
    for (let at = 0; at < 5; at++) made.push(await on.post(ben, `comment ${at}`, { parent_id: top.id }));
    await on.post(ana, 'answer', { parent_id: made[1].id });
    const times = made.map(({ created_at }) => Date.parse(created_at));
    expect(times).toEqual([0, 1, 2, 3, 4].map((later) => on.api.clock.ms + later));
    for (const at of [1, 2]) await on.remove(ben, { post_id: made[at].id });
    const { seen } = await walk({ parent_id: top.id }, 2);
    expect(seen).toEqual(['comment 0', '', 'comment 3', 'comment 4']);
    const { body } = await on.get(null, { post_id: top.id, comments: 3 });
    expect(body.comments.map(({ text }: Body) => text)).toEqual(['comment 0', '', 'comment 3']);
    expect(body.comments[1]).toMatchObject({ id: made[1].id, deleted_at: expect.any(String), comments_count: 1 });
    expect(body.post.comments_count).toBe(3);
  });

  it('default: the best of a window by weight, then votes, then time, by pages', async () => {
    const ana = await on.user();
    const token = await on.token(ana.address);
    on.api.clock.ms += 8 * 24 * hourMs;
    const figures = [
      { score_usd18: 5n, upvotes: 1 },
      { score_usd18: 5n, upvotes: 3 },
      { upvotes: 9 },
      { downvotes: 2 },
      { score_usd18: -7n, upvotes: 50 },
      { upvotes: 0 },
      { score_usd18: 10n ** 30n },
    ];
    const tagged = { taggedCoinId: token.token_id };
    for (const [at, figure] of figures.entries()) {
      // The last of them is more than a day younger.
      on.api.clock.ms += at === 5 ? 25 * hourMs : 20 * 60_000;
      const post = await on.post(ana, `top ${at} #best`, tagged);
      await vote(post.id, figure);
      const comment = await on.post(ana, 'comment', { parent_id: post.id });
      await vote(comment.id, { score_usd18: 10n ** 40n });
    }
    const name = (order: number[]) => order.map((at) => `top ${at} #best`);
    const all = name([6, 1, 0, 2, 5, 3, 4]);
    for (const filter of [{}, tagged, { author_id: ana.userId }, { hashtag: 'best' }]) {
      const asked = { feed: 'top', ...filter };
      expect(await texts({ ...asked, window: '7d' }), JSON.stringify(filter)).toEqual(all);
      expect((await walk({ ...asked, window: '7d' }, 2)).seen).toEqual(all);
      expect(await texts(asked)).toEqual(name([6, 5]));
      expect(await texts({ ...asked, window: '1h' })).toEqual(name([6, 5]));
      expect((await walk({ ...asked, window: 'all', ...tagged }, 3)).seen).toEqual(all);
    }
    // A little more than the longest window.
    const since = new Date(on.api.clock.ms - (7 * 24 + 2) * hourMs).toISOString();
    expect(await texts({ feed: 'top', window: 'all', since, limit: 7 })).toEqual(all);
    expect((await texts({ feed: 'top', window: 'all' })).slice(0, 3)).toEqual(all.slice(0, 3));
    expect((await walk({ feed: 'top', window: 'all' }, 4)).seen).toEqual(
      await texts({ feed: 'top', window: 'all', limit: 100 }),
    );
    on.api.clock.ms += 2 * hourMs;
    expect(await texts({ feed: 'top', window: '1h' })).toEqual([]);
  });

  it('behavior: the best of more posts than are sorted, by every filter, with and without a window', async () => {
    const ana = await on.user();
    const token = await on.token(ana.address);
    on.api.clock.ms += 20 * 24 * hourMs;
    const now = new Date(on.api.clock.ms);
    // In nine days, the newest hour left out; every tenth is a comment, and better than all others.
    await sql`insert into post (post_id, type, author_id, token_id, parent_id, root_id, text, media, entities, hashtags, created_at)
      select md5('deep' || i)::uuid, case when i % 10 > 0 then 'post' else 'comment' end, ${ana.userId}::uuid, ${token.token_id}::uuid, above, above,
        'deep ' || i, '[]', '[]', '{deep}', ${now}::timestamptz - interval '1 hour' - i * interval '3 minutes'
      from generate_series(1, 4500) i, lateral (select case when i % 10 = 0 then md5('deep1')::uuid end as above) said`.execute(
      on.db,
    );
    await sql`insert into post_hashtag (hashtag, created_at, post_id)
      select 'deep', created_at, post_id from post where hashtags = '{deep}' and parent_id is null`.execute(on.db);
    await sql`insert into tally (target_type, target_id, token_id, made_at, ranked_votes, ranked_usd18)
      select 'post', md5('deep' || i)::uuid, case when i % 10 > 0 then token_id end, created_at, i % 3,
        case when i % 10 > 0 then i * 7919 % 500 else 1000 end
      from generate_series(1, 4500) i join post on post_id = md5('deep' || i)::uuid`.execute(on.db);
    await sql`analyze post, post_hashtag, tally`.execute(on.db);
    const best = (most: number) =>
      Array.from({ length: most }, (_, at) => at + 1)
        .filter((i) => i % 10 > 0)
        .map((i) => ({ i, score: (i * 7919) % 500, votes: i % 3 }))
        .toSorted((a, b) => b.score - a.score || b.votes - a.votes || a.i - b.i)
        .map(({ i }) => `deep ${i}`);
    for (const filter of [{ taggedCoinId: token.token_id }, { author_id: ana.userId }, { hashtag: 'deep' }]) {
      for (const [window, most] of [
        ['7d', 3_340],
        ['all', 4_500],
      ] as const) {
        const asked = { feed: 'top', window, ...filter };
        const first = await on.list(null, { ...asked, limit: 100 });
        const second = await on.list(null, { ...asked, limit: 100, cursor: first.body.pagination.next_cursor });
        const seen = [first, second].flatMap(({ body }) => body.posts.map(({ text }: Body) => text));
        expect(seen, JSON.stringify(asked)).toEqual(best(most).slice(0, 200));
      }
    }
  });

  it('behavior: votes put a post before others once they are told, at once and in every page that follows', async () => {
    const [ana, ben] = [await on.user(), await on.user()];
    const names = ['first', 'second', 'third'];
    const ids = new Map<string, string>();
    for (const name of names) {
      on.api.clock.ms += 1_000;
      ids.set(name, (await on.post(ana, name)).id);
    }
    const best = { feed: 'top', author_id: ana.userId };
    const told = async () => {
      on.api.clock.ms += 1_000;
      expect((await tell(on.api.context)).errors).toEqual([]);
    };
    const cast = async (user: SignedIn, name: string, vote: string) =>
      expect(
        (
          await on.api.call(
            'vote',
            { target_type: 'post', target_id: ids.get(name), vote },
            { bearer: user.accessToken },
          )
        ).status,
      ).toBe(200);
    await told();
    expect(await texts(best)).toEqual(['third', 'second', 'first']);
    for (const user of [ana, ben]) await cast(user, 'first', 'upvote');
    await cast(ben, 'third', 'downvote');
    const { body: page } = await on.list(null, { ...best, limit: 1 });
    await told();
    expect(await texts(best)).toEqual(['first', 'second', 'third']);
    expect(await texts({ ...best, limit: 2, cursor: page.pagination.next_cursor })).toEqual(['second', 'third']);
    for (const user of [ana, ben]) await cast(user, 'first', 'none');
    await told();
    expect(await texts(best)).toEqual(['second', 'first', 'third']);
  });

  it('default: of those whom one follows', async () => {
    const [ana, ben, cat, reader] = await Promise.all(Array.from({ length: 4 }, () => on.user()));
    if (!ana || !ben || !cat || !reader) throw new Error('nobody');
    await on.follow(reader, ana);
    await on.follow(reader, ben);
    for (const [at, who] of [ana, ana, ana, cat, ben, ana, ben, cat, ben, ben].entries()) {
      on.api.clock.ms += 1_000;
      await on.post(who, `of ${at}`);
    }
    const theirs = [9, 8, 6, 5, 4, 2, 1, 0].map((at) => `of ${at}`);
    expect(await texts({ feed: 'following' }, reader)).toEqual(theirs);
    expect((await walk({ feed: 'following' }, 3, reader)).seen).toEqual(theirs);
    expect(await texts({ feed: 'following', author_id: ben.userId }, reader)).toEqual(['of 9', 'of 8', 'of 6', 'of 4']);
    expect((await on.list(null, { feed: 'following' })).status).toBe(401);
  });

  it('behavior: a blocked pair does not see each other’s posts, signed in', async () => {
    const [ana, ben] = [await on.user(), await on.user()];
    on.api.clock.ms += hourMs;
    const since = new Date(on.api.clock.ms).toISOString();
    const [anas, bens] = [await on.post(ana, 'of ana #pair'), await on.post(ben, 'of ben #pair')];
    await on.post(ben, 'by ben', { parent_id: anas.id });
    await on.block(ana, ben);
    await on.follow(ana, ben);
    for (const body of [
      { since },
      { feed: 'top', since },
      { feed: 'top', window: 'all', since },
      { hashtag: 'pair' },
    ]) {
      expect(await texts(body, ana), JSON.stringify(body)).toEqual(['of ana #pair']);
      expect(await texts(body, ben)).toEqual(['of ben #pair']);
      expect(await texts(body)).toHaveLength(2);
    }
    expect(await texts({ feed: 'following', since }, ana)).toEqual([]);
    expect((await on.get(ana, { post_id: bens.id })).body.code).toBe('POST_NOT_FOUND');
    expect((await on.list(ben, { parent_id: anas.id })).body.code).toBe('POST_NOT_FOUND');
    expect(await texts({ parent_id: anas.id }, ana)).toEqual([]);
    expect(await texts({ parent_id: anas.id })).toEqual(['by ben']);
  });

  it('behavior: a hidden post is there for its author alone, who sees why', async () => {
    const [ana, ben] = [await on.user(), await on.user()];
    const { id: post_id } = await on.post(ana, 'Buy now');
    await on.db.updateTable('post').set({ hidden_because: 'A scam.' }).where('post_id', '=', post_id).execute();
    expect((await on.get(ana, { post_id })).body.post).toMatchObject({
      text: 'Buy now',
      hidden: { reason: 'A scam.' },
    });
    for (const reader of [ben, null])
      expect(await on.get(reader, { post_id })).toMatchObject({ status: 404, body: { code: 'POST_NOT_FOUND' } });
    expect(await texts({ author_id: ana.userId }, ana)).toEqual([]);
    expect((await on.report(ben, { post_id, reason: 'scam' })).body.code).toBe('POST_NOT_FOUND');
  });

  it('behavior: a token that no chain has now is left out of its posts', async () => {
    const ana = await on.user();
    const token = await on.token(ana.address);
    const { id: post_id } = await on.post(ana, 'gone', { taggedCoinId: token.token_id });
    await on.db.deleteFrom('token').where('token_id', '=', token.token_id).execute();
    const { post } = (await on.get(null, { post_id })).body;
    expect([post.tagged_coin, post.hub_id]).toEqual([null, token.token_id]);
  });

  const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const someId = '00000000-0000-4000-8000-0000000000aa';

  it.each([
    [{ cursor: 'xx' }],
    [{ cursor: cursorOf([1, 'x']) }],
    [{ cursor: cursorOf([1, 'a\0b']) }],
    [{ cursor: cursorOf([1e300, someId]) }],
    [{ cursor: cursorOf(['1', 1, 1, someId]) }],
    [{ feed: 'top', cursor: cursorOf([1, someId]) }],
    [{ feed: 'top', cursor: cursorOf(['x', 1, 1, someId]) }],
    [{ feed: 'top', cursor: cursorOf(['1', 2 ** 40, 1, someId]) }],
    [{ feed: 'top', cursor: cursorOf(['1', 1, 1, 'x']) }],
    [{ feed: 'top', parent_id: someId }],
    [{ feed: 'best' }],
    [{ since: '2030-13-01T00:00:00Z' }],
    [{ feed: 'top', window: 'all', since: '2020-01-01T00:00:00Z' }],
    [{ limit: 101 }],
    [{ author_id: 'me' }],
    [{ taggedCoinId: 'a', tagged_coin_id: 'a' }],
  ])('error: %j', async (body) => {
    const answer = await on.list(null, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_PARAMETERS']);
  });

  it.each([
    [{ cursor: cursorOf([8.64e15, someId]) }, 200],
    [{ cursor: cursorOf([0, someId.toUpperCase()]) }, 400],
    [{ feed: 'top', cursor: cursorOf(['-1', -1, 0, someId]) }, 200],
    [{ feed: 'top', cursor: cursorOf(['9'.repeat(78), 2 ** 31 - 1, 8.64e15, someId]) }, 200],
    [{ since: '0001-01-01T00:00:00Z' }, 200],
    [{ since: '9999-12-31T23:59:59.999Z' }, 200],
    [{ hashtag: '#' }, 200],
    [{ parent_id: someId }, 404],
  ])('behavior: %j answers %i', async (body, status) => {
    const answer = await on.list(null, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  });
});
