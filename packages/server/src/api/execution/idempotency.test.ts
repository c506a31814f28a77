import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MintageError, type Operation } from '@mintage/protocol';
import { operations } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';
import { holdKey, type IdempotentCall, once } from './idempotency.ts';

/** Keys, and calls with each: `CASES=1000` for a release. */
const cases = Number(process.env.CASES ?? 20);
const keys = Math.min(100, cases);
const parallel = Math.min(1_000, cases);

const creation = operations.find(({ name }) => name === 'createTokenTransaction') as Operation;

describe('once', () => {
  let apis: TestApi[];
  let user: SignedIn;
  beforeAll(async () => {
    apis = [await testApi()];
    user = await (apis[0] as TestApi).signIn();
  });
  afterAll(() => Promise.all(apis.map((api) => api.stop())));

  const call = (key: string, input: unknown = { a: 1 }): IdempotentCall => ({
    db: (apis[0] as TestApi).context.db,
    offLoop: (apis[0] as TestApi).context.offLoop,
    operation: creation,
    userId: user.userId,
    address: '',
    key,
    input,
  });

  it('R5 many equal calls at once have one effect and one answer', async () => {
    const effects: string[] = [];
    const calls = Array.from({ length: keys }, (_, key) =>
      Array.from({ length: parallel }, () =>
        once(call(`key-${key}`), async () => {
          const effect = effects.push(`key-${key}`);
          await new Promise((resolve) => setTimeout(resolve, 30));
          return { effect };
        }),
      ),
    ).flat();
    const answers = await Promise.all(calls);
    expect(effects.toSorted()).toEqual(Array.from({ length: keys }, (_, key) => `key-${key}`).toSorted());
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(keys);
    expect(new Set(answers.map(({ output }) => JSON.stringify(output))).size).toBe(keys);
  });

  it('R5 the same key with another input is refused', async () => {
    await once(call('other'), async () => 'done');
    await expect(once(call('other', { a: 2 }), async () => 'done')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
  });

  it('behavior: a refused call leaves its key free', async () => {
    const refuse = () => Promise.reject(new MintageError('INSUFFICIENT_BALANCE', 'Too little'));
    await expect(once(call('refused'), refuse)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(await once(call('refused'), async () => 'done')).toEqual({ output: 'done', replayed: false });
  });

  it('R5 a call that broke, or whose process is gone, is not done again', async () => {
    await expect(once(call('broken'), () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
    await call('broken')
      .db.updateTable('idempotent_call')
      .set({ started_at: new Date(Date.now() - 61_000) })
      .where('key', '=', 'broken')
      .execute();
    await expect(once(call('broken'), async () => 'done')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
  });

  it('H11 a call that was cut off names what it had executed, or says that it had nothing executed and never will', async () => {
    const { db } = call('');
    const cut = async (key: string) => {
      await expect(once(call(key), () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
      const ofKey = db.updateTable('idempotent_call').where('key', '=', key);
      await ofKey.set({ started_at: new Date(Date.now() - 61_000) }).execute();
    };
    await cut('nothing-asked');
    await expect(once(call('nothing-asked'), async () => 'done')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
      message: expect.stringContaining('your embedded wallet was asked for nothing, and will not be'),
      details: null,
    });
    // The first call was paused and continues now, after it counts as abandoned.
    const late = db.transaction().execute((tx) => holdKey(tx, user.userId, 'nothing-asked'));
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    await cut('asked');
    const asked = [eids.baseSepolia, eids.base].map((eid) => ({
      eid,
      intent_id: randomUUID(),
      status: 'refused' as const,
    }));
    for (const intent of asked) {
      const row = {
        ...intent,
        user_id: user.userId,
        wallet: '0x' as const,
        credential: null,
        idempotency_key: 'asked',
      };
      await db
        .insertInto('intent')
        .values({ ...row, error: 'Too much', expires_at: new Date() })
        .execute();
    }
    const named = asked.map(({ intent_id, eid }) => ({
      intentId: intent_id,
      chainSlug: eid === eids.base ? 'base' : 'base-sepolia',
      status: 'failed',
      hash: '',
      error: 'Too much',
    }));
    await expect(once(call('asked'), async () => 'done')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
      details: { intentId: named[1]?.intentId, intents: named },
    });
  });

  it('H26 a call that was cut off is told of what reverted, and not that it is on its way', async () => {
    const { db } = call('');
    await expect(once(call('reverted'), () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    const [intent_id, eid, wallet] = [randomUUID(), eids.baseSepolia, '0x'] as const;
    const asked = { intent_id, eid, wallet, user_id: user.userId, credential: null, status: 'signed' as const };
    await db
      .insertInto('intent')
      .values({ ...asked, idempotency_key: 'reverted', expires_at: new Date() })
      .execute();
    const bytes = { to_address: '0x', value: 0n, data: '0x', gas_limit: 21_000, description: 'a step' } as const;
    const mined = { status: 'mined', hash: '0x12', block_number: 7, error: 'Too late' } as const;
    await db
      .insertInto('intent_step')
      .values({ intent_id, eid, wallet, step: 0, ...bytes, ...mined })
      .execute();
    const old = { started_at: new Date(Date.now() - 61_000) };
    await db.updateTable('idempotent_call').set(old).where('key', '=', 'reverted').execute();
    const told = { status: 'reverted', hash: '0x12', error: 'Too late' };
    await expect(once(call('reverted'), async () => 'done')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
      details: { intents: [{ intentId: intent_id, chainSlug: 'base-sepolia', ...told }] },
    });
  });

  it('H11 who looks at a cut off call waits for one that is asking at this moment', async () => {
    const { db } = call('');
    await expect(once(call('asking'), () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    const intentId = randomUUID();
    let looking: Promise<unknown> | undefined;
    await db.transaction().execute(async (tx) => {
      await holdKey(tx, user.userId, 'asking');
      const old = { started_at: new Date(Date.now() - 61_000) };
      await tx.updateTable('idempotent_call').set(old).where('key', '=', 'asking').execute();
      const row = {
        eid: eids.baseSepolia,
        intent_id: intentId,
        user_id: user.userId,
        wallet: '0x' as const,
        credential: null,
      };
      await tx
        .insertInto('intent')
        .values({ ...row, idempotency_key: 'asking', expires_at: new Date() })
        .execute();
      looking = once(call('asking'), async () => 'done').catch((error: unknown) => error);
      await sleep(100); // the second call has found the key taken and polls
    });
    expect(await looking).toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN', details: { intentId } });
  });

  it('behavior: a key is free again after a day', async () => {
    await once(call('old'), async () => 'first');
    await call('old')
      .db.updateTable('idempotent_call')
      .set({ started_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('key', '=', 'old')
      .execute();
    expect(await once(call('old'), async () => 'second')).toEqual({ output: 'second', replayed: false });
  });

  it('error: a key that is empty, long or not ASCII', async () => {
    for (const key of ['', 'x'.repeat(256), 'schlüssel', 'a b']) {
      await expect(once(call(key), async () => 'done')).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
    }
  });
});

describe('Idempotency-Key over HTTP', () => {
  it('R5 A6 the second call makes no second key, and the secret is neither stored nor told again', async () => {
    const api = await testApi();
    try {
      const user = await api.signIn();
      const make = () =>
        api.inject({
          method: 'POST',
          url: '/functions/v1/api-keys',
          payload: { name: 'bot' },
          headers: { authorization: `Bearer ${user.accessToken}`, 'idempotency-key': 'one' },
        });
      const first = await make();
      expect(first.statusCode).toBe(200);
      const second = await make();
      expect([second.statusCode, second.json().code]).toEqual([409, 'IDEMPOTENCY_ANSWER_GONE']);
      expect(await api.context.db.selectFrom('api_key').selectAll().execute()).toHaveLength(1);
      const stored = await api.context.db.selectFrom('idempotent_call').selectAll().execute();
      expect(JSON.stringify(stored)).not.toContain(first.json().key);
    } finally {
      await api.stop();
    }
  });

  it('default: a replayed answer is the first one, and says so', async () => {
    const api = await testApi();
    try {
      const user = await api.signIn();
      const { body } = await api.call('createApiKey', { name: 'bot' }, { bearer: user.accessToken });
      const revoke = () =>
        api.inject({
          method: 'POST',
          url: '/functions/v1/api-keys/revoke',
          payload: { id: body.id },
          headers: { authorization: `Bearer ${user.accessToken}`, 'idempotency-key': 'two' },
        });
      const [first, second] = [await revoke(), await revoke()];
      expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body]);
      expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([
        undefined,
        'true',
      ]);
    } finally {
      await api.stop();
    }
  });
});
