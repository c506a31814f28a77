import { randomUUID } from 'node:crypto';
import { until } from '@mintage/devnet/until';
import type { StreamFilter } from '@mintage/protocol/operations';
import fc from 'fast-check';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sessionOf } from '../../../../test/api/testing/testApi.ts';
import {
  many,
  ok,
  startReceiver,
  startWebhookWorld,
  status,
  tell,
  type WebhookWorld,
} from '../../../../test/api/webhooks/webhooksFixture.ts';
import { createPost } from '../../accounts/webhooks/post.ts';
import { claim, countReceivers, nextPage, passIdle, type Room, type Webhook } from '../../accounts/webhooks/queue.ts';
import { matcherOf } from '../../reads/events/filterFields.ts';
import type { StreamEvent } from '../../reads/events/streamEvent.ts';
import { deliverWebhooks } from './deliver.ts';

/** The object with these keys alone. */
const pick = <T extends object>(all: T, keys: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(keys.map((key) => [key, all[key]])) as Partial<T>;

/** For the random filters. */
const wallet = (n: number): string => `0x${String(n).repeat(40)}`;
const token = (n: number): string => `0x${String(n).repeat(64)}`;
const some = <T>(value: fc.Arbitrary<T>) => fc.uniqueArray(value, { maxLength: 2 });

const hour = 3_600_000;
const pollMs = 15;
const room: Room = { quick: 1, slow: 0, perUser: 1, perOrigin: 1, quickOfUsers: {}, ofUsers: {}, ofOrigins: {} };

describe('deliverWebhooks', () => {
  let world: WebhookWorld;
  const running: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    world = await startWebhookWorld({ webhooks: { timeoutMs: 1_500 } });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((stop) => stop()));
    await world.db.deleteFrom('webhook').execute();
    world.ahead.ms = 0;
  });
  afterAll(() => world.stop());

  /** A worker that is stopped at the end of the test. */
  const work = (): (() => Promise<void>) => {
    const stop = deliverWebhooks(world.api.context, { pollMs });
    running.push(stop);
    return stop;
  };
  /** A long timeout, so that no receiver is cut off during a test. */
  const patient = createPost({ isAllowed: () => true, timeoutMs: 25_000 });
  afterAll(() => patient.close());
  const rowOf = (id: string): Promise<Webhook> =>
    world.db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const logOf = (id: string) =>
    world.db.selectFrom('webhook_attempt').selectAll().where('webhook_id', '=', id).orderBy('number').execute();

  it('default: each event once, in order, signed, as a socket would send it; a retraction names what it takes back', async () => {
    const receiver = await world.receiver();
    const { id, secret } = await world.make(receiver.url);
    const platformId = `0x${'ab'.repeat(32)}`;
    const [first, second] = await tell(world.db, 'tokenActivity', [
      { platform_id: platformId, data: { activity_type: 'trade', platform_id: platformId } },
      {},
    ]);
    const [third] = await tell(world.db, 'tokenActivity', [
      { retracts: first as number, data: { activity_type: 'trade' } },
    ]);
    work();
    await until(() => receiver.got.length === 3);
    await until(async () => (await rowOf(id)).cursor === third);

    expect(receiver.got.map(({ body }) => body)).toEqual([
      {
        type: 'event',
        id,
        topic: 'tokenActivity',
        seq: first,
        data: {
          chain: 'base-sepolia',
          place: 0,
          activity_type: 'trade',
          platform_id: platformId,
          acme_pad_id: platformId,
        },
      },
      { type: 'event', id, topic: 'tokenActivity', seq: second, data: { chain: 'base-sepolia', place: 1 } },
      {
        type: 'retract',
        id,
        topic: 'tokenActivity',
        seq: third,
        retracts: first,
        data: { chain: 'base-sepolia', place: 0, activity_type: 'trade' },
      },
    ]);
    const verifier = new Verifier(secret);
    for (const { headers, text, body } of receiver.got) {
      expect(verifier.verify(text, headers as Record<string, string>)).toEqual(body);
      expect(headers['webhook-id']).toBe(`msg_${id}_${body.seq}`);
      expect(headers['content-type']).toBe('application/json');
      expect(headers['user-agent']).toBe('acme-pad-webhooks');
    }
    await until(async () => (await world.api.call('metrics')).body.includes('mintage_webhooks{status="active"} 1'));
    const figures = (await world.api.call('metrics')).body.toString();
    expect(figures).toContain('mintage_webhook_attempts_total{outcome="delivered"} 3\n');
    expect(figures).toContain('mintage_webhook_delay_seconds_count 3\n');
    expect(await countReceivers(world.db, new Date())).toEqual({ answering: 1, failing: 0 });
    expect(await logOf(id)).toMatchObject([
      { number: 1, seq: first, attempt: 1, cause: 'stream', response_code: 204, error: null, next_attempt_at: null },
      { number: 2, seq: second, attempt: 1 },
      { number: 3, seq: third, attempt: 1 },
    ]);
  });

  it('behavior: a failure holds what comes after it; the same message comes again, later each time', async () => {
    const receiver = await world.receiver();
    const { id } = await world.make(receiver.url);
    const [first, second, third] = (await tell(world.db, 'tokenActivity', many(3))) as [number, number, number];
    receiver.answer = (request, response) =>
      receiver.got.at(-1)?.body.seq === second ? status(500)(request, response) : ok(request, response);
    work();
    await until(async () => (await rowOf(id)).failures === 1);
    const failed = await rowOf(id);
    expect(receiver.seqs()).toEqual([first, second]);
    expect(failed).toMatchObject({ cursor: first, status: 'active', last_error: 'The receiver answered 500' });
    expect(await countReceivers(world.db, new Date())).toEqual({ answering: 0, failing: 1 });
    expect(failed.next_attempt_at.getTime() - (failed.failing_since as Date).getTime()).toBeGreaterThanOrEqual(3_750);

    world.ahead.ms += 10_000;
    await until(async () => (await rowOf(id)).failures === 2);
    expect(receiver.seqs()).toEqual([first, second, second]);
    const [once, again] = receiver.got.slice(1) as [(typeof receiver.got)[0], (typeof receiver.got)[0]];
    expect(again.headers['webhook-id']).toBe(once.headers['webhook-id']);
    expect(again.text).toBe(once.text);
    expect(again.headers['webhook-timestamp']).not.toBe(once.headers['webhook-timestamp']);

    receiver.answer = ok;
    world.ahead.ms += 60_000;
    await until(() => receiver.seqs().includes(third));
    expect(receiver.seqs()).toEqual([first, second, second, second, third]);
    await until(async () => (await rowOf(id)).cursor === third);
    expect(await rowOf(id)).toMatchObject({ failures: 0, failing_since: null, last_error: null });
    expect((await logOf(id)).map(({ seq, attempt, error }) => [seq, attempt, error])).toEqual([
      [first, 1, null],
      [second, 1, 'The receiver answered 500'],
      [second, 2, 'The receiver answered 500'],
      [second, 3, null],
      [third, 1, null],
    ]);
  });

  it('S4 behavior: consumer dead for an hour, worker stopped and started: the replica equals the table', async () => {
    const tables = new Map<string, string>();
    let events = 0;
    /** Publishes balance changes of a few wallets and occasionally retracts the newest one. */
    const move = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += 1) {
        events += 1;
        const wallet = `0x${String(events % 7).repeat(40)}`;
        const balance = String(events * 31);
        const [seq] = await tell(world.db, 'walletBalances', [{ wallet, data: { wallet, balance_raw: balance } }]);
        if (events % 5 === 0) {
          const before = tables.get(wallet);
          await tell(world.db, 'walletBalances', [
            { wallet, retracts: seq as number, data: { wallet, balance_raw: balance } },
            { wallet, data: { wallet, balance_raw: before ?? '0' } },
          ]);
          tables.set(wallet, before ?? '0');
        } else tables.set(wallet, balance);
      }
    };
    let receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    const { id } = await world.make(receiver.url, { topic: 'walletBalances' });
    const came = receiver.got;
    const allOut = async () => {
      const { last_seq } = await world.db
        .selectFrom('stream_topic')
        .select('last_seq')
        .where('topic', '=', 'walletBalances')
        .executeTakeFirstOrThrow();
      await until(async () => (await rowOf(id)).cursor === last_seq);
    };

    const stop = work();
    await move(20);
    await allOut();
    await receiver.stop();
    await move(20);
    await until(async () => (await rowOf(id)).failures > 0);
    world.ahead.ms += hour;
    await until(async () => (await rowOf(id)).failures > 1);
    await stop();
    await move(20);
    receiver = await startReceiver(Number(port));
    world.ahead.ms += hour;
    work();
    await move(20);
    await allOut();
    came.push(...receiver.got);
    await receiver.stop();

    const seen = new Set<string>();
    const replica = new Map<string, string>();
    let last = 0;
    for (const { headers, body } of came) {
      if (seen.has(headers['webhook-id'])) continue;
      seen.add(headers['webhook-id']);
      expect(body.seq).toBeGreaterThan(last);
      last = body.seq;
      if (body.type === 'event') replica.set(body.data.wallet, body.data.balance_raw);
    }
    expect(replica).toEqual(tables);
    expect(seen.size).toBe(80 + 16 * 2);
  });

  it('behavior: more than one turn takes: every one, in order', async () => {
    const receiver = await world.receiver();
    const { id } = await world.make(receiver.url);
    const told = await tell(world.db, 'tokenActivity', many(250));
    work();
    await until(async () => (await rowOf(id)).cursor === told.at(-1));
    expect(receiver.seqs()).toEqual(told);
  });

  it('behavior: two workers share the webhooks: each event once, in order, of each webhook', async () => {
    const receivers = await Promise.all([1, 2, 3, 4, 5].map(() => world.receiver()));
    for (const { url } of receivers) await world.make(url);
    work();
    work();
    const told: number[] = [];
    for (let round = 0; round < 8; round += 1) told.push(...(await tell(world.db, 'tokenActivity', many(5))));
    await until(() => receivers.every(({ got }) => got.length >= told.length));
    for (const receiver of receivers) expect(receiver.seqs()).toEqual(told);
  });

  it('behavior: a webhook that another process holds is left alone until that is silent for 30 s', async () => {
    const receiver = await world.receiver();
    const { id } = await world.make(receiver.url);
    const [seq] = await tell(world.db, 'tokenActivity', many(1));
    expect((await claim(world.db, randomUUID(), [id], new Date(), room)).webhooks).toMatchObject([{ id }]);
    expect((await claim(world.db, randomUUID(), [id], new Date(), room)).webhooks).toEqual([]);
    const { lease_until: end } = await rowOf(id);
    expect(end.getTime() - Date.now()).toBeGreaterThan(25_000);
    await world.db
      .updateTable('webhook')
      .set({ lease_until: new Date(0) })
      .execute();
    work();
    await until(() => receiver.got.length > 0);
    expect(receiver.seqs()).toEqual([seq]);
  });

  it('behavior: stopped in the middle of a delivery: it is made again and was no failure', async () => {
    const receiver = await world.receiver();
    const { id } = await world.make(receiver.url);
    const [first, second] = (await tell(world.db, 'tokenActivity', many(2))) as [number, number];
    receiver.answer = (request, response) => {
      if (receiver.got.at(-1)?.body.seq === first) ok(request, response);
    };
    const stop = work();
    await until(() => receiver.seqs().includes(second));
    await stop();
    expect(await rowOf(id)).toMatchObject({ cursor: first, failures: 0, lease_owner: null });
    receiver.answer = ok;
    work();
    await until(() => receiver.got.length === 3);
    expect(receiver.seqs()).toEqual([first, second, second]);
  });

  it('behavior: failing after a day, disabled after five, gone at once with 410; taken up again where it stood', async () => {
    const receiver = await world.receiver();
    receiver.answer = status(503);
    const { id } = await world.make(receiver.url);
    const told = await tell(world.db, 'tokenActivity', many(2));
    work();
    await until(async () => (await rowOf(id)).failures === 1);
    world.ahead.ms += 24 * hour;
    await until(async () => (await rowOf(id)).status === 'failing');
    world.ahead.ms += 96 * hour;
    await until(async () => (await rowOf(id)).status === 'disabled');
    const attempts = receiver.got.length;
    world.ahead.ms += 24 * hour;
    await tell(world.db, 'tokenActivity', many(1)).then((more) => told.push(...more));
    await new Promise((resolve) => setTimeout(resolve, 10 * pollMs));
    expect(receiver.got.length).toBe(attempts);
    expect(world.api.logged.filter(({ webhook }) => webhook === id).map((line) => line.status)).toEqual([
      'failing',
      'disabled',
    ]);

    receiver.answer = status(410);
    receiver.got.length = 0;
    // The access token has expired under the moved clock, as it would have.
    const user = { bearer: await world.api.context.auth.issueAccessToken(sessionOf(world.user)) };
    await world.api.call('redeliverWebhook', { id }, user);
    await until(async () => (await rowOf(id)).status === 'disabled');
    expect(receiver.got.length).toBe(1);

    receiver.answer = ok;
    receiver.got.length = 0;
    await world.api.call('redeliverWebhook', { id }, user);
    await until(() => receiver.got.length === 3);
    expect(receiver.seqs()).toEqual(told);
    expect(await rowOf(id)).toMatchObject({ status: 'active' });
  });

  it('behavior: events that were dropped before they could be delivered are told with the next one, once', async () => {
    const receiver = await world.receiver();
    const { id, cursor } = await world.make(receiver.url);
    const told = (await tell(world.db, 'tokenActivity', many(6))) as [number, number, number, number, number, number];
    await world.db.deleteFrom('stream_event').where('seq', '<=', told[3]).execute();
    receiver.answer = (request, response) => (receiver.got.length === 1 ? status(500) : ok)(request, response);
    work();
    await until(async () => (await rowOf(id)).failures === 1);
    world.ahead.ms += 60_000;
    await until(async () => (await rowOf(id)).cursor === told[5]);
    const missed = { from: cursor + 1, to: told[3] };
    expect(receiver.got.map(({ body }) => [body.seq, body.missed])).toEqual([
      [told[4], missed],
      [told[4], missed],
      [told[5], undefined],
    ]);
  });

  it('behavior: a slow receiver holds up nobody else', async () => {
    const [slow, quick] = [await world.receiver(), await world.receiver()];
    slow.answer = () => undefined;
    const { id } = await world.make(slow.url);
    await world.make(quick.url);
    const told = await tell(world.db, 'tokenActivity', many(5));
    work();
    await until(() => quick.got.length === 5);
    expect(quick.seqs()).toEqual(told);
    await until(async () => (await rowOf(id)).failures === 1);
    expect(await rowOf(id)).toMatchObject({ last_error: 'The receiver did not answer within 1.5 s' });
  });

  it('H24 receivers that take long to say yes hold up nobody: another user’s event goes out while they hold theirs', async () => {
    const count = Number(process.env.CASES ?? 60);
    const perUser = 10;
    const servers = await Promise.all(Array.from({ length: Math.ceil(count / 4) }, () => world.receiver()));
    const held: (() => void)[] = [];
    for (const server of servers) server.answer = (request, response) => held.push(() => ok(request, response));
    const users = await Promise.all(Array.from({ length: Math.ceil(count / perUser) }, () => world.api.signIn()));
    for (let at = 0; at < count; at += 1)
      await world.make(servers[Math.floor(at / 4)]?.url as string, undefined, users[Math.floor(at / perUser)]);
    const stop = deliverWebhooks({ ...world.api.context, webhooks: patient }, { pollMs });
    running.push(stop);
    await tell(world.db, 'tokenActivity', many(1));
    await until(() => held.length >= Math.min(count, 32));

    const quick = await world.receiver();
    const { id } = await world.make(quick.url);
    for (const event of [1, 2, 3]) {
      await tell(world.db, 'tokenActivity', many(1));
      await until(() => quick.got.length === event);
    }
    const others = await world.db.selectFrom('webhook_attempt').select('seq').where('webhook_id', '<>', id).execute();
    expect(others).toEqual([]); // every slow receiver still holds its turn

    // The slow receivers still get their events.
    const release = setInterval(() => {
      for (const answer of held.splice(0)) answer();
    }, 20);
    await until(() => servers.every(({ got }) => new Set(got.map(({ headers }) => headers['webhook-id'])).size >= 4));
    clearInterval(release);
  });

  it('behavior: at most four attempts at once to one origin', async () => {
    const receiver = await world.receiver();
    let [now, most] = [0, 0];
    // The first requests are held until the allowed number has arrived.
    const { promise: four, resolve: release } = Promise.withResolvers<void>();
    receiver.answer = async (request, response) => {
      now += 1;
      most = Math.max(most, now);
      if (now === 4) release();
      await four;
      setTimeout(() => {
        now -= 1;
        ok(request, response);
      }, 20);
    };
    const other = await world.api.signIn();
    for (let count = 0; count < 10; count += 1) await world.make(receiver.url, undefined, other);
    await tell(world.db, 'tokenActivity', many(3));
    work();
    await until(() => receiver.got.length === 30);
    expect(most).toBe(4);
  });

  it('behavior: moved back during a delivery: it goes on from there', async () => {
    const receiver = await world.receiver();
    const { id, cursor } = await world.make(receiver.url);
    const [first, second] = (await tell(world.db, 'tokenActivity', many(2))) as [number, number];
    receiver.answer = (request, response) => {
      if (receiver.got.length !== 2) return ok(request, response);
      void world.api
        .call('redeliverWebhook', { id, cursor }, { bearer: world.user.accessToken })
        .then(() => ok(request, response));
    };
    work();
    await until(() => receiver.got.length >= 4);
    await until(async () => (await rowOf(id)).cursor === second);
    expect(receiver.seqs()).toEqual([first, second, first, second]);
  });

  it('W5 fees of the own wallets only, as long as they are', async () => {
    const receiver = await world.receiver();
    const other = await world.api.signIn();
    await world.make(receiver.url, { topic: 'walletFees' });
    const [mine, linked] = [world.user.address, `0x${'77'.repeat(20)}`] as const;
    work();
    const fees = (...wallets: string[]) =>
      tell(
        world.db,
        'walletFees',
        wallets.map((wallet) => ({ wallet, data: { recipient: wallet } })),
      );
    const [, first] = await fees(other.address, mine, linked);
    await until(() => receiver.got.length === 1);
    await world.db.insertInto('user_wallet').values({ address: linked, user_id: world.user.userId }).execute();
    await world.db.updateTable('user_wallet').set({ user_id: other.userId }).where('address', '=', mine).execute();
    const [, second] = await fees(mine, linked);
    await until(() => receiver.got.length === 2);
    await world.db.updateTable('user_wallet').set({ user_id: world.user.userId }).where('address', '=', mine).execute();
    expect(receiver.seqs()).toEqual([first, second]);
  });

  it('M1 error: a name that leads inside is not connected to', async () => {
    const receiver = await world.receiver();
    const { id } = await world.make(`https://hooks.example:${new URL(receiver.url).port}/`);
    await tell(world.db, 'tokenActivity', many(1));
    const webhooks = createPost({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    running.push(deliverWebhooks({ ...world.api.context, webhooks }, { pollMs }), () => webhooks.close());
    await until(async () => (await rowOf(id)).failures === 1);
    expect(await rowOf(id)).toMatchObject({ last_error: 'The address does not lead to a public host' });
    expect(receiver.got).toEqual([]);
  });

  it('behavior: the filter in SQL picks what the filter of the sockets picks', async () => {
    const one = fc.integer({ min: 1, max: 3 });
    const event = fc.record({
      wallet: one.map(wallet),
      platform_id: fc.option(one.map(token), { freq: 4 }),
      chain: fc.constantFrom('base', 'bnb'),
      activity_type: fc.constantFrom('trade', 'transfer'),
      activity_subtype: fc.constantFrom('buy', 'sell'),
      currency: one.map(wallet),
      activity_id: one,
      distribution_type: one,
    });
    const wishes = {
      tokenIds: some(one.map(token)),
      wallets: some(one.map(wallet)),
      chains: some(fc.constantFrom('base', 'solana')),
      activityTypes: some(fc.constantFrom('trade', 'lp')),
      activitySubtypes: some(fc.constantFrom('buy', 'deposit')),
      currencies: some(one.map(wallet)),
      activityIds: some(one),
      distributionTypes: some(one),
    };
    const keys = Object.keys(wishes) as (keyof typeof wishes)[];
    const filter = fc
      .subarray(keys, { maxLength: 2 })
      .chain((chosen) => fc.record(wishes).map((all) => pick(all, chosen)));
    const { id } = await world.make('https://hooks.example/');
    let picked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 5, maxLength: 20 }),
        fc.array(filter, { minLength: 1, maxLength: 6 }),
        async (events, filters) => {
          const told = events.map(({ wallet: holder, platform_id, ...data }) => ({
            wallet: holder,
            ...(platform_id === null ? {} : { platform_id }),
            data,
          }));
          const [first] = (await tell(world.db, 'tokenActivity', told)) as [number];
          for (const wished of filters) {
            const wish: StreamFilter = { topic: 'tokenActivity', ...wished };
            const row = await world.db
              .updateTable('webhook')
              .set({ filter: JSON.stringify(wish), cursor: first - 1 })
              .where('id', '=', id)
              .returningAll()
              .executeTakeFirstOrThrow();
            const matches = matcherOf(wish);
            const expected = told.flatMap(({ wallet: holder, platform_id, data }, place) => {
              const asRead = { topic: 'tokenActivity', wallet: holder, platform_id: platform_id ?? null, data };
              return matches(asRead as unknown as StreamEvent) ? [first + place] : [];
            });
            picked += expected.length;
            const { events: found } = await nextPage(world.db, row as Webhook, 100);
            expect(found.map(({ seq }) => seq)).toEqual(expected);
          }
        },
      ),
      { numRuns: 15 },
    );
    expect(picked).toBeGreaterThan(50);
  });

  it('behavior: a webhook that wants nothing of many events is moved past them, one that does is not', async () => {
    const wants = await world.make('https://a.example/');
    const idle = await world.make('https://b.example/', { topic: 'tokenActivity', chains: ['bnb'] });
    const told = await tell(world.db, 'tokenActivity', many(201));
    await passIdle(world.db);
    expect((await rowOf(idle.id)).cursor).toBe(told.at(-1));
    expect((await rowOf(wants.id)).cursor).toBe(wants.cursor);
  });

  it('W3 R6 no secret in a log line or in any row, its own included', async () => {
    const receiver = await world.receiver();
    receiver.answer = status(500);
    const { id, secret } = await world.make(receiver.url);
    await tell(world.db, 'tokenActivity', many(1));
    work();
    await until(async () => (await rowOf(id)).failures === 1);
    const key = secret.replace('whsec_', '');
    const rows = JSON.stringify([await rowOf(id), await logOf(id)]);
    expect(rows).not.toContain(key);
    const lines = JSON.stringify(world.api.logged);
    expect(lines).not.toContain(key);
    // Logs must not contain paths and queries, which often carry a secret of the receiver.
    expect(lines).not.toContain('sesame');
    const own = await world.db.selectFrom('webhook_secret').selectAll().where('webhook_id', '=', id).execute();
    expect(own[0]?.sealed_secret?.kek).toBe(world.api.context.keys.id);
    expect(JSON.stringify(own)).not.toContain(key);
  });
});
