import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferralsWorld, startReferrals } from '../../../test/api/referrals/referralsFixture.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';
import type { ChainContext } from '../../chain/chainContext.ts';

/** `CASES=1000` for a release. */
const parallel = Math.min(1_000, Number(process.env.CASES ?? 100));

describe('createReferralCode', () => {
  let world: ReferralsWorld;
  beforeAll(async () => {
    world = await startReferrals();
  });
  afterAll(() => world?.stop());

  const create = ({ accessToken }: SignedIn, body: object) =>
    world.call('createReferralCode', body, { bearer: accessToken });
  const codesOf = ({ userId }: SignedIn) =>
    world.context.db.selectFrom('referral_code').select(['network', 'code']).where('user_id', '=', userId).execute();

  it('default: the code as it was written, when it was made, and the link to share', async () => {
    const user = await world.trader({ base: 10_000n });
    const { status, body } = await create(user, { code: 'Alice2025' });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        referral_code: 'Alice2025',
        created_at: '2030-01-01T00:00:00.000Z',
        share_link: 'https://app.example/join/Alice2025',
      },
    ]);
    expect(await codesOf(user)).toEqual([{ network: 'mainnet', code: 'Alice2025' }]);
    const { body: me } = await world.call('me', {}, { bearer: user.accessToken });
    expect(me.data.referral).toEqual({
      code: 'Alice2025',
      shareLink: 'https://app.example/join/Alice2025',
      tradedVolumeUsd: '10000',
    });
  });

  it('behavior: C13 counts all wallets of the user on all chains of the network, to the cent', async () => {
    const user = await world.trader({ base: 6_000n, bnb: 3_999n });
    const refused = await create(user, { code: 'summed' });
    expect([refused.status, refused.body.code]).toEqual([403, 'REFERRAL_VOLUME_TOO_LOW']);
    expect(refused.body.details).toEqual({ network: 'mainnet', neededUsd: '10000', finalVolumeUsd: '9999' });
    const second = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Address;
    await world.context.db.insertInto('user_wallet').values({ address: second, user_id: user.userId }).execute();
    await world.trade('base', second, 1n, 100);
    world.clock.ms += 10_000; // credentials are believed for four seconds
    expect((await create(user, { code: 'summed' })).status).toBe(200);
    world.clock.ms -= 10_000;
  });

  it('behavior: C13 test dollars give no mainnet volume, nor real ones testnet volume', async () => {
    const [test, real] = [await world.trader({ 'base-sepolia': 10n ** 9n }), await world.trader({ base: 10n ** 9n })];
    for (const [user, other, own] of [
      [test, 'mainnet', 'testnet'],
      [real, 'testnet', 'mainnet'],
    ] as const) {
      const refused = await create(user, { code: `net${own}`, network_mode: other });
      expect([refused.status, refused.body.details.finalVolumeUsd]).toEqual([403, '0']);
      expect((await create(user, { code: `net${own}`, network_mode: own })).status).toBe(200);
      expect((await codesOf(user)).map(({ network }) => network)).toEqual([own]);
    }
  });

  it('behavior: C13 trades in blocks that are not final do not count, and swaps by foreign routers never', async () => {
    const user = await world.trader({});
    await world.trade('base', user.address, 9_000n, 100);
    await world.trade('base', user.address, 5_000n, 101);
    // The index excludes these trades from the volume, so they must not be subtracted from it either.
    const { db } = world.context;
    const last = db.selectFrom('trade').where('trader', '=', user.address);
    const row = await last.selectAll().where('block_number', '=', 101).executeTakeFirstOrThrow();
    const foreign = { venue: 'pool' as const, foreign_router: true, recipient: `0x${'9'.repeat(40)}` as const };
    await db
      .insertInto('trade')
      .values({ ...row, ...foreign, log_index: 900, gross_usd: 10n ** 12n })
      .execute();
    const refused = await create(user, { code: 'finality' });
    expect(refused.body.details.finalVolumeUsd).toBe('9000');
    await db.updateTable('chain').set({ finalized: 101 }).where('slug', '=', 'base').execute();
    expect((await create(user, { code: 'finality' })).status).toBe(200);
    await db.updateTable('chain').set({ finalized: 100 }).where('slug', '=', 'base').execute();
  });

  it('behavior: without a network it is the only kind that is served; mainnet where both are', async () => {
    const rich = await world.trader({ base: 10_000n, 'base-sepolia': 10_000n });
    const chains = world.context.chains as Map<string, ChainContext>;
    const mainnets = [...chains].filter(([, { chain }]) => !chain.testnet);
    for (const [slug] of mainnets) chains.delete(slug);
    expect((await create(rich, { code: 'tested1' })).status).toBe(200);
    for (const [slug, served] of mainnets) chains.set(slug, served);
    expect((await create(rich, { code: 'real1' })).status).toBe(200);
    expect((await codesOf(rich)).map(({ network, code }) => `${network} ${code}`).toSorted()).toEqual([
      'mainnet real1',
      'testnet tested1',
    ]);
  });

  it('error: both is no network of a code', async () => {
    const rich = await world.trader({ base: 10_000n, 'base-sepolia': 10_000n });
    const { status, body } = await create(rich, { code: 'fullway', network_mode: 'both' });
    expect([status, body.code, body.details[0].path]).toEqual([400, 'INVALID_PARAMETERS', 'network_mode']);
    expect(await codesOf(rich)).toEqual([]);
  });

  it('behavior: a user whose code was taken out of use makes another; nobody gets the old one', async () => {
    const [user, other] = [await world.trader({ base: 10_000n }), await world.trader({ base: 10_000n })];
    await create(user, { code: 'retired1' });
    await world.context.db.updateTable('referral_code').set({ active: false }).where('code', '=', 'retired1').execute();
    expect((await create(other, { code: 'RETIRED1' })).body.code).toBe('REFERRAL_CODE_TAKEN');
    expect((await create(user, { code: 'renewed1' })).status).toBe(200);
  });

  it('behavior: A8 parallel codes of one user leave one row', async () => {
    const user = await world.trader({ base: 10_000n });
    const answers = await Promise.all(
      Array.from({ length: parallel }, (_, index) => create(user, { code: `race${index}` })),
    );
    const codes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`);
    expect(codes.filter((one) => one === '200 ')).toHaveLength(1);
    expect(codes.filter((one) => one === '409 REFERRAL_CODE_EXISTS')).toHaveLength(parallel - 1);
    expect(await codesOf(user)).toHaveLength(1);
  });

  it('behavior: A8 parallel users who want one code, in any case, leave one row', async () => {
    const users = await Promise.all(
      Array.from({ length: parallel / 4 }, () => world.trader({ base: 10_000n, 'base-sepolia': 10_000n })),
    );
    const answers = await Promise.all(
      users.map((user, index) => create(user, { code: index % 2 === 0 ? 'WANTED' : 'wanted' })),
    );
    const codes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`);
    expect(codes.filter((one) => one === '200 ')).toHaveLength(1);
    expect(codes.filter((one) => one === '409 REFERRAL_CODE_TAKEN')).toHaveLength(users.length - 1);
    const owners = await world.context.db
      .selectFrom('referral_code')
      .select('user_id')
      .distinct()
      .where('code_key', '=', 'wanted')
      .execute();
    expect(owners).toHaveLength(1);
  });

  it('behavior: the same by the action endpoint, where every refusal is a 400', async () => {
    const user = await world.trader({ base: 10_000n });
    const act = (code: string) =>
      world.call(
        'platformAction',
        { source: 'Testnet', expiresAfter: 60_000, action: { type: 'createReferralCode', code, network_mode: null } },
        { bearer: user.accessToken },
      );
    const { status, body } = await act('action1');
    expect([status, body]).toMatchObject([
      200,
      { actionType: 'createReferralCode', name: 'createReferralCode', success: true, referral_code: 'action1' },
    ]);
    const refused = await act('action2');
    expect([refused.status, refused.body.code]).toEqual([400, 'REFERRAL_CODE_EXISTS']);
  });

  it('behavior: with an Idempotency-Key the second call gets the first answer', async () => {
    const user = await world.trader({ base: 10_000n });
    const send = () =>
      world.inject({
        method: 'POST',
        url: '/functions/v1/create-referral-code',
        headers: { authorization: `Bearer ${user.accessToken}`, 'idempotency-key': 'once' },
        payload: { code: 'onlyonce' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.statusCode, second.statusCode, second.json()]).toEqual([200, 200, first.json()]);
  });

  it('error: four to twenty letters and digits', async () => {
    const user = await world.trader({ base: 10_000n });
    for (const code of ['abc', 'a'.repeat(21), 'with space', 'dash-es', 'ümlaut', '', 12345, undefined]) {
      const { status, body } = await create(user, { code });
      expect([status, body.code, body.success, body.details[0].path], String(code)).toEqual([
        400,
        'INVALID_PARAMETERS',
        false,
        'code',
      ]);
    }
    expect((await create(user, { code: 'good', network_mode: 'moon' })).status).toBe(400);
    expect(await codesOf(user)).toEqual([]);
  });

  it('error: reserved words and the name of the service count as taken', async () => {
    const user = await world.trader({ base: 10_000n });
    for (const code of ['Admin', 'SUPPORT', 'null', 'Mintage']) {
      const { status, body } = await create(user, { code });
      expect([status, body.code], code).toEqual([409, 'REFERRAL_CODE_TAKEN']);
    }
  });

  it('error: one active code per user', async () => {
    const user = await world.trader({ base: 10_000n });
    await create(user, { code: 'firstone' });
    for (const code of ['second1', 'firstone']) {
      const { status, body } = await create(user, { code });
      expect([status, body.success, body.code]).toEqual([409, false, 'REFERRAL_CODE_EXISTS']);
    }
  });

  it('error: without a credential, or one that only reads', async () => {
    expect((await world.call('createReferralCode', { code: 'nobody' })).status).toBe(401);
    const user = await world.trader({ base: 10_000n });
    const { body } = await world.call('createApiKey', { name: 'r', scopes: ['read'] }, { bearer: user.accessToken });
    const refused = await world.call('createReferralCode', { code: 'reader' }, { bearer: body.key });
    expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_MISSING']);
  });
});
