import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Posting, startPosting } from '../../../test/api/people/postsFixture.ts';

const png = async (width = 20): Promise<string> => {
  const bytes = await sharp({ create: { width, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
};
const film = (() => {
  const bytes = Buffer.alloc(100);
  bytes.write('\0\0\0\x18ftypmp42', 0, 'latin1');
  return `data:video/mp4;base64,${bytes.toString('base64')}`;
})();

describe('createPost', () => {
  let on: Posting;
  beforeAll(async () => {
    on = await startPosting();
  });
  afterAll(() => on?.api.stop());

  const refused = async (...asked: Parameters<Posting['create']>) => {
    const { status, body } = await on.create(...asked);
    return [status, body.code];
  };

  it('default: the example of the contract', async () => {
    const [user, creator] = [await on.api.signIn(), await on.api.signIn()];
    const token = await on.token(creator.address);
    await on.hold(token, user.address, 15n * 10n ** 17n);
    const { body } = await on.create(user, { text: 'gm $BOAT', taggedCoinId: token.platform_id });
    expect(body).toEqual({
      success: true,
      url: `http://localhost:8080/post/${body.post.id}`,
      post: {
        id: expect.any(String),
        type: 'post',
        author: expect.objectContaining({ id: user.userId, address: user.address }),
        text: 'gm $BOAT',
        media: [],
        entities: [{ kind: 'token', start: 3, end: 8, value: token.token_id }],
        tagged_coin: expect.objectContaining({ id: token.token_id, symbol: 'BOAT', platform_id: token.platform_id }),
        parent_id: null,
        root_id: null,
        hub_id: token.token_id,
        created_at: new Date(on.api.clock.ms).toISOString(),
        deleted_at: null,
        comments_count: 0,
        votes: { upvotes: 0, downvotes: 0, weighted_upvotes: '0', weighted_downvotes: '0', user_vote: null },
        author_holds: '1.5',
        pinned: false,
      },
    });
    expect(await on.hub(token.token_id)).toMatchObject({ posts_count: 1, media_count: 0, post_rule: 'anyone' });
    expect(await on.postsOf(user)).toBe(1);
    expect((await on.get(null, { post_id: body.post.id.toUpperCase() })).body.post).toEqual(body.post);
  });

  it('default: a comment is where its parent is, at any depth, and counted there', async () => {
    const user = await on.api.signIn();
    const token = await on.token(user.address);
    const top = await on.post(user, 'Top', { tagged_coin_id: token.token_id });
    const first = await on.post(user, 'First', { parent_id: top.id });
    const second = await on.post(user, 'Second', { parent_id: first.id, taggedCoinId: token.token_id });
    expect(first).toMatchObject({ type: 'comment', parent_id: top.id, root_id: top.id, hub_id: token.token_id });
    expect(second).toMatchObject({ type: 'comment', parent_id: first.id, root_id: top.id, hub_id: token.token_id });
    const { body } = await on.get(null, { post_id: top.id, comments: 10 });
    expect(body.post.comments_count).toBe(1);
    expect(body.comments.map(({ id }: { id: string }) => id)).toEqual([first.id]);
    expect([await on.postsOf(user), (await on.hub(token.token_id))?.posts_count]).toEqual([1, 3]);
  });

  it('behavior: text is kept in one form, and what hides or looks alike stays', async () => {
    const user = await on.api.signIn();
    const { text } = await on.post(user, '  Cafe\u0301\r\n<script>alert(1)</script>\u202e\u200b аlice  ');
    expect(text).toBe('Café\n<script>alert(1)</script>\u202e\u200b аlice');
    expect((await on.post(user, 'e\u0301'.repeat(2_000))).text).toHaveLength(2_000);
    expect([...(await on.post(user, '😀'.repeat(2_000))).text]).toHaveLength(2_000);
  });

  it('behavior: mentions lead to users, whatever they are called later; unknown names are text', async () => {
    const [user, named] = [await on.api.signIn(), await on.api.signIn()];
    await on.name(named, 'captain_ana');
    const { entities } = await on.post(user, 'hi @Captain_Ana, @nobody_at_all #Sea');
    expect(entities).toEqual([
      { kind: 'mention', start: 3, end: 15, value: named.userId },
      { kind: 'tag', start: 32, end: 36, value: 'sea' },
    ]);
  });

  it('default: media by data URI and by what was uploaded, without text', async () => {
    const user = await on.api.signIn();
    const token = await on.token(user.address);
    const upload = async (kind: string, data: string) =>
      (await on.api.call('uploadMedia', { kind, data }, { bearer: user.accessToken })).body.media;
    const kept = await upload('image', await png(30));
    const media = [`ipfs://${kept.cid}`, await png(40)];
    const pictures = await on.post(user, '', { media, taggedCoinId: token.token_id });
    expect(pictures.media).toEqual([kept, expect.objectContaining({ type: 'image', width: 40, height: 10 })]);
    const { cid } = await upload('video', film);
    expect((await on.post(user, '', { media: [`ipfs://${cid}`] })).media).toMatchObject([{ cid, mime: 'video/mp4' }]);
    expect((await on.post(user, 'Film', { media: [film] })).media).toMatchObject([{ cid, type: 'video' }]);
    expect(await on.hub(token.token_id)).toMatchObject({ posts_count: 1, media_count: 2 });
  });

  it('error: other media', async () => {
    const user = await on.api.signIn();
    const json = on.api.context.media.json({ name: 'x' });
    await on.api.context.media.store([json]);
    const picture = await png();
    for (const [media, code] of [
      [['https://a.example/film.mp4'], 'MEDIA_UNREACHABLE'],
      [['ipfs://bafkreinobody'], 'MEDIA_INVALID'],
      [[`ipfs://${json.cid}`], 'MEDIA_INVALID'],
      [['data:image/png;base64,AAAA'], 'MEDIA_INVALID'],
      [['data:video/mp4;base64,AAAA'], 'MEDIA_INVALID'],
      [[film, picture], 'INVALID_PARAMETERS'],
      [[film, film], 'INVALID_PARAMETERS'],
      [Array(5).fill(picture), 'INVALID_PARAMETERS'],
    ] as const) {
      expect(await refused(user, { text: 'x', media }), JSON.stringify(media).slice(0, 80)).toEqual([400, code]);
    }
  });

  it.each([
    ['nothing', ''],
    ['spaces', ' \n '],
    ['a tab', 'a\tb'],
    ['NUL', 'a\0b'],
    ['a lone carriage return', 'a\rb'],
    ['a C1 control', 'a\u0085b'],
    ['half a surrogate pair', 'a\ud83d'],
    ['2,001 characters', '😀'.repeat(2_001)],
    ['a line of 200 kB', 'a'.repeat(200_000)],
    ['no text', 5],
    ['eleven tags', Array.from({ length: 11 }, (_, at) => `#t${at}`).join(' ')],
  ])('error: %s is no text of a post', async (_, text) => {
    expect(await refused(await on.api.signIn(), { text })).toEqual([400, 'INVALID_PARAMETERS']);
  });

  it('error: a line of a megabyte', async () => {
    const answer = await refused(await on.api.signIn(), { text: 'a'.repeat(2 ** 20) });
    expect(answer).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('error: what a comment may not be', async () => {
    const user = await on.api.signIn();
    const [token, other] = [await on.token(user.address), await on.token(user.address)];
    const { id: parent_id } = await on.post(user, 'Top', { taggedCoinId: token.token_id });
    const { id: plain } = await on.post(user, 'Plain');
    const bad = [400, 'INVALID_PARAMETERS'];
    expect(await refused(user, { text: 'x', parent_id, taggedCoinId: other.token_id })).toEqual(bad);
    expect(await refused(user, { text: 'x', parent_id: plain, taggedCoinId: other.token_id })).toEqual(bad);
    expect(await refused(user, { text: 'a'.repeat(1_001), parent_id })).toEqual(bad);
    const both = { taggedCoinId: token.token_id, tagged_coin_id: token.token_id };
    expect(await refused(user, { text: 'x', ...both })).toEqual(bad);
    expect(await refused(user, { text: 'x', taggedCoinId: 'nobody-knows' })).toEqual([400, 'TOKEN_NOT_FOUND']);
    const gone = '00000000-0000-4000-8000-0000000000AA';
    expect(await refused(user, { text: 'x', parent_id: gone })).toEqual([404, 'POST_NOT_FOUND']);
    await on.db.updateTable('post').set({ hidden_because: 'spam' }).where('post_id', '=', plain).execute();
    expect(await refused(user, { text: 'x', parent_id: plain })).toEqual([404, 'POST_NOT_FOUND']);
  });

  it('error: no credential, one without the scope, and a suspended user', async () => {
    expect(await refused(null, { text: 'x' })).toEqual([401, 'AUTHENTICATION_FAILED']);
    const user = await on.api.signIn();
    const { body } = await on.api.call(
      'createApiKey',
      { name: 'k', scopes: ['read', 'execute'] },
      { bearer: user.accessToken },
    );
    expect(await refused({ ...user, accessToken: body.key }, { text: 'x' })).toEqual([403, 'SCOPE_MISSING']);
    await on.db.updateTable('app_user').set({ suspended_because: 'spam' }).where('user_id', '=', user.userId).execute();
    expect(await refused(user, { text: 'x' })).toEqual([403, 'USER_SUSPENDED']);
  });

  it('error: a blocked pair neither comments on nor mentions each other', async () => {
    const [one, other] = [await on.api.signIn(), await on.api.signIn()];
    await on.name(one, 'one_of_two');
    await on.name(other, 'two_of_two');
    const ones = await on.post(one, 'Mine');
    const others = await on.post(other, 'Mine too');
    await on.block(one, other);
    const blocked = [403, 'BLOCKED'];
    expect(await refused(other, { text: 'x', parent_id: ones.id })).toEqual(blocked);
    expect(await refused(one, { text: 'x', parent_id: others.id })).toEqual(blocked);
    expect(await refused(other, { text: '@one_of_two' })).toEqual(blocked);
    expect(await refused(one, { text: '@two_of_two' })).toEqual(blocked);
    expect(await refused(one, { text: '@one_of_two' })).toEqual([200, undefined]);
  });

  it('error: the rules of a hub hold for comments too', async () => {
    const [owner, user] = [await on.api.signIn(), await on.api.signIn()];
    const token = await on.token(owner.address);
    const { token_id } = token;
    const top = await on.post(owner, 'Welcome', { taggedCoinId: token_id });
    const rule = (changes: object) => on.db.updateTable('hub').set(changes).where('token_id', '=', token_id).execute();
    const both = async (who = user) => [
      await on.create(who, { text: 'x', taggedCoinId: token_id }),
      await on.create(who, { text: 'x', parent_id: top.id }),
    ];
    const codes = async (who = user) => (await both(who)).map(({ body }) => body.code ?? 'posted');

    await rule({ post_rule: 'members' });
    expect(await codes()).toEqual(['HUB_MEMBERS_ONLY', 'HUB_MEMBERS_ONLY']);
    expect(await codes(owner)).toEqual(['posted', 'posted']);
    const member = { token_id, user_id: user.userId, role: 'member' as const, joined_at: new Date() };
    await on.db.insertInto('hub_member').values(member).execute();
    expect(await codes()).toEqual(['posted', 'posted']);

    await rule({ post_rule: 'holders' });
    const [first] = await both();
    expect(first).toMatchObject({ status: 403, body: { code: 'HUB_HOLDERS_ONLY' } });
    expect(first?.body.details).toEqual({ min_holding: '0', holding: '0' });
    await on.hold(token, user.address, 10n ** 18n);
    expect(await codes()).toEqual(['posted', 'posted']);
    await rule({ min_holding: 2n * 10n ** 18n });
    expect((await both())[1]?.body.details).toEqual({ min_holding: '2', holding: '1' });

    await rule({ post_rule: 'anyone' });
    const ban = (until: Date | null) =>
      on.db
        .insertInto('hub_ban')
        .values({ token_id, user_id: user.userId, until, banned_at: new Date() })
        .onConflict((conflict) => conflict.columns(['token_id', 'user_id']).doUpdateSet({ until }))
        .execute();
    await ban(null);
    expect((await both())[0]).toMatchObject({ status: 403, body: { code: 'HUB_BANNED', details: { until: null } } });
    const until = new Date(on.api.clock.ms + 1);
    await ban(until);
    expect((await both())[1]?.body.details).toEqual({ until: until.toISOString() });
    await ban(new Date(on.api.clock.ms));
    expect(await codes()).toEqual(['posted', 'posted']);
  });

  it('behavior: who hides their wallets does not tell what they hold, and holds over all wallets', async () => {
    const user = await on.api.signIn();
    const token = await on.token(user.address);
    const other = `0x${'ab'.repeat(20)}` as const;
    await on.db.insertInto('user_wallet').values({ address: other, user_id: user.userId }).execute();
    await on.hold(token, user.address, 10n ** 18n);
    await on.hold(token, other, 5n * 10n ** 17n);
    expect((await on.post(user, 'x', { taggedCoinId: token.token_id })).author_holds).toBe('1.5');
    await on.api.call('updateUser', { settings: { show_wallet: false } }, { bearer: user.accessToken });
    const hidden = await on.post(user, 'x', { taggedCoinId: token.token_id });
    expect([hidden.author_holds, hidden.author.address]).toEqual([null, null]);
    expect((await on.post(user, 'x')).author_holds).toBeNull();
  });

  it('behavior: under a key it is posted once', async () => {
    const user = await on.api.signIn();
    const send = () =>
      on.api.call('createPost', { text: 'once' }, { bearer: user.accessToken, idempotencyKey: 'post-1' });
    const [first, second] = [await send(), await send()];
    expect(second.body.post.id).toBe(first.body.post.id);
    expect(await on.postsOf(user)).toBe(1);
  });
});
