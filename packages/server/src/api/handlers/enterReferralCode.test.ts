import { type ScriptedProvider, startScriptedProvider } from '@mintage/devnet/scriptedProvider';
import { pad } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferralsWorld, startReferrals } from '../../../test/api/referrals/referralsFixture.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Caller } from '../accounts/caller.ts';

const voucherKey = generatePrivateKey();
const parallel = Math.min(1_000, Number(process.env.CASES ?? 100));

describe('enterReferralCode', () => {
  let provider: ScriptedProvider;
  let world: ReferralsWorld;
  let alice: SignedIn;
  let bob: SignedIn;
  beforeAll(async () => {
    // Asked whose vouchers the chain takes.
    const signer = pad(privateKeyToAccount(voucherKey).address);
    provider = await startScriptedProvider({ eth_chainId: '0x2105', eth_call: signer });
    world = await startReferrals({ rpcUrl: provider.url, voucherKey });
    alice = await world.trader({ base: 10_000n, 'base-sepolia': 10_000n });
    bob = await world.trader({ base: 10_000n });
    for (const [user, code, network_mode] of [
      [alice, 'ALICE2025', 'mainnet'],
      [alice, 'ALICE2025', 'testnet'],
      [bob, 'bob2025', 'mainnet'],
    ] as const)
      await world.call('createReferralCode', { code, network_mode }, { bearer: user.accessToken });
  });
  afterAll(async () => {
    await world?.stop();
    provider?.stop();
  });

  const enter = ({ accessToken }: SignedIn, referral_code: unknown, network_mode?: string) =>
    world.call('enterReferralCode', { referral_code, network_mode }, { bearer: accessToken });
  const entriesOf = ({ userId }: SignedIn) =>
    world.context.db
      .selectFrom('referral_entry')
      .select(['network', 'code_key'])
      .where('user_id', '=', userId)
      .orderBy('network')
      .execute();

  it('default: in any case; the code as its owner writes it; on mainnet', async () => {
    const user = await world.signIn();
    const { status, body } = await enter(user, 'alice2025');
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        referrer_code: 'ALICE2025',
        message: 'ALICE2025 refers you now: 4 % of the fees of your trades come back to you.',
      },
    ]);
    expect(await entriesOf(user)).toEqual([{ network: 'mainnet', code_key: 'alice2025' }]);
    const { body: me } = await world.call('me', {}, { bearer: user.accessToken });
    expect(me.data.referral).toEqual({ referredBy: alice.address, tradedVolumeUsd: '0' });
  });

  it('behavior: the next trade carries the voucher, also where the one just before could not', async () => {
    const user = await world.signIn();
    const { auth, chains, vouchers } = world.context;
    const caller = (await auth.verify(`Bearer ${user.accessToken}`)) as Caller;
    const order = { deadline: Math.floor(world.clock.ms / 1_000) + 120, blockTime: null };
    const issue = () => vouchers.issue(caller, chains.get('base') as ChainContext, user.address, order);
    expect(await issue()).toBeNull();
    await enter(user, 'ALICE2025');
    expect(await issue()).toMatchObject({ user: user.address, referrer: alice.address });
  });

  it('behavior: the same code again succeeds, also when it is out of use by then; another one does not', async () => {
    const user = await world.signIn();
    await enter(user, 'bob2025');
    const inUse = (active: boolean) =>
      world.context.db.updateTable('referral_code').set({ active }).where('code_key', '=', 'bob2025').execute();
    await inUse(false);
    expect((await enter(user, 'BOB2025')).status).toBe(200);
    await inUse(true);
    const { status, body } = await enter(user, 'ALICE2025');
    expect([status, body.success, body.code]).toEqual([409, false, 'REFERRAL_ALREADY_SET']);
    expect(await entriesOf(user)).toEqual([{ network: 'mainnet', code_key: 'bob2025' }]);
  });

  it('behavior: each network has its own entry', async () => {
    const user = await world.signIn();
    for (const network of ['mainnet', 'testnet']) expect((await enter(user, 'ALICE2025', network)).status).toBe(200);
    expect((await entriesOf(user)).map(({ network }) => network)).toEqual(['mainnet', 'testnet']);
    const { status, body } = await enter(user, 'bob2025', 'both');
    expect([status, body.code, body.details[0].path]).toEqual([400, 'INVALID_PARAMETERS', 'network_mode']);
  });

  it('behavior: A8 of different codes entered at once one stays', async () => {
    const user = await world.signIn();
    const answers = await Promise.all(
      Array.from({ length: parallel }, (_, index) => enter(user, index % 2 === 0 ? 'ALICE2025' : 'bob2025')),
    );
    const [entry, another] = await entriesOf(user);
    expect(another).toBeUndefined();
    const [good, bad] = entry?.code_key === 'alice2025' ? ['ALICE2025', 'bob2025'] : ['bob2025', 'ALICE2025'];
    answers.forEach(({ status, body }, index) => {
      const asked = index % 2 === 0 ? 'ALICE2025' : 'bob2025';
      if (asked === good) expect([status, body.referrer_code]).toEqual([200, good]);
      else expect([asked, status, body.code]).toEqual([bad, 409, 'REFERRAL_ALREADY_SET']);
    });
  });

  it('error: L3 two users do not refer each other, one after the other or at once; each network for itself', async () => {
    const pair = async (at: string) => {
      const users = [await world.trader({ base: 10_000n }), await world.trader({ base: 10_000n })] as const;
      for (const [index, user] of users.entries())
        await world.call('createReferralCode', { code: `PAIR${at}${index}` }, { bearer: user.accessToken });
      return users;
    };
    const [first, second] = await pair('A');
    expect((await enter(first, 'PAIRA1')).status).toBe(200);
    const { status, body } = await enter(second, 'PAIRA0');
    expect([status, body.code]).toEqual([400, 'REFERRAL_SELF']);
    expect((await enter(second, 'ALICE2025')).status).toBe(200);

    for (let times = 0; times < 10; times++) {
      const [one, other] = await pair(`B${times}`);
      const answers = await Promise.all([enter(one, `PAIRB${times}1`), enter(other, `PAIRB${times}0`)]);
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 400]);
    }
  });

  it('behavior: by the action endpoint, where every refusal is a 400', async () => {
    const user = await world.signIn();
    const act = (referral_code: string) =>
      world.call(
        'platformAction',
        { source: 'Testnet', expiresAfter: 60_000, action: { type: 'enterReferralCode', referral_code } },
        { bearer: user.accessToken },
      );
    const unknown = await act('nosuchcode');
    expect([unknown.status, unknown.body.code]).toEqual([400, 'REFERRAL_CODE_NOT_FOUND']);
    const { status, body } = await act('ALICE2025');
    expect([status, body]).toMatchObject([200, { actionType: 'enterReferralCode', referrer_code: 'ALICE2025' }]);
    const second = await act('bob2025');
    expect([second.status, second.body.code]).toEqual([400, 'REFERRAL_ALREADY_SET']);
  });

  it('error: no user enters an own code, in no spelling', async () => {
    const { status, body } = await enter(alice, 'aLiCe2025');
    expect([status, body.code]).toEqual([400, 'REFERRAL_SELF']);
  });

  it('error: a code out of use', async () => {
    const { db } = world.context;
    await db.updateTable('referral_code').set({ active: false }).where('code_key', '=', 'bob2025').execute();
    const user = await world.signIn();
    const { status, body } = await enter(user, 'bob2025');
    expect([status, body.code]).toEqual([400, 'REFERRAL_CODE_INACTIVE']);
    expect(await entriesOf(user)).toEqual([]);
    await db.updateTable('referral_code').set({ active: true }).where('code_key', '=', 'bob2025').execute();
  });

  it('error: an unknown code, one of the other network, one of a wrong form, no credential', async () => {
    const user = await world.signIn();
    const codes = [await enter(user, 'nosuchcode'), await enter(user, 'bob2025', 'testnet'), await enter(user, 'x y')];
    expect(codes.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'REFERRAL_CODE_NOT_FOUND'],
      [404, 'REFERRAL_CODE_NOT_FOUND'],
      [400, 'INVALID_PARAMETERS'],
    ]);
    expect((await world.call('enterReferralCode', { referral_code: 'ALICE2025' })).status).toBe(401);
  });
});
