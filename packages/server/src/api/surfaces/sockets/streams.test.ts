import { connect as connectTcp } from 'node:net';
import type { StreamFilter } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { hex } from '../../../../test/api/reads/readsFixture.ts';
import type { Message, StreamClient } from '../../../../test/api/testing/streamClient.ts';
import {
  balanceNews,
  feeNews,
  type StreamsServer,
  startStreams,
  tradeNews,
} from '../../../../test/api/testing/streamsFixture.ts';

let streams: Awaited<ReturnType<typeof startStreams>>;
let server: StreamsServer;
beforeAll(async () => {
  streams = await startStreams();
  server = await streams.serve();
});
afterAll(() => streams.stop());

const connect = async (bearer?: string, at = server): Promise<StreamClient> => {
  const client = streams.client(at.socketUrl, { bearer });
  await client.connect();
  return client;
};

const activity = { topic: 'tokenActivity' };
const blocksOf = (client: StreamClient, id = 'sub_1') => client.events(id).map(({ data }) => data.evt_block_number);
/** Block number that no other test uses, so that each test sees only its own events. */
let last = 1_000;
const fresh = () => {
  last += 100;
  return last;
};

/** Resolves when everything published by now was heard under these subscriptions. */
const settled = async (client: StreamClient, ...ids: string[]) => {
  const mark = fresh();
  const heard = ids.map((id) => client.next((message) => message.id === id && message.data?.evt_block_number === mark));
  await streams.publish(tradeNews(mark, { token: 1 }));
  await Promise.all(heard);
  return mark;
};

