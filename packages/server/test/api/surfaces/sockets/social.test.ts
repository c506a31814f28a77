import { StreamChange } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tell } from '../../../../src/api/notifications/tell.ts';
import { hidePost, unhidePost } from '../../../../src/api/people/moderation.ts';
import { addToken, hex, tokenRow } from '../../reads/readsFixture.ts';
import type { Message, StreamClient } from '../../testing/streamClient.ts';
import { type StreamsServer, startStreams } from '../../testing/streamsFixture.ts';

let streams: Awaited<ReturnType<typeof startStreams>>;
let server: StreamsServer;
const boat = tokenRow('base-sepolia', hex(0xb0a7), { creator: hex(0xc0de), symbol: 'BOAT' });
beforeAll(async () => {
  streams = await startStreams();
  server = await streams.serve({
    RATE_LIMITS: JSON.stringify({
      anonymous: 1e6,
      authenticated: 1e6,
      signIn: 1e6,
      posts: 1e6,
      votes: 1e6,
      streams: 1e4,
    }),
  });
  await addToken(server.context.db, boat, 'paper-boat');
});
afterAll(() => streams.stop());

type User = Awaited<ReturnType<typeof streams.signIn>>;

const connect = async (bearer?: string): Promise<StreamClient> => {
  const client = streams.client(server.socketUrl, { bearer });
  await client.connect();
  return client;
};
const ask = async (user: User, path: string, body: object): Promise<Message> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${user.accessToken}` };
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status, path).toBe(200);
  return answer.json();
};
const post = async (user: User, text: string, more: object = {}): Promise<Message> =>
  (await ask(user, '/create-post', { text, ...more })).post;
const told = () => tell(server.context);
/** What was heard under an id, once the last event of the topic that the filter wants has come. */
const eventsOf = async (client: StreamClient, id: string, count: number): Promise<Message[]> => {
  await expect.poll(() => client.events(id).length).toBe(count);
  const events = client.events(id);
  for (const { id: _, ...event } of events) expect(StreamChange.safeParse(event).error).toBeUndefined();
  return events;
};
/**
 * Subscribes to the posts of an author, as `live`, so that a test can wait until the server has sent an event. Before that, a later
 * subscriber may still receive the post as it was when the server read it.
 */
const listenTo = async ({ userId }: User): Promise<StreamClient> => {
  const client = await connect();
  await client.subscribe({ topic: 'posts', authorIds: [userId] }, 'live');
  return client;
};

describe('streams of what people say', () => {
  it('default: posts and comments as they come and go, to anybody, by token, author, thread and tag', async () => {
    const [alice, bob] = [await streams.signIn(server), await streams.signIn(server)];
    const client = await connect();
    const topic = 'posts';
    await client.subscribe({ topic }, 'all');
    await client.subscribe({ topic, tokenIds: ['paper-boat'] }, 'token');
    await client.subscribe({ topic, authorIds: [bob.userId.toUpperCase()] }, 'author');
    await client.subscribe({ topic, hashtags: ['Boats', 'sea'] }, 'tag');
    const first = await post(alice, 'gm #boats', { taggedCoinId: 'paper-boat' });
    await client.subscribe({ topic, parentIds: [first.id] }, 'thread');
    const comment = await post(bob, 'gm', { parent_id: first.id });
    await told();
    await eventsOf(client, 'all', 2);
    await ask(bob, '/delete-post', { post_id: comment.id });
    await told();
    const all = await eventsOf(client, 'all', 3);
    expect(all.map(({ data }) => [data.kind, data.post.id, data.post.text])).toEqual([
      ['created', first.id, 'gm #boats'],
      ['created', comment.id, 'gm'],
      ['deleted', comment.id, ''],
    ]);
    expect(all[2].data.post).toMatchObject({ parent_id: first.id, author: null, tagged_coin: { id: boat.token_id } });
    expect((await eventsOf(client, 'token', 3)).map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
    expect((await eventsOf(client, 'author', 2)).map(({ data }) => data.post.id)).toEqual([comment.id, comment.id]);
    expect((await eventsOf(client, 'thread', 2)).map(({ data }) => data.kind)).toEqual(['created', 'deleted']);
    expect((await eventsOf(client, 'tag', 1)).map(({ data }) => data.post.id)).toEqual([first.id]);
  });

  it('behavior: who begins at the earliest reads nothing that is gone, and a post that is shown again comes again', async () => {
    const alice = await streams.signIn(server);
    const live = await listenTo(alice);
    const [kept, gone, hidden] = [
      await post(alice, 'kept'),
      await post(alice, 'secret 1'),
      await post(alice, 'secret 2'),
    ];
    await told();
    await eventsOf(live, 'live', 3);
    await ask(alice, '/delete-post', { post_id: gone.id });
    await hidePost(server.context.db, hidden.id, { by: null, reason: 'Rude.' });
    await told();
    const subscription = { topic: 'posts', authorIds: [alice.userId], cursor: 'earliest' };
    const client = await connect();
    await client.subscribe(subscription, 'past');
    const past = await eventsOf(client, 'past', 5);
    expect(JSON.stringify(past)).not.toContain('secret');
    expect(past.map(({ data }) => [data.kind, data.post.text])).toEqual([
      ['created', 'kept'],
      ['created', ''],
      ['created', ''],
      ['deleted', ''],
      ['hidden', ''],
    ]);
    expect(past.map(({ data }) => data.post.id)).toEqual([kept.id, gone.id, hidden.id, gone.id, hidden.id]);
    await unhidePost(server.context.db, hidden.id, { by: null, reason: null });
    await told();
    expect((await eventsOf(client, 'past', 6)).at(-1).data).toMatchObject({
      kind: 'created',
      post: { text: 'secret 2' },
    });
  });

  it('behavior: what is said of a token that an operator took down is an empty place until it is put back', async () => {
    const alice = await streams.signIn(server);
    const live = await listenTo(alice);
    const said = await post(alice, 'of a boat', { taggedCoinId: 'paper-boat' });
    await told();
    await eventsOf(live, 'live', 1);
    const { db } = server.context;
    const { token_id, eid, address } = boat;
    const past = async () => {
      const client = await connect();
      await client.subscribe({ topic: 'posts', authorIds: [alice.userId], cursor: 'earliest' }, 'past');
      const [event] = await eventsOf(client, 'past', 1);
      expect(event.data.post.id).toBe(said.id);
      return event.data.post.text;
    };
    await db
      .insertInto('unlisted_token')
      .values({ token_id: token_id as string, eid, address, reason: 'A copy.', unlisted_at: new Date() })
      .execute();
    expect(await past()).toBe('');
    await db.deleteFrom('unlisted_token').execute();
    expect(await past()).toBe('of a boat');
  });

  it('behavior: a launch is found by its token, and by no author', async () => {
    const alice = await streams.signIn(server);
    const client = await connect();
    await client.subscribe({ topic: 'posts', authorIds: [alice.userId] }, 'author');
    await client.subscribe({ topic: 'posts', tokenIds: ['paper-boat'] }, 'token');
    const place = { kind: 'post', change: 'created', type: 'launch', author_id: alice.userId, token_id: boat.token_id };
    const ids = {
      post_id: boat.token_id,
      parent_id: null,
      root_id: null,
      hashtags: [],
      created_at: new Date().toISOString(),
    };
    await server.context.db
      .insertInto('happening')
      .values({ kind: 'post', data: JSON.stringify({ ...place, ...ids }), at: new Date() })
      .execute();
    await told();
    await eventsOf(client, 'token', 1);
    expect(client.events('author')).toEqual([]);
  });

  it('behavior: votes once a second and target, of a post or token, without whose they are', async () => {
    const users = [await streams.signIn(server), await streams.signIn(server), await streams.signIn(server)];
    const [alice] = users as [User];
    const voted = await post(alice, 'Vote.');
    const client = await connect();
    await client.subscribe({ topic: 'votes', postIds: [voted.id] }, 'post');
    await client.subscribe({ topic: 'votes', tokenIds: ['paper-boat'] }, 'token');
    const vote = async (word: string) => {
      for (const user of users) await ask(user, '/vote', { target_type: 'post', target_id: voted.id, vote: word });
    };
    streams.clock.ms += 1_000;
    await vote('upvote');
    const { db } = server.context;
    const ofToken = { target_type: 'token', target_id: boat.token_id } as const;
    await db
      .insertInto('tally')
      .values({ ...ofToken, made_at: new Date(), upvotes: 7 })
      .execute();
    await db
      .insertInto('happening')
      .values({
        kind: 'votes',
        data: JSON.stringify({ kind: 'votes', target_type: 'token', target_ids: [boat.token_id] }),
        at: new Date(),
      })
      .execute();
    await told();
    const [counted] = await eventsOf(client, 'post', 1);
    const votes = { upvotes: 3, downvotes: 0, weighted_upvotes: '0', weighted_downvotes: '0' };
    expect(counted.data).toEqual({ target_type: 'post', target_id: voted.id, votes });
    expect((await eventsOf(client, 'token', 1))[0].data).toMatchObject({ ...ofToken, votes: { upvotes: 7 } });
    streams.clock.ms += 999;
    await vote('downvote');
    await told();
    await ask(alice, '/vote', { target_type: 'post', target_id: voted.id, vote: 'none' });
    streams.clock.ms += 1;
    await told();
    expect((await eventsOf(client, 'post', 2))[1].data.votes.downvotes).toBe(2);
  });

  it('behavior: notifications reach their user alone, by socket, server-sent events and filters of nobody', async () => {
    const [alice, bob] = [await streams.signIn(server), await streams.signIn(server)];
    const [of, other, nobody] = [await connect(alice.accessToken), await connect(bob.accessToken), await connect()];
    const topic = 'notifications';
    await of.subscribe({ topic }, 'mine');
    await other.subscribe({ topic }, 'mine');
    expect(await nobody.subscribe({ topic }, 'mine')).toMatchObject({ type: 'error', code: 'AUTH_REQUIRED' });
    await ask(bob, '/follow-user', { user_id: alice.userId });
    await told();
    const [event] = await eventsOf(of, 'mine', 1);
    expect(event.data).toMatchObject({ type: 'follow', seq: event.seq, actor: { id: bob.userId }, read_at: null });
    expect(other.events('mine')).toEqual([]);
    const { notifications } = await ask(alice, '/get-notifications', {});
    expect(notifications).toEqual([event.data]);
  });
});
