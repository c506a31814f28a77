import { randomBytes, randomUUID } from 'node:crypto';
import type { Eid, Hash } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';
import { type IntentStatus, type StepStatus, unsureSentence } from '../../db/signerTables.ts';

const chainSlug = 'base-sepolia';
const { baseSepolia } = eids;
const wallet = `0x${'e'.repeat(40)}` as const;
const someHash = () => `0x${randomBytes(32).toString('hex')}` as const;

interface StepState {
  status: StepStatus;
  hash?: Hash;
  block?: number;
  error?: string;
}

describe('transactionStatus', () => {
  let api: TestApi;
  let me: SignedIn;
  beforeAll(async () => {
    api = await testApi({
      chains: [testChain(chainSlug, 'http://127.0.0.1:1'), testChain('base', 'http://127.0.0.1:1')],
    });
    me = await api.signIn();
  });
  afterAll(() => api?.stop());

  /** An intent with one step for each state. */
  const intent = async (
    status: IntentStatus,
    steps: readonly StepState[],
    error: string | null = null,
    { key, eid = baseSepolia }: { key?: string; eid?: Eid } = {},
  ) => {
    const intent_id = randomUUID();
    const { db } = api.context;
    await db
      .insertInto('intent')
      .values({
        eid,
        intent_id,
        user_id: me.userId,
        wallet,
        credential: null,
        idempotency_key: key ?? null,
        status,
        error,
        expires_at: new Date(),
      })
      .execute();
    await db
      .insertInto('intent_step')
      .values(
        steps.map((step, index) => ({
          eid,
          intent_id,
          step: index,
          wallet,
          to_address: wallet,
          value: 0n,
          data: '0x',
          gas_limit: 21_000,
          description: 'a step',
          status: step.status,
          hash: step.hash ?? null,
          block_number: step.block ?? null,
          error: step.error ?? null,
        })),
      )
      .execute();
    return intent_id;
  };
  const attempt = (intent_id: string, hash: Hash, step = 0) =>
    api.context.db
      .insertInto('attempt')
      .values({
        eid: baseSepolia,
        hash,
        intent_id,
        step,
        nonce: 1,
        raw: '0x',
        max_fee_per_gas: 1n,
        max_priority_fee_per_gas: 1n,
        signed_block: 1,
      })
      .execute();
  const ask = (body: object, bearer = me.accessToken) => api.call('transactionStatus', body, { bearer });
  const statusOf = async (body: object) => {
    const answer = await ask(body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { success, ...rest } = answer.body;
    expect(success).toBe(true);
    return rest;
  };

  it('H11 by its key: everything that one call had executed, on each chain, as far as the hindmost; others find nothing', async () => {
    const idempotencyKey = 'claim-on-two-chains';
    const key = idempotencyKey;
    const [one, two] = [someHash(), someHash()];
    const first = await intent('done', [{ status: 'final', hash: one, block: 5 }], null, { key });
    const second = await intent('signed', [{ status: 'sent', hash: two }], null, { key, eid: eids.base });
    const intents = [
      { intentId: first, chainSlug, status: 'final', hash: one, error: null },
      { intentId: second, chainSlug: 'base', status: 'sent', hash: two, error: null },
    ];
    expect(await statusOf({ idempotencyKey })).toEqual({
      status: 'sent',
      hash: two,
      blockNumber: null,
      error: null,
      intents,
    });
    expect(await statusOf({ idempotencyKey, chainSlug })).toMatchObject({
      status: 'final',
      hash: one,
      intents: [intents[0]],
    });
    const refused = await intent('refused', [{ status: 'queued' }], 'Too much', { key, eid: eids.base });
    expect(await statusOf({ idempotencyKey })).toMatchObject({
      status: 'failed',
      error: 'Too much',
      intents: [...intents, { intentId: refused, status: 'failed', error: 'Too much' }],
    });
    const stranger = await api.signIn();
    expect((await ask({ idempotencyKey }, stranger.accessToken)).body.code).toBe('TRANSACTION_NOT_FOUND');
    for (const wrong of [{ idempotencyKey, intentId: first }, { idempotencyKey: 'a b' }, { idempotencyKey: '' }, {}]) {
      expect((await ask(wrong)).body.code).toBe('INVALID_PARAMETERS');
    }
  });

  it('H11 by its key: not what an earlier call asked for, that was refused and left the key free', async () => {
    const idempotencyKey = 'tried-twice';
    const { db } = api.context;
    await intent('refused', [{ status: 'queued' }], 'Too much', { key: idempotencyKey });
    await db
      .insertInto('idempotent_call')
      .values({ user_id: me.userId, key: idempotencyKey, operation: 'sendTransaction', input_hash: '' })
      .execute();
    expect((await ask({ idempotencyKey })).body.code).toBe('TRANSACTION_NOT_FOUND');
    const second = await intent('signed', [{ status: 'sent', hash: someHash() }], null, { key: idempotencyKey });
    expect((await statusOf({ idempotencyKey })).intents).toMatchObject([{ intentId: second, status: 'sent' }]);
  });

  it('default: an intent is as far as its hindmost step, and has the hash and block of the last', async () => {
    const [first, last] = [someHash(), someHash()];
    const queued = await intent('queued', [{ status: 'queued' }, { status: 'queued' }]);
    expect(await statusOf({ intentId: queued })).toEqual({
      status: 'queued',
      hash: '',
      blockNumber: null,
      error: null,
    });
    const under = await intent('signed', [
      { status: 'mined', hash: first, block: 7 },
      { status: 'sent', hash: last },
    ]);
    expect(await statusOf({ intentId: under })).toEqual({ status: 'sent', hash: last, blockNumber: null, error: null });
    const mined = await intent('signed', [
      { status: 'final', hash: first, block: 7 },
      { status: 'mined', hash: last, block: 8 },
    ]);
    expect(await statusOf({ intentId: mined })).toEqual({ status: 'mined', hash: last, blockNumber: 8, error: null });
    const done = await intent('done', [
      { status: 'final', hash: first, block: 7 },
      { status: 'final', hash: last, block: 8 },
    ]);
    expect(await statusOf({ intentId: done, chainSlug })).toMatchObject({ status: 'final', hash: last });
  });

  it('behavior: one failed step is what the intent says, and so is why nothing was signed', async () => {
    const hash = someHash();
    const failed = await intent('failed', [
      { status: 'failed', hash: someHash(), block: 7, error: 'The price moved.' },
      { status: 'final', hash, block: 8 },
    ]);
    expect(await statusOf({ intentId: failed })).toEqual({
      status: 'failed',
      hash,
      blockNumber: 7,
      error: 'The price moved.',
    });
    const refused = await intent('refused', [{ status: 'queued' }], 'The budget of today is used up.');
    const why = { status: 'failed', hash: '', blockNumber: null, error: 'The budget of today is used up.' };
    expect(await statusOf({ intentId: refused })).toEqual(why);
    const reverted = await intent('signed', [{ status: 'mined', hash, block: 9, error: 'It reverted.' }]);
    expect(await statusOf({ intentId: reverted })).toMatchObject({ status: 'reverted', error: 'It reverted.' });
  });

  it('H26 behavior: reverted is a status of its own, of each step and of the whole, and unsure says not to send again', async () => {
    const [first, last] = [someHash(), someHash()];
    const reverted = await intent('signed', [
      { status: 'mined', hash: first, block: 9, error: 'It reverted.' },
      { status: 'sent', hash: last },
    ]);
    await attempt(reverted, first);
    expect(await statusOf({ intentId: reverted })).toMatchObject({ status: 'reverted', hash: last });
    expect(await statusOf({ hash: first })).toEqual({
      status: 'reverted',
      hash: first,
      blockNumber: 9,
      error: 'It reverted.',
    });
    const unsure = await intent('signed', [{ status: 'sent', hash: last, error: unsureSentence }]);
    expect(await statusOf({ intentId: unsure })).toEqual({
      status: 'sent',
      hash: last,
      blockNumber: null,
      unsure: true,
      error: expect.stringMatching(/do not send it again/),
    });
  });

  it('behavior: a hash finds its step in any case, a replaced one the hash that counts', async () => {
    const [old, now, other] = [someHash(), someHash(), someHash()];
    const intentId = await intent('signed', [
      { status: 'mined', hash: now, block: 5 },
      { status: 'sent', hash: other },
    ]);
    await attempt(intentId, old);
    await attempt(intentId, now);
    await attempt(intentId, other, 1);
    const first = { status: 'mined', hash: now, blockNumber: 5, error: null };
    expect(await statusOf({ hash: old })).toEqual(first);
    expect(await statusOf({ hash: now.toUpperCase().replace('0X', '0x'), chainSlug })).toEqual(first);
    expect(await statusOf({ hash: other })).toMatchObject({ status: 'sent', hash: other });
  });

  it('error: W5 nothing of another user, nothing of another chain', async () => {
    const hash = someHash();
    const intentId = await intent('signed', [{ status: 'sent', hash }]);
    await attempt(intentId, hash);
    const stranger = await api.signIn();
    for (const body of [{ intentId }, { hash }]) {
      const answer = await ask(body, stranger.accessToken);
      expect([answer.status, answer.body.code]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
    }
    expect((await ask({ intentId, chainSlug: 'base' })).status).toBe(404);
    expect((await ask({ intentId: randomUUID() })).status).toBe(404);
  });

  it('error: both, neither, a chain that is not served or does not answer, no credential', async () => {
    const hash = someHash();
    expect((await ask({})).body.error).toMatch(/one of hash, guid, intentId and idempotencyKey/);
    expect((await ask({ hash, intentId: randomUUID() })).body.code).toBe('INVALID_PARAMETERS');
    expect((await ask({ hash: '0x12' })).body.details[0].path).toBe('hash');
    expect((await ask({ hash, chainSlug: 'polygon' })).body.code).toBe('UNSUPPORTED_CHAIN');
    const silent = await ask({ hash, chainSlug });
    expect([silent.status, silent.body.code]).toEqual([503, 'NETWORK_ERROR']);
    expect((await api.call('transactionStatus', { hash })).status).toBe(401);
    const input = { name: 'maker', scopes: ['prepare'] };
    const { body: key } = await api.call('createApiKey', input, { bearer: me.accessToken });
    expect((await ask({ hash }, key.key)).body.code).toBe('SCOPE_MISSING');
  });
});