describe('streams over WebSocket', () => {
  it('default: authenticated, subscribed with the newest number, then events as they are committed', async () => {
    const client = await connect();
    expect(client.messages).toEqual([{ type: 'authenticated', authMethod: 'anonymous' }]);
    const { watermark, ...subscribed } = await client.subscribe(activity);
    expect(subscribed).toEqual({ type: 'subscribed', id: 'sub_1' });
    const block = fresh();
    const heard = client.next(({ type }) => type === 'event');
    await streams.publish(tradeNews(block));
    expect(await heard).toEqual({
      type: 'event',
      id: 'sub_1',
      topic: 'tokenActivity',
      seq: watermark + 1,
      data: { ...tradeNews(block).data, acme_pad_id: hex(1, 32) },
    });
    client.send({ op: 'unsubscribe', id: 'sub_1' });
    expect(await client.next(() => true)).toEqual({ type: 'unsubscribed', id: 'sub_1' });
    await client.subscribe(activity, 'other');
    await settled(client, 'other');
    expect(client.events('sub_1').length).toBe(1);
  });

  it('behavior: served below the base path and at the root', async () => {
    const client = streams.client(server.socketUrl.replace('/functions/v1', ''));
    await client.connect();
    const answers = await Promise.all(['/ws', '/functions/v1/ws'].map((path) => fetch(new URL(path, server.url))));
    for (const answer of answers) {
      expect([answer.status, ((await answer.json()) as Message).code]).toEqual([426, 'UPGRADE_REQUIRED']);
    }
    await expect(streams.client(`${server.socketUrl}/nowhere`).connect()).rejects.toThrow('404');
  });

  it('behavior: cursors: latest, earliest, a number, a time; the backlog first, then live, without gap or double', async () => {
    const first = fresh();
    const blocks = Array.from({ length: 60 }, (_, i) => first + i);
    const [token] = [first]; // no other test trades this token
    await streams.publish(...blocks.slice(0, 50).map((block) => tradeNews(block, { token })));
    const client = await connect();
    const wish = { ...activity, tokenIds: [hex(token, 32)] };
    await client.subscribe({ ...wish }, 'absent');
    await client.subscribe({ ...wish, cursor: 'latest' }, 'latest');
    await client.subscribe({ ...wish, cursor: 'earliest', batchSize: 7 }, 'earliest');
    await client.heard(({ id, data }) => id === 'earliest' && data?.evt_block_number === first + 49);
    const { seq } = client.events('earliest')[9] as Message;
    await client.subscribe({ ...wish, cursor: seq, sinceTimestamp: '2031-01-01T00:00:00Z' }, 'number');
    await client.subscribe({ ...wish, sinceTimestamp: tradeNews(first + 30).time.toISOString() }, 'time');
    await client.subscribe({ ...wish, sinceTimestamp: '2031-01-01T00:00:00+02:00' }, 'future');
    for (const block of blocks.slice(50)) await streams.publish(tradeNews(block, { token }));
    const ids = ['absent', 'latest', 'earliest', 'number', 'time', 'future'];
    await Promise.all(
      ids.map((id) => client.heard((one) => one.id === id && one.data?.evt_block_number === first + 59)),
    );
    expect(blocksOf(client, 'absent')).toEqual(blocks.slice(50));
    expect(blocksOf(client, 'latest')).toEqual(blocks.slice(50));
    expect(blocksOf(client, 'earliest')).toEqual(blocks);
    expect(blocksOf(client, 'number')).toEqual(blocks.slice(10));
    expect(blocksOf(client, 'time')).toEqual(blocks.slice(30));
    expect(blocksOf(client, 'future')).toEqual(blocks.slice(50));
  });

  it('error: CURSOR_EXPIRED for numbers below what is kept and beyond what was ever given; then the oldest kept', async () => {
    const own = await startStreams();
    try {
      const at = await own.serve();
      await own.publish(...[1, 2, 3, 4].map((block) => tradeNews(block)));
      const rows = await own.db.selectFrom('stream_event').select('seq').orderBy('seq').execute();
      const [one, two, three, four] = rows.map(({ seq }) => seq) as [number, number, number, number];
      await own.db.deleteFrom('stream_event').where('seq', '<', three).execute();
      const client = own.client(at.socketUrl);
      await client.connect();
      const cursors = { expired: one, edge: two, newest: four, beyond: four + 1 };
      for (const [id, cursor] of Object.entries(cursors)) await client.subscribe({ ...activity, cursor }, id);
      await own.publish(tradeNews(5));
      await Promise.all(
        Object.keys(cursors).map((id) => client.heard((m) => m.id === id && m.data?.evt_block_number === 5)),
      );
      expect(blocksOf(client, 'expired')).toEqual([3, 4, 5]);
      expect(blocksOf(client, 'edge')).toEqual([3, 4, 5]);
      expect(blocksOf(client, 'newest')).toEqual([5]);
      expect(blocksOf(client, 'beyond')).toEqual([3, 4, 5]);
      const expired = client.messages.filter(({ code }) => code === 'CURSOR_EXPIRED').map(({ id }) => id);
      expect(expired).toEqual(['expired', 'beyond']);
    } finally {
      await own.stop();
    }
  });

  it('S4 a retraction names the event it takes back, and passes the same filters', async () => {
    const block = fresh();
    const client = await connect();
    const { watermark } = await client.subscribe({ ...activity, tokenIds: [hex(block, 32)] });
    await client.subscribe({ ...activity, tokenIds: [hex(block + 1, 32)] }, 'others');
    const news = tradeNews(block, { token: block });
    await streams.publish(news, { ...news, retracts: watermark + 1 });
    expect(await client.heard(({ type }) => type === 'retract')).toMatchObject({
      id: 'sub_1',
      topic: 'tokenActivity',
      seq: watermark + 2,
      retracts: watermark + 1,
      data: { pk: news.data && (news.data as { pk: string }).pk },
    });
    expect(client.events('others')).toEqual([]);
  });

  it('filters: ANDed, their values ORed, single and plural merged; past and live alike', async () => {
    const types = ['trade', 'transfer', 'lp'];
    const chains = ['base-sepolia', 'bnb', 'base'] as const;
    const base = fresh();
    const news = Array.from({ length: 90 }, (_, i) =>
      tradeNews(base + i, {
        token: base + (i % 5),
        chain: chains[i % 3],
        activity_type: types[i % 4] ?? 'trade',
        activity_subtype: i % 2 ? 'buy' : 'sell',
      }),
    );
    await streams.publish(...news.slice(0, 45));
    const client = await connect();
    const tokens = [0, 1, 2, 3, 4].map((n) => hex(base + n, 32));
    const wishes: (Partial<Record<keyof StreamFilter, unknown>> & { tokenId?: string })[] = [
      { tokenIds: tokens },
      { tokenId: tokens[0], tokenIds: [(tokens[1] as string).toUpperCase().replace('0X', '0x')] },
      { tokenIds: tokens, chains: ['bnb'] },
      { tokenIds: tokens, chains: ['bnb', 'base'], activityTypes: ['trade', 'lp'] },
      { tokenIds: tokens, activityTypes: ['transfer'], activitySubtypes: ['buy'] },
      { tokenIds: tokens, activityTypes: [] },
      { tokenIds: tokens.slice(0, 2), chains: ['solana'] },
    ];
    for (const [i, wish] of wishes.entries()) {
      await client.subscribe({ ...activity, ...wish, cursor: 'earliest', batchSize: 4 }, `wish ${i}`);
    }
    await streams.publish(...news.slice(45));
    await client.heard(({ id, data }) => id === 'wish 0' && data?.evt_block_number === base + 89);
    await client.subscribe(activity, 'end');
    await settled(client, 'end');
    const has = (list: unknown, value: unknown) => !Array.isArray(list) || list.length === 0 || list.includes(value);
    for (const [i, wish] of wishes.entries()) {
      const wanted = [...((wish.tokenIds ?? []) as string[]), ...(wish.tokenId ? [wish.tokenId] : [])].map((id) =>
        id.toLowerCase(),
      );
      const expected = news.filter(({ platform_id, data }) => {
        const { chain, activity_type, activity_subtype } = data as Record<string, string>;
        return (
          wanted.includes(platform_id as string) &&
          has(wish.chains, chain) &&
          has(wish.activityTypes, activity_type) &&
          has(wish.activitySubtypes, activity_subtype)
        );
      });
      expect(blocksOf(client, `wish ${i}`), JSON.stringify(wish)).toEqual(
        expected.map(({ block_number }) => block_number),
      );
    }
  });

  it('behavior: filters of fees and balances; the same bytes for many clients', async () => {
    const { accessToken, address } = await streams.signIn(server);
    const clients = await Promise.all([connect(accessToken), connect(accessToken), connect(accessToken)]);
    for (const client of clients) {
      await client.subscribe({
        topic: 'walletFees',
        currency: hex(9).toUpperCase().replace('0X', '0x'),
        activityIds: [0, 3],
      });
      await client.subscribe({ topic: 'walletFees', distributionTypes: [1] }, 'builder');
      await client.subscribe(
        { topic: 'walletBalances', wallet: hex(5), wallets: [hex(6)], tokenId: hex(2, 32) },
        'balances',
      );
    }
    await streams.publish(
      feeNews(1, address),
      feeNews(2, address, { activity_id: 1 }),
      feeNews(3, address, { currency: hex(8) }),
      feeNews(4, hex(7)),
      feeNews(5, address, { distribution_type: 1, activity_id: 1 }),
      feeNews(6, address, { amount_raw: '6' }),
      balanceNews(1, hex(5), 2),
      balanceNews(2, hex(5), 3),
      balanceNews(3, hex(6), 2),
      balanceNews(4, hex(7), 2),
    );
    for (const client of clients) {
      await client.heard(({ id, data }) => id === 'balances' && data?.balance_raw === '3');
      await client.heard(({ id, type }) => id === 'builder' && type === 'event');
      await client.heard(({ id, data }) => id === 'sub_1' && data?.amount_raw === '6');
      expect(client.events().length).toBe(2);
      expect(client.events('builder').length).toBe(1);
      expect(client.events('balances').map(({ data }) => data.balance_raw)).toEqual(['1', '3']);
    }
  });

  it('S1 W5 without a credential only activity; fees only of own wallets, whatever the filter says', async () => {
    const nobody = await connect();
    for (const topic of ['walletBalances', 'walletFees']) {
      expect(await nobody.subscribe({ topic, wallet: hex(5) }, topic)).toMatchObject({
        type: 'error',
        code: 'AUTH_REQUIRED',
      });
    }
    const [alice, bob] = await Promise.all([streams.signIn(server), streams.signIn(server)]);
    const client = await connect(alice.accessToken);
    expect(client.messages[0]).toEqual({ type: 'authenticated', authMethod: 'jwt', userId: alice.userId });
    for (const wallets of [
      [bob.address],
      [alice.address, bob.address],
      [bob.address.toUpperCase().replace('0X', '0x')],
    ]) {
      const answer = await client.subscribe({ topic: 'walletFees', wallets }, 'foreign');
      expect(answer).toMatchObject({ type: 'error', id: 'foreign', code: 'AUTHENTICATION_FAILED' });
    }
    await client.subscribe({ topic: 'walletFees', cursor: 'earliest' });
    await streams.publish(feeNews(1, bob.address), feeNews(2, alice.address));
    await client.heard(({ id, type }) => id === 'sub_1' && type === 'event');
    expect(client.events().map(({ data }) => data.recipient)).toEqual([alice.address]);
  });

  it('S1 who says nothing, or not who it is, is told so and cut off', async () => {
    const open = async () => {
      const socket = new WebSocket(server.socketUrl);
      const messages: Message[] = [];
      socket.on('message', (data) => messages.push(JSON.parse(data.toString())));
      const closed = new Promise<[number, string]>((resolve) =>
        socket.on('close', (code, why) => resolve([code, why.toString()])),
      );
      await new Promise((resolve) => socket.on('open', resolve));
      return { socket, messages, closed };
    };
    const { accessToken } = await streams.signIn(server);
    // The first one has said who it is, and waits for us longer than the other may be silent.
    const waiting = await streams.db.transaction().execute(async (tx) => {
      await sql`lock table session in access exclusive mode`.execute(tx);
      const held = await open();
      held.socket.send(JSON.stringify({ op: 'auth', bearer: accessToken }));
      const silent = await open();
      silent.socket.send(JSON.stringify({ op: 'subscribe', id: 'x', subscription: activity }));
      expect(await silent.closed).toEqual([1008, 'no auth message within 5 seconds']);
      expect(silent.messages.map(({ code }) => code)).toEqual(['AUTH_REQUIRED', 'AUTH_TIMEOUT']);
      return held;
    });
    await expect.poll(() => waiting.messages).toMatchObject([{ type: 'authenticated' }]);
    waiting.socket.close();
    for (const bearer of ['nonsense', `${'a'.repeat(40)}.b.c`, 'acme-pad_test_x', '']) {
      await expect(connect(bearer)).rejects.toThrow('AUTHENTICATION_FAILED');
    }
  });

  it('A6 S1 a revoked key and an expired token end what they allowed, within seconds', async () => {
    const { accessToken } = await streams.signIn(server);
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const post = async (path: string, body: object) =>
      (
        await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      ).json() as Promise<Message>;
    const { id, key } = await post('/api-keys', { name: 'k', scopes: ['read'] });
    const [byKey, byToken, anonymous] = await Promise.all([connect(key), connect(accessToken), connect()]);
    expect(byKey.messages[0]).toMatchObject({ authMethod: 'apiKey' });
    await post('/api-keys/revoke', { id });
    expect(await byKey.heard(({ type }) => type === 'closed')).toMatchObject({ code: 1008 });
    expect(byKey.messages.at(-2)).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(byToken.messages.length).toBe(1);
    streams.clock.ms += 16 * 60_000;
    expect(await byToken.heard(({ type }) => type === 'closed')).toMatchObject({ code: 1008 });
    expect(anonymous.messages.length).toBe(1);
  });

  it('behavior: a new auth message extends the connection, for the same user only', async () => {
    const [alice, bob] = await Promise.all([streams.signIn(server), streams.signIn(server)]);
    const client = await connect();
    const say = async (bearer: string) => {
      const answer = client.next(() => true);
      client.send({ op: 'auth', bearer });
      return answer;
    };
    expect(await say(alice.accessToken)).toMatchObject({ type: 'authenticated', userId: alice.userId });
    expect(await say(alice.accessToken)).toMatchObject({ type: 'authenticated', userId: alice.userId });
    expect(await say(bob.accessToken)).toMatchObject({ type: 'error', code: 'AUTHENTICATION_FAILED' });
  });

  it.each<[string, unknown, string, string]>([
    ['no JSON', '{', 'INVALID_MESSAGE', 'not valid JSON'],
    ['a list', '[]', 'INVALID_MESSAGE', 'one JSON object'],
    ['a key twice', '{"op":"auth","op":"subscribe"}', 'INVALID_MESSAGE', 'appears twice'],
    ['a prototype', '{"op":"subscribe","__proto__":{}}', 'INVALID_MESSAGE', '__proto__'],
    ['deep', `{"op":${'['.repeat(40)}${']'.repeat(40)}}`, 'INVALID_MESSAGE', 'nested'],
    ['no op', {}, 'INVALID_MESSAGE', 'op is required'],
    [
      'an id that pretends',
      { op: 'auth', id: { length: { valueOf: null, toString: 1 } } },
      'INVALID_MESSAGE',
      'must not have a key length',
    ],
    ['another op', { op: 'post', id: 'x', action: {} }, 'UNSUPPORTED_OP', 'post is not offered'],
    ['no id', { op: 'subscribe', subscription: activity }, 'INVALID_MESSAGE', 'id: is required'],
    [
      'a long id',
      { op: 'subscribe', id: 'x'.repeat(65), subscription: activity },
      'INVALID_MESSAGE',
      'id: must have at most 64',
    ],
    ['no subscription', { op: 'subscribe', id: 'x' }, 'INVALID_SUBSCRIPTION', 'subscription'],
    ['no topic', { op: 'subscribe', id: 'x', subscription: {} }, 'INVALID_SUBSCRIPTION', 'topic'],
    ['another topic', { op: 'subscribe', id: 'x', subscription: { topic: 'x' } }, 'INVALID_SUBSCRIPTION', 'topic'],
    [
      'a bad address',
      { op: 'subscribe', id: 'x', subscription: { topic: 'walletFees', wallet: '0x1' } },
      'INVALID_SUBSCRIPTION',
      'subscription.wallet: must be an address',
    ],
    [
      'an unknown chain',
      { op: 'subscribe', id: 'x', subscription: { ...activity, chains: ['mars'] } },
      'INVALID_SUBSCRIPTION',
      'subscription.chains.0: must be a chain slug',
    ],
    [
      'an unknown token',
      { op: 'subscribe', id: 'x', subscription: { ...activity, tokenId: 'nobody' } },
      'INVALID_SUBSCRIPTION',
      'No token is known as nobody',
    ],
    [
      'a filter of another topic',
      { op: 'subscribe', id: 'x', subscription: { ...activity, wallet: hex(1) } },
      'INVALID_SUBSCRIPTION',
      'subscription.wallet: is no filter of this topic',
    ],
    [
      'a fraction as cursor',
      { op: 'subscribe', id: 'x', subscription: { ...activity, cursor: 1.5 } },
      'INVALID_SUBSCRIPTION',
      'subscription.cursor',
    ],
    [
      'a cursor with an exponent',
      '{"op":"subscribe","id":"x","subscription":{"topic":"tokenActivity","cursor":1e3}}',
      'INVALID_SUBSCRIPTION',
      'subscription.cursor',
    ],
    [
      'a time that is none',
      { op: 'subscribe', id: 'x', subscription: { ...activity, sinceTimestamp: 'yesterday' } },
      'INVALID_SUBSCRIPTION',
      'subscription.sinceTimestamp',
    ],
    [
      'a batch too large',
      { op: 'subscribe', id: 'x', subscription: { ...activity, batchSize: 1001 } },
      'INVALID_SUBSCRIPTION',
      'subscription.batchSize',
    ],
    [
      'too many wallets',
      {
        op: 'subscribe',
        id: 'x',
        subscription: { topic: 'walletBalances', wallets: Array.from({ length: 101 }, () => hex(1)) },
      },
      'INVALID_SUBSCRIPTION',
      'at most 100',
    ],
    ['an unknown end', { op: 'unsubscribe', id: 'nothing' }, 'INVALID_MESSAGE', 'no subscription nothing'],
  ])('error: %s: says why and goes on', async (_, message, code, why) => {
    const client = await connect();
    const answer = client.next(() => true);
    client.send(message);
    const said = await answer;
    expect(said).toMatchObject({ type: 'error', code });
    expect(said.message).toContain(why);
    expect((await client.subscribe(activity)).type).toBe('subscribed');
  });

  it('error: nulls are absent; an id twice; more than 100 subscriptions', async () => {
    const client = await connect();
    expect(await client.subscribe({ ...activity, tokenId: null, cursor: null })).toMatchObject({ type: 'subscribed' });
    expect(await client.subscribe(activity, 'sub_1')).toMatchObject({ code: 'DUPLICATE_ID', id: 'sub_1' });
    for (let i = 2; i <= 100; i += 1) await client.subscribe(activity, `sub_${i}`);
    expect(await client.subscribe(activity, 'sub_101')).toMatchObject({
      code: 'TOO_MANY_SUBSCRIPTIONS',
      id: 'sub_101',
    });
    await settled(client, 'sub_1', 'sub_100');
  });

  it('S3 frames beyond 64 KiB, binary, broken UTF-8, unmasked, and floods end only their own connection', async () => {
    const witness = await connect();
    await witness.subscribe(activity);
    const ends: Record<string, number> = {};
    const attack = async (name: string, how: (socket: WebSocket) => void) => {
      const socket = new WebSocket(server.socketUrl);
      await new Promise((resolve) => socket.on('open', resolve));
      socket.send(JSON.stringify({ op: 'auth' }));
      const closed = new Promise<number>((resolve) => socket.on('close', resolve));
      socket.on('error', () => {});
      how(socket);
      ends[name] = await closed;
    };
    const raw = (socket: WebSocket): { write(bytes: Buffer): void } => Reflect.get(socket, '_socket');
    await attack('large', (socket) => socket.send(JSON.stringify({ op: 'auth', bearer: 'x'.repeat(64 * 1024) })));
    await attack('binary', (socket) => socket.send(Buffer.from('{"op":"auth"}')));
    await attack('utf8', (socket) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false }));
    await attack('unmasked', (socket) => raw(socket).write(Buffer.from([0x81, 0x02, 0x7b, 0x7d])));
    await attack('reserved', (socket) => raw(socket).write(Buffer.from([0xf1, 0x80, 0, 0, 0, 0])));
    await attack('endless', (socket) => {
      for (let i = 0; i < 40; i += 1) socket.send('x'.repeat(2_000), { fin: false });
    });
    await attack('flood', (socket) => {
      for (let i = 0; i < 800; i += 1) socket.send('{"op":"unsubscribe","id":"x"}');
    });
    expect(ends).toEqual({
      large: 1009,
      binary: 1003,
      utf8: 1007,
      unmasked: 1002,
      reserved: 1002,
      endless: 1009,
      flood: 1008,
    });
    await settled(witness, 'sub_1');
    expect(witness.messages.every(({ type }) => ['authenticated', 'subscribed', 'event'].includes(type))).toBe(true);
  });

  it('R4 streams at once of one address are limited, and one that ends makes room', async () => {
    const narrow = await streams.serve({ RATE_LIMITS: JSON.stringify({ streams: 2 }) });
    const [first] = await Promise.all([connect(undefined, narrow), connect(undefined, narrow)]);
    await expect(connect(undefined, narrow)).rejects.toThrow('429');
    const events = await fetch(`${narrow.url}/stream?topic=tokenActivity`);
    expect([events.status, ((await events.json()) as Message).code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    (first as StreamClient).close();
    await expect.poll(() => connect(undefined, narrow).then(() => 'in', String)).toBe('in');
    await narrow.stop();
  });

  it('behavior: an upgrade to something else is answered as a plain request', async () => {
    const { port } = new URL(server.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = connectTcp(Number(port), '127.0.0.1', () =>
        socket.write('GET /health HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n'),
      );
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
    });
    expect(answer).toMatch(/^HTTP\/1.1 200/);
  });

  it('S4 two processes give the same numbers, and a lost notification or connection leaves no gap', async () => {
    const other = await streams.serve();
    const [here, there] = await Promise.all([connect(), connect(undefined, other)]);
    await Promise.all([here.subscribe(activity), there.subscribe(activity)]);
    /** Ends every database connection on which a process listens. */
    const deafen = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where query ilike 'listen %' and datname = current_database()`.execute(streams.db);
    const first = fresh();
    for (let i = 0; i < 20; i += 1) {
      if (i % 7 === 3) await deafen();
      await streams.publish(tradeNews(first + i));
    }
    const expected = Array.from({ length: 20 }, (_, i) => first + i);
    for (const client of [here, there]) {
      await client.heard(({ data }) => data?.evt_block_number === first + 19);
      expect(blocksOf(client)).toEqual(expected);
    }
    expect(here.events().map(({ seq }) => seq)).toEqual(there.events().map(({ seq }) => seq));
    // A client connects to a process that is behind what the client has seen: nothing is repeated.
    const late = await streams.serve();
    const moved = await connect(undefined, late);
    await deafen();
    await streams.publish(tradeNews(first + 20), tradeNews(first + 21));
    const { seq } = await streams.db
      .selectFrom('stream_event')
      .select('seq')
      .where('topic', '=', 'tokenActivity')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    await moved.subscribe({ ...activity, cursor: seq });
    await settled(moved, 'sub_1');
    expect(moved.events().length).toBe(1);
    await Promise.all([other.stop(), late.stop()]);
    expect(await there.heard(({ type }) => type === 'closed')).toMatchObject({
      type: 'closed',
      code: 1001,
      reason: 'the service restarts: connect again',
    });
  });
});
