import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferralsWorld, startReferrals } from '../../../test/api/referrals/referralsFixture.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';

describe('getReferralCode', () => {
  let world: ReferralsWorld;
  let alice: SignedIn;
  let bob: SignedIn;
  beforeAll(async () => {
    world = await startReferrals();
    alice = await world.trader({ base: 10_000n });
    bob = await world.trader({ 'base-sepolia': 10_000n });
    for (const [user, code, network_mode] of [
      [alice, 'Both2025', 'mainnet'],
      [bob, 'BOTH2025', 'testnet'],
    ] as const)
      await world.call('createReferralCode', { code, network_mode }, { bearer: user.accessToken });
  });
  afterAll(() => world?.stop());

  it('default: in any case, of everybody who has it on a network, told to nobody in particular', async () => {
    const { status, body } = await world.call('getReferralCode', { code: 'both2025' });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        referral_code: 'Both2025',
        networks: [
          { network: 'mainnet', owner_address: alice.address, active: true },
          { network: 'testnet', owner_address: bob.address, active: true },
        ],
      },
    ]);
  });

  it('behavior: the owner is the wallet that the chain pays, the first one', async () => {
    const second = `0x${'0'.repeat(39)}1` as const;
    await world.context.db.insertInto('user_wallet').values({ address: second, user_id: alice.userId }).execute();
    const { body } = await world.call('getReferralCode', { code: 'BOTH2025' });
    expect(body.networks[0].owner_address).toBe(alice.address);
  });

  it('behavior: one that is out of use says so', async () => {
    const inUse = (active: boolean) =>
      world.context.db.updateTable('referral_code').set({ active }).where('network', '=', 'testnet').execute();
    await inUse(false);
    const { body } = await world.call('getReferralCode', { code: 'both2025' });
    expect(body.networks.map(({ active }: { active: boolean }) => active)).toEqual([true, false]);
    await inUse(true);
  });

  it('error: REFERRAL_CODE_NOT_FOUND', async () => {
    const { status, body } = await world.call('getReferralCode', { code: 'nobody99' });
    expect([status, body.success, body.code]).toEqual([404, false, 'REFERRAL_CODE_NOT_FOUND']);
  });
});
