import { until } from '@mintage/devnet/until';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addToken, hex, tokenRow } from '../../reads/readsFixture.ts';
import { type SignedIn, sessionOf } from '../../testing/testApi.ts';
import { many, ok, startWebhookWorld, status, tell, type WebhookWorld } from '../../webhooks/webhooksFixture.ts';

const id = 'AAAAAAAAAAAAAAAA';
const url = 'https://hooks.example.com/in';
const subscription = { topic: 'tokenActivity' };

describe('webhooks', () => {
  let world: WebhookWorld;
  beforeAll(async () => {
    world = await startWebhookWorld({ webhooks: { timeoutMs: 1_000 } });
  });
  afterEach(async () => {
    await world.db.deleteFrom('webhook').execute();
    world.ahead.ms = 0;
  });
  afterAll(() => world.stop());

  const call = (name: Parameters<typeof world.api.call>[0], input: object, by: SignedIn = world.user) =>
    world.api.call(name, input, { bearer: by.accessToken });
  const create = (one: object, by?: SignedIn) => call('createWebhook', { url, subscription: one }, by);
  const newest = async (topic: 'tokenActivity' | 'walletBalances' = 'tokenActivity') =>
    (await world.db.selectFrom('stream_topic').select('last_seq').where('topic', '=', topic).executeTakeFirstOrThrow())
      .last_seq;

  const wrong = async (input: object) => (await call('createWebhook', input)).body.details[0].path;

  describe('createWebhook', () => {
    it('default: from the newest event on, the secret shown once', async () => {
      const { body } = await create(subscription);
      expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(body.webhook).toEqual({
        id: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
        url,
        subscription: { topic: 'tokenActivity' },
        status: 'active',
        createdAt: expect.stringMatching(/Z$/),
        cursor: await newest(),
        watermark: await newest(),
        failures: 0,
        failingSince: null,
        nextAttemptAt: null,
        lastSuccessAt: null,
        lastError: null,
        previousSecretUntil: null,
      });
      const { body: listed } = await call('listWebhooks', {});
      expect(listed).toEqual({ webhooks: [body.webhook] });
      expect(JSON.stringify(listed)).not.toContain(body.secret.replace('whsec_', ''));
    });

    it('behavior: filters merged, tokens by platform id, addresses in lower case', async () => {
      const token = tokenRow('base-sepolia', hex(0xabc));
      await addToken(world.db, token, 'red-fox');
      const { body } = await create({
        topic: 'walletBalances',
        tokenId: 'red-fox',
        tokenIds: [`0x${'AB'.repeat(32)}`],
        wallet: `0x${'CD'.repeat(20)}`,
        wallets: [],
        chains: ['opbnb'],
        batchSize: 10,
      });
      expect(body.webhook.subscription).toEqual({
        topic: 'walletBalances',
        tokenIds: [token.platform_id, `0x${'ab'.repeat(32)}`].toSorted(),
        wallets: [`0x${'cd'.repeat(20)}`],
        chains: ['op-bnb'],
      });
    });

    it('behavior: starts at a number, the oldest event, or a time', async () => {
      const before = await newest('walletBalances');
      const told = await tell(world.db, 'walletBalances', [
        { time: new Date('2026-01-01T00:00:00Z') },
        { time: new Date('2026-01-03T00:00:00Z') },
        { time: new Date('2026-01-02T00:00:00Z') },
      ]);
      const start = async (from: object) => (await create({ topic: 'walletBalances', ...from })).body.webhook.cursor;
      expect(await start({ cursor: 'earliest' })).toBe(before);
      expect(await start({ cursor: 'latest' })).toBe(told[2]);
      expect(await start({ cursor: told[1], sinceTimestamp: '2026-01-01T00:00:00Z' })).toBe(told[1]);
      expect(await start({ sinceTimestamp: '2026-01-02T00:00:00Z' })).toBe(told[0]);
      expect(await start({ sinceTimestamp: '2026-01-04T02:00:00+02:00' })).toBe(told[2]);
      expect((await create({ topic: 'walletBalances', cursor: (told[2] as number) + 1 })).body.details).toEqual([
        { path: 'subscription.cursor', message: `must be at most the newest event number, ${told[2]}` },
      ]);
    });

    it('error: fields that are none', async () => {
      expect(await wrong({ subscription })).toBe('url');
      expect(await wrong({ url })).toBe('subscription');
      expect(await wrong({ url, subscription: { topic: 'trades' } })).toBe('subscription.topic');
      expect(await wrong({ url, subscription: { ...subscription, cursor: -1 } })).toBe('subscription.cursor');
      expect(await wrong({ url, subscription: { ...subscription, chains: 'base' } })).toBe('subscription.chains');
      expect(await wrong({ url: 'http://hooks.example.com/', subscription })).toBe('url');
      expect(await wrong({ url: 'https://169.254.169.254/', subscription })).toBe('url');
      expect((await create({ ...subscription, tokenId: 'nobody' })).body.code).toBe('TOKEN_NOT_FOUND');
    });

    it('error: more than 10, also when asked for at once', async () => {
      const all = await Promise.all(Array.from({ length: 14 }, () => create(subscription)));
      expect(all.map((answer) => answer.status).toSorted()).toEqual([...Array(10).fill(200), ...Array(4).fill(409)]);
      expect(all.find((answer) => answer.status === 409)?.body.code).toBe('TOO_MANY_WEBHOOKS');
      const { body } = await call('listWebhooks', {});
      expect(body.webhooks.length).toBe(10);
      await call('deleteWebhook', { id: body.webhooks[0].id });
      expect((await create(subscription)).status).toBe(200);
    });

    it('W5 error: fees of a wallet that is another user’s', async () => {
      const other = await world.api.signIn();
      expect((await create({ topic: 'walletFees', wallet: other.address })).body.code).toBe('AUTHENTICATION_FAILED');
      const mine = await create({ topic: 'walletFees', wallet: world.user.address.toUpperCase().replace('X', 'x') });
      expect(mine.body.webhook.subscription).toEqual({ topic: 'walletFees', wallets: [world.user.address] });
      expect((await create({ topic: 'walletFees' })).body.webhook.subscription).toEqual({ topic: 'walletFees' });
    });
  });

  describe('access', () => {
    const inputs = {
      createWebhook: { url, subscription },
      listWebhooks: {},
      deleteWebhook: { id },
      rotateWebhookSecret: { id },
      listWebhookDeliveries: { id },
      redeliverWebhook: { id },
    } as const;
    const names = Object.keys(inputs) as (keyof typeof inputs)[];

    it('error: without a credential, or with one that lacks the scope', async () => {
      const { body: made } = await world.api.call(
        'createApiKey',
        { name: 'x', scopes: ['prepare'] },
        { bearer: world.user.accessToken },
      );
      const { key } = made;
      for (const name of names) {
        expect((await world.api.call(name, inputs[name])).body.code, name).toBe('AUTHENTICATION_FAILED');
        expect((await world.api.call(name, inputs[name], { bearer: key })).body.code, name).toBe('SCOPE_MISSING');
      }
    });

    it('W5 error: another user’s webhook is not found, just as one that never was', async () => {
      const { id: mine, secret } = await world.make(url);
      const [seq] = await tell(world.db, 'tokenActivity', many(1));
      const other = await world.api.signIn();
      const tries = names.slice(2).flatMap((name) => [[name, {}] as const]);
      for (const [name, more] of [
        ...tries,
        ['redeliverWebhook', { seq }],
        ['redeliverWebhook', { cursor: 0 }],
      ] as const) {
        const theirs = await call(name, { id: mine, ...more }, other);
        const nobodys = await call(name, { id, ...more }, other);
        expect([theirs.status, theirs.body.code], name).toEqual([404, 'WEBHOOK_NOT_FOUND']);
        expect({ ...theirs.body, requestId: '' }, name).toEqual({ ...nobodys.body, requestId: '' });
      }
      expect((await call('listWebhooks', {}, other)).body).toEqual({ webhooks: [] });
      const kept = await world.api.context.webhookKeys.of(mine, new Date());
      expect(kept.map((key) => `whsec_${key}`)).toEqual([secret]);
    });

    it('error: an id that is none', async () => {
      for (const name of names.slice(2)) expect((await call(name, { id: 'x' })).body.details[0].path, name).toBe('id');
    });
  });

  describe('rotateWebhookSecret', () => {
    it('default: both secrets sign for a day, then the new one alone', async () => {
      const receiver = await world.receiver();
      const hook = await world.make(receiver.url);
      const [seq] = await tell(world.db, 'tokenActivity', many(1));
      const { body } = await call('rotateWebhookSecret', { id: hook.id });
      expect(new Date(body.previousSecretUntil).getTime() - Date.now()).toBeGreaterThan(86_390_000);
      expect((await call('listWebhooks', {})).body.webhooks[0].previousSecretUntil).toBe(body.previousSecretUntil);

      const signedBy = async (secret: string): Promise<boolean> => {
        const { headers, text } = receiver.got.at(-1) as (typeof receiver.got)[0];
        // The reference library checks the timestamp against its own clock.
        const sent = Number(headers['webhook-timestamp']);
        const verifier = new Verifier(secret);
        const expected = verifier.sign(headers['webhook-id'], new Date(sent * 1000), text);
        return headers['webhook-signature'].split(' ').includes(expected);
      };
      const send = () => call('redeliverWebhook', { id: hook.id, seq });
      await send();
      expect([await signedBy(hook.secret), await signedBy(body.secret)]).toEqual([true, true]);

      world.ahead.ms += 86_401_000;
      const bearer = await world.api.context.auth.issueAccessToken(sessionOf(world.user));
      await world.api.call('redeliverWebhook', { id: hook.id, seq }, { bearer });
      expect([await signedBy(hook.secret), await signedBy(body.secret)]).toEqual([false, true]);
      expect((await world.api.call('listWebhooks', {}, { bearer })).body.webhooks[0].previousSecretUntil).toBeNull();
    });

    it('behavior: at once after a leak; a second rotation ends the first secret', async () => {
      const receiver = await world.receiver();
      const hook = await world.make(receiver.url);
      const [seq] = await tell(world.db, 'tokenActivity', many(1));
      const count = async () => {
        await call('redeliverWebhook', { id: hook.id, seq });
        return receiver.got.at(-1)?.headers['webhook-signature'].split(' ').length;
      };
      expect(await count()).toBe(1);
      await call('rotateWebhookSecret', { id: hook.id, overlapSeconds: 0 });
      expect(await count()).toBe(1);
      const { body } = await call('rotateWebhookSecret', { id: hook.id });
      await call('rotateWebhookSecret', { id: hook.id });
      expect(await count()).toBe(2);
      const { headers, text } = receiver.got.at(-1) as (typeof receiver.got)[0];
      expect(() => new Verifier(hook.secret).verify(text, headers as Record<string, string>)).toThrow();
      expect(new Verifier(body.secret).verify(text, headers as Record<string, string>)).toMatchObject({ seq });
    });

    it('error: an overlap that is none', async () => {
      for (const overlapSeconds of [-1, 604_801, 1.5, '60'])
        expect((await call('rotateWebhookSecret', { id, overlapSeconds })).body.details[0].path).toBe('overlapSeconds');
    });
  });

  describe('redeliverWebhook and listWebhookDeliveries', () => {
    it('default: one event is sent now, the webhook stays where it is, and the log has it', async () => {
      const receiver = await world.receiver();
      const hook = await world.make(receiver.url);
      const [first, second] = (await tell(world.db, 'tokenActivity', many(2))) as [number, number];
      receiver.answer = status(500);
      const failed = await call('redeliverWebhook', { id: hook.id, seq: second });
      receiver.answer = ok;
      const done = await call('redeliverWebhook', { id: hook.id, seq: second });
      expect(receiver.seqs()).toEqual([second, second]);
      expect(done.body.webhook).toMatchObject({ cursor: hook.cursor, status: 'active', failures: 0 });
      expect(done.body.delivery).toEqual({
        number: 2,
        webhookId: hook.id,
        messageId: receiver.got[0]?.headers['webhook-id'],
        seq: second,
        attempt: 1,
        cause: 'redelivery',
        status: 'delivered',
        responseCode: 204,
        error: null,
        durationMs: expect.any(Number),
        at: expect.stringMatching(/Z$/),
        nextAttemptAt: null,
      });
      await call('redeliverWebhook', { id: hook.id, seq: first });

      const log = async (more: object) =>
        (await call('listWebhookDeliveries', { id: hook.id, ...more })).body.deliveries.map(
          (entry: { number: number }) => entry.number,
        );
      expect((await call('listWebhookDeliveries', { id: hook.id })).body.deliveries).toEqual([
        expect.objectContaining({ number: 3, seq: first }),
        done.body.delivery,
        failed.body.delivery,
      ]);
      expect(failed.body.delivery).toMatchObject({ status: 'failed', error: 'The receiver answered 500' });
      expect(await log({ limit: 2 })).toEqual([3, 2]);
      expect(await log({ limit: 2, before: 2 })).toEqual([1]);
      expect(await log({ status: 'failed' })).toEqual([1]);
      expect(await log({ status: 'delivered', seq: second })).toEqual([2]);
    });

    it('behavior: moves to a number, a time or an end, and takes up what was given up', async () => {
      const hook = await world.make(url);
      const told = (await tell(
        world.db,
        'tokenActivity',
        many(3).map(() => ({ time: new Date('2031-01-01T00:00:00Z') })),
      )) as [number, number, number];
      await world.db
        .updateTable('webhook')
        .set({ status: 'disabled', failures: 9, failing_since: new Date(), last_error: 'x', lease_owner: null })
        .execute();
      const move = async (to: object) => (await call('redeliverWebhook', { id: hook.id, ...to })).body.webhook;
      expect(await move({})).toMatchObject({ cursor: hook.cursor, status: 'active', failures: 0, failingSince: null });
      expect(await move({ cursor: told[1] })).toMatchObject({ cursor: told[1], lastError: null });
      expect(await move({ cursor: 'latest' })).toMatchObject({ cursor: told[2] });
      expect(await move({ sinceTimestamp: '2031-01-01T00:00:00Z' })).toMatchObject({ cursor: hook.cursor });
    });

    it('error: an event that is not its own, or two wishes at once', async () => {
      const hook = await world.make(url, { topic: 'tokenActivity', chains: ['bnb'] });
      const [seq] = await tell(world.db, 'tokenActivity', many(1));
      for (const one of [seq, 0]) {
        const { status: code, body } = await call('redeliverWebhook', { id: hook.id, seq: one });
        expect([code, body.code]).toEqual([404, 'EVENT_NOT_FOUND']);
      }
      const { body } = await call('redeliverWebhook', { id: hook.id, seq, cursor: 0 });
      expect(body.details).toEqual([{ path: 'seq', message: 'must not stand beside cursor or sinceTimestamp' }]);
    });
  });

  it('deleteWebhook: gone with its secret and log', async () => {
    const receiver = await world.receiver();
    const hook = await world.make(receiver.url);
    const [seq] = await tell(world.db, 'tokenActivity', many(1));
    await call('redeliverWebhook', { id: hook.id, seq });
    await until(() => receiver.got.length === 1);
    expect((await call('deleteWebhook', { id: hook.id })).body).toEqual({ success: true });
    expect((await call('deleteWebhook', { id: hook.id })).body.code).toBe('WEBHOOK_NOT_FOUND');
    for (const table of ['webhook', 'webhook_secret', 'webhook_attempt'] as const)
      expect(await world.db.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});
