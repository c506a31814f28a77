import { randomUUID } from 'node:crypto';
import { notificationTypes } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pruneNotifications } from '../../../src/api/notifications/prune.ts';
import { tell } from '../../../src/api/notifications/tell.ts';
import { hidePost, suspendUser, unhidePost } from '../../../src/api/people/moderation.ts';
import { makeMonths } from '../../../src/db/months.ts';
import { type News, publish } from '../../../src/db/outbox.ts';
import { type Body, startPosting } from '../people/postsFixture.ts';
import { hex, tradeRow } from '../reads/readsFixture.ts';
import type { SignedIn } from '../testing/testApi.ts';

let on: Awaited<ReturnType<typeof startPosting>>;
beforeAll(async () => {
  on = await startPosting();
});
afterAll(() => on?.api.stop());

const call = (name: Parameters<typeof on.api.call>[0], { accessToken }: SignedIn, body: object) =>
  on.api.call(name, body, { bearer: accessToken });
const good = async (...[name, user, body]: Parameters<typeof call>): Promise<Body> => {
  const answer = await call(name, user, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const told = async (): Promise<string[]> => {
  const news: string[] = [];
  for (let isMore = true; isMore; ) {
    const one = await tell(on.api.context);
    expect(one.errors).toEqual([]);
    news.push(...one.news);
    isMore = one.isMore;
  }
  return news;
};
const list = async (user: SignedIn, body: object = {}): Promise<Body[]> => {
  await told();
  return (await good('getNotifications', user, body)).notifications;
};
const typesOf = (notifications: readonly Body[]): string[] => notifications.map(({ type }) => type);
const events = async (user: SignedIn) =>
  on.db
    .selectFrom('stream_event')
    .select(['seq', 'retracts', 'data'])
    .where('topic', '=', 'notifications')
    .where('user_id', '=', user.userId)
    .orderBy('seq')
    .execute();

/** Of a purchase, or what else, of a token; `data` replaces keys. */
const activity = (token: { eid: News['eid']; platform_id: string }, data: object, time = new Date()): News => ({
  topic: 'tokenActivity',
  eid: token.eid,
  block_number: 5,
  time,
  platform_id: token.platform_id,
  wallet: null,
  retracts: null,
  data: {
    activity_type: 'trade',
    activity_subtype: 'buy',
    tx_hash: hex(Math.floor(Math.random() * 1e12), 32),
    evt_index: 0,
    usd_amount: '25',
    trader: hex(0xbad),
    receiver: hex(0xbad),
    from_address: null,
    to_address: null,
    ...data,
  },
});
const tellChain = (...news: News[]): Promise<number[]> => on.db.transaction().execute((tx) => publish(tx, news));
const takeBack = (news: News, seq: number): Promise<number[]> => tellChain({ ...news, retracts: seq });

describe('getNotifications', () => {
  test('default: a comment, a mention, a follower and a member of a hub, the newest first', async () => {
    const [author, other] = [await on.user(), await on.user()];
    const name = `author_${author.userId.slice(0, 8)}`;
    await on.name(author, name);
    const token = await on.token(author.address);
    await good('notificationSettings', author, { types: { hub_joined: true } });
    const post = await on.post(author, 'gm', { taggedCoinId: token.token_id });
    const comment = await on.post(other, 'gm too', { parent_id: post.id });
    await told();
    const named = await on.post(other, `Look, @${name}.`);
    await told();
    await good('followUser', other, { user_id: author.userId });
    await good('joinHub', other, { token_id: token.token_id });
    const notifications = await list(author);
    expect(typesOf(notifications)).toEqual(['hub_joined', 'follow', 'mention', 'comment']);
    expect(notifications.map(({ actor }) => actor.id)).toEqual(Array(4).fill(other.userId));
    expect(notifications.map(({ post_id: id }) => id)).toEqual([null, null, named.id, comment.id]);
    expect(notifications.map((one) => one.token?.id ?? null)).toEqual([token.token_id, null, null, token.token_id]);
    expect(new Set(notifications.map(({ seq }) => seq)).size).toBe(4);
    expect(await list(other)).toEqual([]);
    const { data } = await good('me', author, {});
    expect(data.unreadNotifications).toBe(4);
  });

  test('behavior: who is the author and mentioned is told once, and of what they say themselves nobody is', async () => {
    const [author, other] = [await on.user(), await on.user()];
    const name = `twice_${author.userId.slice(0, 8)}`;
    await on.name(author, name);
    const post = await on.post(author, `I, @${name}, say gm.`);
    await on.post(author, 'And again.', { parent_id: post.id });
    expect(await list(author)).toEqual([]);
    await on.post(other, `@${name} gm`, { parent_id: post.id });
    expect(typesOf(await list(author))).toEqual(['comment']);
  });

  test('behavior: what a switched off type would tell does not come, and votes are told once an hour when switched on', async () => {
    const [author, one, two] = [await on.user(), await on.user(), await on.user()];
    const post = await on.post(author, 'Vote.');
    const vote = (user: SignedIn, word: string) =>
      good('vote', user, { target_type: 'post', target_id: post.id, vote: word });
    await vote(one, 'upvote');
    expect(await list(author)).toEqual([]);
    await good('notificationSettings', author, { types: { vote: true, comment: false } });
    await vote(one, 'none');
    await vote(one, 'upvote');
    await vote(two, 'downvote');
    await vote(author, 'upvote');
    await on.post(one, 'Done.', { parent_id: post.id });
    const notifications = await list(author);
    expect(typesOf(notifications)).toEqual(['vote']);
    expect(notifications[0].actor).toBeNull();
  });

  test('behavior: after a block neither is told of the other, also of what was told before', async () => {
    const [author, other] = [await on.user(), await on.user()];
    const post = await on.post(author, 'gm');
    await on.post(other, 'first', { parent_id: post.id });
    await good('followUser', other, { user_id: author.userId });
    expect(await list(author)).toHaveLength(2);
    await on.post(other, 'second', { parent_id: post.id });
    const name = `named_${other.userId.slice(0, 8)}`;
    await on.name(other, name);
    await on.post(author, `@${name} goes away.`);
    await good('blockUser', author, { user_id: other.userId });
    expect(await list(author)).toEqual([]);
    // The events that were published are empty places from here on.
    const { body } = await on.api.call('getNotifications', {}, { bearer: author.accessToken });
    expect(body.unread_count).toBe(0);
    expect(await list(other)).toEqual([]);
  });

  test('behavior: what was told of a post goes when it is deleted or hidden, and comes again when it is shown', async () => {
    const [author, other] = [await on.user(), await on.user()];
    const post = await on.post(author, 'gm');
    const [kept, gone] = [
      await on.post(other, 'kept', { parent_id: post.id }),
      await on.post(other, 'gone', { parent_id: post.id }),
    ];
    expect(await list(author)).toHaveLength(2);
    await good('deletePost', other, { post_id: gone.id });
    await hidePost(on.db, kept.id, { by: null, reason: 'Rude.' });
    expect(await list(author)).toEqual([]);
    expect((await events(author)).map(({ retracts }) => retracts !== null)).toEqual([false, false, true, true]);
    expect(typesOf(await list(other))).toEqual(['moderation']);
    await unhidePost(on.db, kept.id, { by: null, reason: null });
    expect((await list(author)).map(({ post_id: id }) => id)).toEqual([kept.id]);
    expect(await list(other)).toEqual([]);
    await hidePost(on.db, kept.id, { by: null, reason: 'Rude all the same.' });
    expect(typesOf(await list(other))).toEqual(['moderation']);
    // What was decided is told of what is gone too.
    await good('deletePost', other, { post_id: kept.id });
    expect(typesOf(await list(other))).toEqual(['moderation']);
  });

  test('behavior: who is moderated is told, by each way in which it can be', async () => {
    const [owner, user] = [await on.user(), await on.user()];
    const token = await on.token(owner.address);
    const hub = { token_id: token.token_id };
    await good('joinHub', user, hub);
    for (const role of ['moderator', 'member']) {
      await good('setHubRole', owner, { ...hub, user_id: user.userId, role });
      on.api.clock.ms += 1;
    }
    const post = await on.post(user, 'Spam.', { taggedCoinId: token.token_id });
    await good('deletePost', owner, { post_id: post.id });
    for (let again = 0; again < 2; again += 1) {
      await good('banFromHub', owner, { ...hub, user_id: user.userId });
      on.api.clock.ms += 1;
    }
    for (const reason of ['Spam.', 'Spam and more.']) await suspendUser(on.db, user.userId, { by: null, reason });
    const texts = (await list(user)).map(({ text }) => text);
    expect(texts.toSorted()).toEqual([
      'A post of yours was deleted by a moderator of its hub.',
      'You are a moderator of a hub now.',
      'You are no moderator of a hub any more.',
      'You were banned from a hub.',
      'Your account was suspended.',
    ]);
  });

  test('behavior: purchases of one minute are one notification of their sum, and a reorg takes its part of it', async () => {
    const creator = await on.user();
    const token = await on.token(creator.address);
    const minute = new Date('2030-05-01T10:00:10Z');
    const [small, first, second, own] = [
      activity(token, { usd_amount: '9.99' }, minute),
      activity(token, { usd_amount: '10' }, minute),
      activity(token, { usd_amount: '30.505' }, new Date(minute.getTime() + 20_000)),
      activity(token, { usd_amount: '500', trader: creator.address }, minute),
    ];
    const [, firstSeq] = await tellChain(small, first, own);
    let [bought] = await list(creator);
    expect([bought.amount_usd, bought.text]).toEqual(['10', 'Your token was bought for $10.00.']);
    await good('markNotificationsRead', creator, { all: true });
    const [secondSeq] = await tellChain(second);
    expect(await told(), 'what grows is no news to browsers').toEqual([]);
    [bought] = await list(creator);
    expect([bought.amount_usd, bought.text, bought.read_at]).toEqual([
      '40.505',
      'Your token was bought for $40.50.',
      null,
    ]);
    await takeBack(first, firstSeq as number);
    [bought] = await list(creator);
    expect(bought.amount_usd).toBe('30.505');
    await takeBack(second, secondSeq as number);
    expect(await list(creator)).toEqual([]);
    // It is mined again: the same notification comes back.
    await tellChain(first);
    const again = await list(creator);
    expect(again.map(({ id, amount_usd: dollars }) => [id, dollars])).toEqual([[bought.id, '10']]);
    const news = await events(creator);
    expect(news.map(({ retracts }) => retracts !== null)).toEqual([false, false, false, true, false]);
    expect(news.at(3)?.retracts).toBe(news.at(2)?.seq);
  });

  test('behavior: a transfer from somebody else, and a graduation for creator and holders, both taken back by a reorg', async () => {
    const [creator, holder, stranger] = [await on.user(), await on.user(), await on.user()];
    const token = await on.token(creator.address);
    await on.hold(token, holder.address, 5n);
    await on.hold(token, creator.address, 5n);
    await on.hold(token, stranger.address, 0n);
    const sent = { activity_type: 'transfer', activity_subtype: 'local', usd_amount: null };
    const gift = activity(token, { ...sent, from_address: creator.address, to_address: holder.address });
    const toSelf = activity(token, { ...sent, from_address: holder.address, to_address: holder.address });
    const graduation = activity(token, {
      activity_type: 'lifecycle',
      activity_subtype: 'graduation',
      usd_amount: null,
    });
    const [giftSeq, , graduationSeq] = await tellChain(gift, toSelf, graduation);
    expect((await list(holder)).map(({ text }) => text)).toEqual([
      'A token that you hold graduated.',
      'You received a token.',
    ]);
    expect((await list(creator)).map(({ text }) => text)).toEqual(['The token that you created graduated.']);
    expect((await list(creator))[0]).toMatchObject({
      chain: 'base-sepolia',
      actor: null,
      token: { id: token.token_id },
    });
    expect(await list(stranger)).toEqual([]);
    await takeBack(graduation, graduationSeq as number);
    await takeBack(gift, giftSeq as number);
    expect([await list(holder), await list(creator)]).toEqual([[], []]);
  });

  test('behavior: transfers of one hour and token are one notification, which goes with the last of them', async () => {
    const [holder, other] = [await on.user(), await on.user()];
    const token = await on.token(hex(0xc0de));
    const time = new Date('2030-05-01T10:10:00Z');
    const dust = (minutes: number) => {
      const wallets = { from_address: other.address, to_address: holder.address };
      const data = { activity_type: 'transfer', activity_subtype: 'local', usd_amount: null, ...wallets };
      return activity(token, data, new Date(time.getTime() + minutes * 60_000));
    };
    const [first, second, later] = [dust(0), dust(20), dust(70)];
    const [firstSeq] = await tellChain(first);
    expect(await list(holder)).toHaveLength(1);
    const [secondSeq] = await tellChain(second, later);
    expect(await list(holder)).toHaveLength(2);
    await takeBack(first, firstSeq as number);
    expect(await list(holder)).toHaveLength(2);
    await takeBack(second, secondSeq as number);
    expect(await list(holder)).toHaveLength(1);
  });

  test('behavior: who wants mentions and no comments is told of a comment that mentions them', async () => {
    const [author, other] = [await on.user(), await on.user()];
    const name = `named_${author.userId.slice(0, 8)}`;
    await on.name(author, name);
    await good('notificationSettings', author, { types: { comment: false } });
    const post = await on.post(author, 'gm');
    await on.post(other, `gm @${name}`, { parent_id: post.id });
    expect(typesOf(await list(author))).toEqual(['mention']);
  });

  test('behavior: transactions of whoever does not want to be told of them keep nobody else from being told', async () => {
    const [quiet, user] = [await on.user(), await on.user()];
    await good('notificationSettings', quiet, { types: { transaction_final: false } });
    const token = await on.token(hex(0xc0de));
    const row = { eid: token.eid, wallet: hex(0xe0), expires_at: new Date('2031-01-01'), status: 'done' as const };
    const many = Array.from({ length: 501 }, () => ({ ...row, intent_id: randomUUID(), user_id: quiet.userId }));
    await on.db
      .insertInto('intent')
      .values(many.map((one) => ({ ...one, ended_at: new Date() })))
      .execute();
    const last = { ...row, intent_id: randomUUID(), user_id: user.userId, ended_at: new Date() };
    await on.db.insertInto('intent').values(last).execute();
    expect([typesOf(await list(user)), await list(quiet)]).toEqual([['transaction_final'], []]);
  });

  test('behavior: what cannot be told keeps nothing else from being told, and is told once it can be', async () => {
    const [author, other, creator] = [await on.user(), await on.user(), await on.user()];
    const token = await on.token(creator.address);
    await tellChain(activity(token, { usd_amount: 'no number' }));
    const [{ max: broken }] = (await on.db
      .selectFrom('stream_event')
      .select(({ fn }) => fn.max('seq').as('max'))
      .where('topic', '=', 'tokenActivity')
      .execute()) as [{ max: number }];
    await good('followUser', other, { user_id: author.userId });
    expect((await tell(on.api.context)).errors).toHaveLength(1);
    expect((await good('getNotifications', author, {})).notifications).toHaveLength(1);
    const data = JSON.stringify(activity(token, {}).data);
    await on.db
      .updateTable('stream_event')
      .set({ data })
      .where('topic', '=', 'tokenActivity')
      .where('seq', '=', broken)
      .execute();
    expect(typesOf(await list(creator))).toEqual(['token_bought']);
  });

  test('behavior: how transactions of the embedded wallet ended, each once', async () => {
    const user = await on.user();
    const token = await on.token(hex(0xc0de));
    const row = { eid: token.eid, user_id: user.userId, wallet: hex(0xe0), expires_at: new Date('2031-01-01') };
    const ended_at = new Date();
    await on.db
      .insertInto('intent')
      .values([
        { ...row, intent_id: randomUUID(), status: 'done', ended_at },
        { ...row, intent_id: randomUUID(), status: 'failed', ended_at },
        { ...row, intent_id: randomUUID(), status: 'refused', ended_at },
        { ...row, intent_id: randomUUID(), status: 'queued' },
      ])
      .execute();
    await told();
    expect(typesOf(await list(user)).toSorted()).toEqual(['transaction_failed', 'transaction_final']);
  });

  test('behavior: an hour after a day its dollars of fees are told, once and of the own wallets', async () => {
    const [earner, other] = [await on.user(), await on.user()];
    const day = Date.parse('2031-03-02T00:00:00Z');
    const token = await on.token(hex(0xc0de));
    const [usd, decimals] = [hex(0x05d), 6];
    await on.db
      .insertInto('chain')
      .values({
        eid: token.eid,
        slug: 'base-sepolia',
        usd,
        usd_decimals: decimals,
        launchpad: hex(1),
        pool_manager: null,
      })
      .execute();
    const fee = (time: number, dollars: number, currency = usd) => {
      const { eid, block_number, log_index, block_hash, tx_hash } = tradeRow(token, dollars, 0);
      const place = { eid, block_number, log_index, block_hash, tx_hash, part: 0, time: new Date(time) };
      const amount = BigInt(dollars) * 10n ** BigInt(decimals);
      const what = { amount, currency, distribution_type: 0, activity_id: 0, token: null };
      return { ...place, ...what, recipient: earner.address };
    };
    await makeMonths(on.db, [new Date(day - 1), new Date(day)]);
    await on.db
      .insertInto('fee_credit')
      .values([
        fee(day - 1, 100),
        fee(day, 2),
        fee(day + 86_399_000, 3),
        fee(day + 1_000, 7, hex(0x70)),
        fee(day + 86_400_000, 50),
      ])
      .execute();
    await on.db.updateTable('teller').set({ fees_day: '2031-03-01' }).execute();
    on.api.clock.ms = day + 86_400_000 + 3_599_000;
    expect(await list(earner)).toEqual([]);
    on.api.clock.ms += 1_000;
    const [told1] = await list(earner);
    expect([told1.type, told1.amount_usd, told1.text]).toEqual([
      'fee_earned',
      '5',
      'Your wallets earned $5.00 of fees on 2031-03-02.',
    ]);
    expect(await list(earner)).toHaveLength(1);
    expect(await list(other)).toEqual([]);
  });

  test('behavior: pages by cursor, without what was marked as read, and by type', async () => {
    const [author, other] = [await on.user(), await on.user()];
    const post = await on.post(author, 'gm');
    for (let nth = 0; nth < 5; nth += 1) await on.post(other, `${nth}`, { parent_id: post.id });
    await good('followUser', other, { user_id: author.userId });
    await told();
    const first = await good('getNotifications', author, { limit: 4 });
    expect(first).toMatchObject({ unread_count: 6, pagination: { total_returned: 4, has_more: true } });
    await on.post(other, 'meanwhile', { parent_id: post.id });
    await told();
    const rest = await good('getNotifications', author, { limit: 4, cursor: first.pagination.next_cursor });
    expect(rest.notifications).toHaveLength(2);
    expect(new Set([...first.notifications, ...rest.notifications].map(({ id }) => id)).size).toBe(6);
    await good('markNotificationsRead', author, { ids: first.notifications.map(({ id }: Body) => id) });
    expect(await list(author, { unread_only: true })).toHaveLength(3);
    expect(typesOf(await list(author, { types: ['follow'] }))).toEqual(['follow']);
  });

  test('behavior: kept are the newest 1,000 of a user, and nothing for longer than 90 days', async () => {
    const [user, other] = [await on.user(), await on.user()];
    const at = (days: number) => new Date(on.api.clock.ms - days * 86_400_000);
    const rows = Array.from({ length: 1_010 }, (_, seq) => ({ seq: seq + 1, created_at: at(1) }));
    await on.db
      .insertInto('notification')
      .values([
        ...rows.map((row) => ({ ...row, user_id: user.userId, type: 'follow' as const, key: `k${row.seq}` })),
        { user_id: other.userId, type: 'follow', key: 'old', seq: 1, created_at: at(91) },
        { user_id: other.userId, type: 'follow', key: 'new', seq: 2, created_at: at(89) },
      ])
      .execute();
    await pruneNotifications(on.db, at(2), at(0));
    const left = (of: SignedIn) =>
      on.db.selectFrom('notification').select('seq').where('user_id', '=', of.userId).orderBy('seq').execute();
    expect([(await left(user)).length, (await left(user))[0]?.seq]).toEqual([1_000, 11]);
    expect(await left(other)).toEqual([{ seq: 2 }]);
  });

  test('error: nobody is told anything without a credential', async () => {
    expect((await on.api.call('getNotifications', {})).status).toBe(401);
  });
});

describe('markNotificationsRead', () => {
  test('default: by id, up to a number, or all; of the caller alone', async () => {
    const [author, other, third] = [await on.user(), await on.user(), await on.user()];
    const post = await on.post(author, 'gm');
    for (let nth = 0; nth < 4; nth += 1) await on.post(other, `${nth}`, { parent_id: post.id });
    const [newest, , third_, oldest] = await list(author);
    await good('markNotificationsRead', third, { ids: [oldest.id] });
    expect(await good('markNotificationsRead', third, { all: true })).toEqual({ success: true, unread_count: 0 });
    expect((await good('markNotificationsRead', author, { ids: [newest.id] })).unread_count).toBe(3);
    expect((await good('markNotificationsRead', author, { up_to: third_.seq })).unread_count).toBe(1);
    expect((await good('markNotificationsRead', author, { all: true })).unread_count).toBe(0);
    expect((await list(author)).every(({ read_at: at }) => at !== null)).toBe(true);
  });

  test('error: none or several of the three ways', async () => {
    const user = await on.user();
    for (const body of [{}, { all: true, up_to: 1 }, { ids: [user.userId], all: true }])
      expect((await call('markNotificationsRead', user, body)).body.code).toBe('INVALID_PARAMETERS');
  });
});

describe('notificationSettings', () => {
  test('default: every type as it is at first, and as the user says', async () => {
    const user = await on.user();
    const usual = Object.fromEntries(Object.entries(notificationTypes).map(([type, { isOn }]) => [type, isOn]));
    const { settings, push } = await good('notificationSettings', user, {});
    expect(settings).toEqual(usual);
    expect(Buffer.from(push.public_key, 'base64url')).toHaveLength(65);
    const changed = await good('notificationSettings', user, { types: { follow: false, vote: true } });
    expect(changed.settings).toEqual({ ...usual, follow: false, vote: true });
    expect((await good('notificationSettings', user, { types: { follow: true } })).settings.follow).toBe(true);
    expect((await good('notificationSettings', await on.user(), {})).settings).toEqual(usual);
  });

  test('error: no such type', async () => {
    const { body } = await call('notificationSettings', await on.user(), { types: { weather: true } });
    expect(body.code).toBe('INVALID_PARAMETERS');
  });
});
